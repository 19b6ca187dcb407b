import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { after, describe, it } from 'node:test'
import { startService } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, refused, UUID } from '../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

/** With the target as it is given. */
async function ask(method: string, path: string): Promise<IncomingMessage> {
  const sent = request(service.url, { method, path, agent: false }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

const id = randomUUID()
const legacy = (errorMessage: RegExp) => ({ errorId: UUID, errorCode: 1, errorMessage })

/** Paths with nothing behind them, in the generation of which they are answered. */
const UNKNOWN: readonly (readonly [method: string, path: string, generation: 'v2' | 'v1'])[] = [
  ['GET', '/v2', 'v2'],
  ['GET', '/v2/', 'v2'],
  ['GET', '/v2?x=1', 'v2'],
  ['GET', '/v2/nothing', 'v2'],
  ['POST', '/v2/nothing', 'v2'],
  ['PUT', '/v2/nothing/at/all', 'v2'],
  ['DELETE', '/v2/nothing', 'v2'],
  ['PATCH', '/v2/nothing', 'v2'],
  ['OPTIONS', '/v2/nothing', 'v2'],
  ['POST', '/v2/v2/deposits', 'v2'],
  ['POST', '/v2/Deposits', 'v2'],
  ['GET', `/v2/deposits/${id}/more`, 'v2'],
  ['GET', '/v2/deposits/resend-callback/a/b', 'v2'],
  ['GET', '/v2/public-key', 'v2'],
  ['GET', '/sandbox/nothing', 'v2'],
  ['GET', '/v3/deposits', 'v1'],
  ['POST', '/nothing', 'v1'],
  ['GET', '/v1/nothing', 'v1'],
  ['GET', '/V2/deposits', 'v1'],
  ['GET', '/v2deposits', 'v1'],
  ['GET', '/sandboxes', 'v1'],
  ['GET', '/.env', 'v1'],
  ['GET', '/docs/../../etc/passwd', 'v1'],
  ['GET', '/%2e%2e/%2e%2e/etc/passwd', 'v1'],
  ['GET', '/__proto__', 'v1'],
]

describe('404 has the format of its generation and names the path:', () => {
  for (const [method, path, generation] of UNKNOWN) {
    it(`${method} ${path.replace(id, '{id}')}`, async () => {
      const says = new RegExp(`There is nothing at ${method} /`)
      const body = generation === 'v2' ? refused('NOT_FOUND', says) : legacy(says)
      assertAnswer(await service.call(method, path), 404, body)
    })
  }

  it('whether or not there is a token', async () => {
    const answer = await service.get('/v2/nothing', { authorization: 'Bearer nobody' })
    assertAnswer(answer, 404, refused('NOT_FOUND'))
  })

  it('each legacy error has an identifier of its own, found in the log', async () => {
    const [one, other] = [await service.get('/nothing'), await service.get('/nothing')]
    assert.notEqual(one.body.errorId, other.body.errorId)
    assert.ok(service.logLines.some((line) => line.includes(one.body.errorId)))
  })
})

/** Paths that exist, with methods they do not have. */
const WRONG_METHOD: readonly (readonly [
  path: string,
  allow: string,
  methods: readonly string[],
  generation: 'v2' | 'v1',
])[] = [
  ['/v2/deposits', 'POST', ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'v2'],
  [`/v2/deposits/${id}`, 'GET', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], 'v2'],
  [`/v2/deposits/resend-callback/${id}`, 'POST', ['GET', 'PUT', 'PATCH', 'DELETE'], 'v2'],
  ['/v2/wallet-balances', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE'], 'v2'],
  ['/v2/public-key/http', 'GET', ['POST', 'DELETE'], 'v2'],
  ['/sandbox/callbacks', 'PUT', ['POST', 'DELETE'], 'v2'],
  ['/sandbox/clock/advance', 'POST', ['GET', 'PUT'], 'v2'],
  ['/payments', 'GET', ['POST', 'PUT', 'DELETE'], 'v2'],
  [`/payments/${id}`, 'GET', ['POST', 'PUT', 'DELETE'], 'v2'],
  ['/callbacks', 'GET', ['POST', 'PUT', 'DELETE'], 'v2'],
  ['/callbacks/feed', 'GET', ['POST', 'PUT', 'DELETE'], 'v2'],
  ['/docs', 'GET', ['POST', 'PUT', 'DELETE'], 'v1'],
  ['/', 'GET', ['POST', 'DELETE'], 'v1'],
  ['/livez', 'GET', ['POST'], 'v1'],
]

describe('405 says which methods there are:', () => {
  for (const [path, allow, methods, generation] of WRONG_METHOD) {
    for (const method of methods) {
      it(`${method} ${path.replace(id, '{id}')}`, async () => {
        const answer = await service.call(method, path, method === 'GET' ? undefined : '{}')
        const says = new RegExp(`^${method} is not possible here. Use ${allow}`)
        const body = generation === 'v2' ? refused('INVALID_INPUT', says) : legacy(says)
        assertAnswer(answer, 405, body)
        assert.equal(answer.headers.get('allow'), allow)
      })
    }
  }
})

describe('405 also to methods that browsers do not send:', () => {
  for (const [path, allow] of WRONG_METHOD) {
    it(`TRACE ${path.replace(id, '{id}')}`, async () => {
      const { statusCode, headers } = await ask('TRACE', path)
      assert.deepEqual([statusCode, headers.allow], [405, allow])
    })
  }

  it('HEAD where there is no GET', async () => {
    const { statusCode, headers } = await ask('HEAD', '/v2/deposits')
    assert.deepEqual([statusCode, headers.allow], [405, 'POST'])
    assert.equal((await ask('HEAD', '/docs')).statusCode, 200)
  })
})

const HTML = 'text/html; charset=utf-8'
/** Addresses that are no addresses: refused as a mistake of the caller, never as one of ours. */
const BROKEN: readonly (readonly [path: string, generation: 'v2' | 'v1'])[] = [
  ['/v2/deposits/%', 'v2'],
  ['/v2/deposits/%zz', 'v2'],
  ['/v2/deposits/%c3%28', 'v2'],
  ['/%zz', 'v1'],
]

it('the target of a page may be a whole address, and have a fragment', async () => {
  for (const target of ['/docs', `${service.url}/docs`, '/docs#top', '/docs?lang=fr#top']) {
    assert.equal((await ask('GET', target)).statusCode, 200, target)
    assert.equal((await ask('HEAD', target)).statusCode, 200, target)
  }
})

it('HEAD with an identifier that is too long is refused like GET', async () => {
  const { statusCode } = await ask('HEAD', `/v2/deposits/${'x'.repeat(5000)}`)
  assert.equal(statusCode, 400)
})

describe('400 for an address that cannot be read:', () => {
  for (const [path, generation] of BROKEN) {
    it(path, async () => {
      const answer = await service.get(path)
      const body = generation === 'v2' ? refused('INVALID_INPUT', /./) : legacy(/./)
      assertAnswer(answer, 400, body)
    })
  }

  it('a browser is shown the page of unknown addresses', async () => {
    const answer = await fetch(`${service.url}/%00%ff`, { headers: { accept: 'text/html' } })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [400, HTML])
    assert.match(await answer.text(), /<h1/)
  })

  it('an identifier longer than any address names nothing', async () => {
    const answer = await service.get(`/v2/deposits/${'x'.repeat(5000)}`)
    assert.ok([400, 404, 414].includes(answer.status))
    assert.equal(answer.body.status, 'REJECTED')
  })
})

it('no answer of the API sends the caller elsewhere', async () => {
  for (const path of [
    '/v2',
    '/v2/deposits/',
    '//v2//deposits',
    '/docs/',
    '/sandbox/clock/',
    '/v1',
  ]) {
    const response = await fetch(service.url + path, { redirect: 'manual' })
    assert.ok(response.status < 300 || response.status >= 400, `${path}: ${response.status}`)
    await response.arrayBuffer()
  }
})

it('in production the controls of the sandbox do not exist', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SANDBOX_DELAY_MS: '',
    MALIPO_SECRET_KEY: 'only for this test, and long enough for it',
  })
  try {
    for (const [method, path] of [
      ['GET', '/sandbox/clock'],
      ['POST', '/sandbox/reset'],
      ['POST', '/sandbox/clock/advance'],
      ['PUT', '/sandbox/callbacks'],
      ['PUT', '/sandbox/wallets'],
    ] as const) {
      const says = /There is nothing at/
      assertAnswer(await production.call(method, path), 404, refused('NOT_FOUND', says))
    }
    const answer = await production.get('/v2/wallet-balances')
    assert.equal(answer.status, 401)
  } finally {
    await production.stop()
  }
})
