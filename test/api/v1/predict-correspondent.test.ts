import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import type { Answer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertEarlier, earlierError } from '../../support/earlier-generation.ts'

const service = await shareService()
after(service.stop)

const PATH = '/v1/predict-correspondent'
const SUCCESSOR = '/v2/predict-provider'
const MTN = { country: 'ZMB', operator: 'MTN', correspondent: 'MTN_MOMO_ZMB' }

/** One connection for all: what is refused must leave it usable for the next request. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
after(() => agent.destroy())

/** What fetch refuses to do and clients do: a GET with a body. */
function getWith(text: string, token = service.token): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const asked = request(service.url + PATH, { method: 'GET', headers, agent }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk
      })
      response.on('end', () => {
        const { statusCode: status = 0, headers: given } = response
        const answered = new Headers(given as Record<string, string>)
        resolve({ status, headers: answered, body: JSON.parse(body) })
      })
    })
    asked.on('error', reject)
    asked.end(text)
  })
}

const WAYS: readonly (readonly [method: string, ask: (text: string) => Promise<Answer>])[] = [
  ['POST', (text) => service.post(PATH, text)],
  ['GET', (text) => getWith(text)],
]

for (const [method, ask] of WAYS) {
  describe(`${method} ${PATH}`, () => {
    it('cleans the number and names the correspondent', async () => {
      for (const [written, msisdn] of [
        ['260763456789', '260763456789'],
        ['+260 763-456 789', '260763456789'],
        ['2600763456789', '260763456789'],
      ]) {
        const answer = await ask(JSON.stringify({ msisdn: written }))
        assertEarlier(answer, 200, { ...MTN, msisdn }, SUCCESSOR)
      }
      const { body } = await ask('{"msisdn":"250783456789"}')
      assert.deepEqual([body.operator, body.correspondent], ['MTN', 'MTN_MOMO_RWA'])
    })

    for (const [what, text, says] of [
      ['a number of no country', '{"msisdn":"999123456789"}', /'msisdn'.*country code/],
      [
        'a number of no network',
        '{"msisdn":"260123456789"}',
        /'msisdn'.*first digits.*no correspondent/,
      ],
      ['a number that is too short', '{"msisdn":"26076345"}', /'msisdn'.*length/],
      ['letters alone', '{"msisdn":"call me"}', /'msisdn'/],
      ['an empty text', '{"msisdn":""}', /'msisdn'/],
      ['a number without quotes', '{"msisdn":260763456789}', /'msisdn'.*text in quotes/],
      ['nothing', '{}', /'msisdn' is required/],
      ['null', '{"msisdn":null}', /'msisdn' is required/],
      ['the name of the current generation', '{"phoneNumber":"260763456789"}', /'phoneNumber'/],
      ['a list', '[]', /'body'.*object/],
      ['half an object', '{"msisdn":', /not valid JSON/],
      ['no body', '', /the body is empty/],
    ] as const) {
      it(`400 for ${what}`, async () => {
        assertEarlier(await ask(text), 400, earlierError(1, says), SUCCESSOR)
      })
    }
  })
}

it('a body over 1 MiB is too large, also with GET', async () => {
  const long = (length: number) => JSON.stringify({ msisdn: '7'.repeat(length) })
  const tooLarge = earlierError(1, /larger than/)
  assertEarlier(await getWith(long(1_100_000)), 413, tooLarge, SUCCESSOR)
  assertEarlier(await getWith(long(5_000_000)), 413, tooLarge, SUCCESSOR)
  assertEarlier(await getWith(long(500_000)), 400, earlierError(1, /'msisdn'/), SUCCESSOR)
  assertEarlier(await service.post(PATH, long(1_100_000)), 413, tooLarge, SUCCESSOR)
  // On the connection on which the rest of a refused body was still to come.
  assert.equal((await getWith('{"msisdn":"260763456789"}')).status, 200)
})

it('401 and 403 are errors 2 and 3', async () => {
  const text = '{"msisdn":"260763456789"}'
  const { id } = await addMerchant(service, { providers: [] })
  const deposits = await addToken(service, id, ['deposits'])
  const lacks = earlierError(3, /'toolkit:read'/)
  for (const send of [
    (token: string) => getWith(text, token),
    (token: string) => callerWith(service, token).call('POST', PATH, text),
  ]) {
    assertEarlier(await send('nobody'), 401, earlierError(2), SUCCESSOR)
    assertEarlier(await send(deposits), 403, lacks, SUCCESSOR)
  }
})

it('no number reaches the log', async () => {
  await getWith('{"msisdn":"260963111222"}')
  await service.post(PATH, { msisdn: '260989111222' })
  const logged = service.logLines.filter((line) => /963111222|989111222/.test(line))
  assert.deepEqual(logged, [])
})
