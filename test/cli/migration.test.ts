import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../harness/merchant.ts'
import { payer, startService } from '../../harness/service.ts'
import { shell } from '../node/program.ts'
import { legacyDeposit, legacyPayout } from '../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../support/shapes.ts'
import { openCommandLine } from './command-line.ts'

const service = await startService()
const shop = await addMerchant(service, { slug: 'shop', providers: ['MTN_MOMO_ZMB'] })
const commandLine = openCommandLine({ DATABASE_URL: service.databaseUrl })
const folder = mkdtempSync(join(tmpdir(), 'malipo-translate-'))
after(async () => {
  commandLine.close()
  rmSync(folder, { recursive: true })
  await service.stop()
})

const malipo = (...args: string[]) => commandLine.run(['migration', ...args])

describe('malipo migration report', () => {
  it('reports nothing if nothing was used', async () => {
    const { code, stdout } = await malipo('report')
    assert.deepEqual({ code, stdout }, { code: 0, stdout: 'None yet.\n' })
    assert.equal((await malipo('report', '--json')).stdout, '[]\n')
  })

  it('says who used what, how often, when last, and what takes its place', async () => {
    await service.get('/active-conf')
    await shop.call('POST', '/v1/predict-correspondent', { msisdn: '260763456789' })
    await shop.call('GET', '/v1/wallet-balances/ZMB')
    // A report of the sandbox brings what the node has counted into the database at once.
    await service.get('/sandbox/migration')
    const row = (merchant: string, call: string, field: string, instead: string) => ({
      merchant,
      call,
      field,
      count: 1,
      lastUsed: SECONDS,
      instead,
    })
    const demo = [row('demo', 'GET /active-conf', '', 'GET /v2/active-conf')]
    const balances = 'GET /v1/wallet-balances/{country}'
    const predict = 'POST /v1/predict-correspondent'
    const mine = [
      row('shop', balances, '', 'GET /v2/wallet-balances?country={country}'),
      row('shop', predict, '', 'POST /v2/predict-provider'),
      row('shop', predict, 'msisdn', 'becomes phoneNumber'),
    ]
    const all = await malipo('report', '--json')
    assertShape(JSON.parse(all.stdout), [...demo, ...mine])
    const one = await malipo('report', '--merchant', 'shop', '--json')
    assertShape(JSON.parse(one.stdout), mine)
    const { code, stdout } = await malipo('report', '--merchant', 'demo')
    assert.equal(code, 0)
    const [head = '', line = ''] = stdout.split('\n')
    assert.match(head, /^merchant +call +field +count +lastUsed +instead$/)
    assert.match(line, /^demo +GET \/active-conf +1 +\S+Z +GET \/v2\/active-conf$/)
  })

  it('knows its merchants', async () => {
    const { code, stdout, stderr } = await malipo('report', '--merchant', 'nobody')
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
    assert.match(stderr, /There is no merchant "nobody"\. See malipo merchant list\./)
  })
})

const depositId = randomUUID()
const body = {
  depositId,
  amount: '15',
  currency: 'ZMW',
  payer: payer('260763456789', 'MTN_MOMO_ZMB'),
  customerMessage: 'Order 12345',
}

function fileOf(content: unknown): string {
  const path = join(folder, `${randomUUID()}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

describe('malipo migration translate', () => {
  it('turns a file into the call to make, and the call works', async () => {
    const file = fileOf(legacyDeposit({ depositId }))
    const plain = await malipo('translate', '--file', file)
    const expected = `POST /v2/deposits\n${JSON.stringify(body, null, 2)}\n`
    assert.deepEqual(plain, { code: 0, stdout: expected, stderr: '' })
    const { stdout } = await malipo('translate', '--file', file, '--json')
    assert.deepEqual(JSON.parse(stdout), [{ method: 'POST', path: '/v2/deposits', body }])
    const [call] = JSON.parse(stdout)
    assert.equal((await service.call(call.method, call.path, call.body)).body.status, 'ACCEPTED')
  })

  it('reads standard input, where no file is named', async () => {
    const command = 'bin/malipo.mjs migration translate'
    // In two pieces, as a slow program writes it.
    const text = JSON.stringify(legacyDeposit({ depositId }))
    const pieces = `(printf '%s' '${text.slice(0, 20)}'; sleep 0.2; printf '%s' '${text.slice(20)}')`
    const { code, stdout } = await shell(`${pieces} | node ${command} --json`)
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout), [{ method: 'POST', path: '/v2/deposits', body }])
    const empty = await malipo('translate')
    assert.equal(empty.code, 2)
    assert.match(empty.stderr, /That is not a request: the body is empty\./)
  })

  it('says so if two calls had the same body', async () => {
    const { stdout } = await malipo('translate', '--file', fileOf({ payoutId: depositId }))
    assert.equal(
      stdout,
      `POST /v2/payouts/resend-callback/${depositId}  (if it was sent to /payouts/resend-callback)\n\n` +
        `POST /v2/payouts/fail-enqueued/${depositId}  (if it was sent to /payouts/fail-enqueued)\n`,
    )
  })

  it('prints one call below the other', async () => {
    const bulk = [legacyDeposit({ depositId }), legacyDeposit({ depositId, amount: 7 })]
    const { stdout } = await malipo('translate', '--file', fileOf(bulk))
    const call = (amount: string) =>
      `POST /v2/deposits\n${JSON.stringify({ ...body, amount }, null, 2)}\n`
    assert.equal(stdout, `${call('15')}\n${call('7')}`)
  })

  it('needs no database', async () => {
    const file = fileOf({ msisdn: '+260 763' })
    const settings = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
    const { code } = await commandLine.run(['migration', 'translate', '--file', file], settings)
    assert.equal(code, 0)
  })

  for (const [what, content, says] of [
    ['no JSON', 'depositId=1', /That is not a request: the body is not valid JSON\./],
    ['a field twice', '{"msisdn":"1","msisdn":"2"}', /an object names the same field twice/],
    ['another request', { hello: 1 }, /it holds none of refundId, payoutId, depositId and msisdn/],
    ['an unknown field', legacyPayout({ colour: 'red' }), /'colour' is not known/],
    ['a missing field', legacyPayout({ currency: null }), /'currency' is required/],
    ['a broken entry', [legacyPayout(), legacyPayout({ amount: '5.' })], /'\[1\]\.amount'/],
  ] as const) {
    it(`says what is wrong with ${what}, and ends with 2`, async () => {
      const { code, stdout, stderr } = await malipo('translate', '--file', fileOf(content))
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, /\bat .*\.js:\d+/)
    })
  }

  it('says which file it cannot read, and ends with 2', async () => {
    for (const path of [join(folder, 'nothing.json'), folder]) {
      const { code, stdout, stderr } = await malipo('translate', '--file', path)
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' })
      assert.ok(stderr.includes(`The file "${path}" cannot be read: `), stderr)
    }
    const { stderr } = await malipo('translate', '--file', join(folder, 'no'), '--json')
    assert.match(JSON.parse(stderr).error, /cannot be read/)
  })
})
