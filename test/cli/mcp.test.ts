import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, it } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { addToken } from '../../harness/merchant.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import type { Scope } from '../../src/domain/accounts/token.ts'
import { malipo, ROOT } from '../node/program.ts'
import { openCommandLine } from './command-line.ts'

/** `malipo mcp`, driven by the client of the official SDK as an agent drives it. */
const service = await shareService()
const commandLine = openCommandLine()
const clients: Client[] = []
after(async () => {
  await Promise.all(clients.map((client) => client.close()))
  commandLine.close()
  await service.stop()
})

type ToolAnswer = { readonly isError: boolean; readonly text: string; readonly body: Json }
// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely
type Json = any
type Agent = {
  readonly client: Client
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>
}

async function agentWith(
  args: readonly string[],
  { token = service.token, url = service.url } = {},
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['bin/malipo.mjs', 'mcp', '--service', url, ...args],
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', MALIPO_TOKEN: token },
      cwd: ROOT,
    }),
    { timeout: 120_000 },
  )
  clients.push(client)
  const call: Agent['call'] = async (name, given = {}) => {
    const answer = await client.callTool({ name, arguments: given }, undefined, {
      timeout: 120_000,
    })
    const [first] = answer.content as readonly { readonly text: string }[]
    const { text = '' } = first ?? {}
    const isError = answer.isError === true
    return { isError, text, body: isError ? undefined : JSON.parse(text) }
  }
  return { client, call }
}

const scoped = (scopes: readonly Scope[]): Promise<string> =>
  addToken(service, service.merchantId, scopes)

const NUMBER = '260763334789'
const known = depositBody({
  clientReferenceId: 'INV-9001',
  metadata: [{ orderId: 'ORD-9001' }],
  payer: payer(NUMBER, 'MTN_MOMO_ZMB'),
})
await service.post('/v2/deposits', known)
await service.reaches(known.depositId, 'COMPLETED')

const readerToken = await scoped(['deposits:read', 'finances:read', 'callbacks:read'])
const reader = await agentWith([], { token: readerToken })

const newDeposit = (amount: string, id = randomUUID()): Record<string, string> => ({
  kind: 'deposit',
  id,
  amount,
  currency: 'ZMW',
  phoneNumber: '260763456789',
  provider: 'MTN_MOMO_ZMB',
})

it('offers what reads, and what starts payments only where it was allowed', async () => {
  const { tools } = await reader.client.listTools()
  const names = tools.map(({ name }) => name)
  assert.deepEqual(names, ['find_payments', 'explain_payment', 'read_balances', 'list_callbacks'])
  for (const { name, annotations, inputSchema, description } of tools) {
    assert.equal(annotations?.readOnlyHint, true)
    assert.equal(inputSchema.type, 'object')
    for (const [field, schema] of Object.entries(inputSchema.properties ?? {})) {
      assert.match(String((schema as Json).type), /^(string|integer)$/, `${name}: ${field}`)
    }
    assert.ok(description)
  }
  const refused = await reader.call('start_payment', newDeposit('1'))
  assert.deepEqual([refused.isError, refused.text], [true, 'There is no tool "start_payment".'])
})

it('finds a payment, tells its story, reads money and callbacks, without numbers', async () => {
  const found = await reader.call('find_payments', { clientReferenceId: 'INV-9001' })
  assert.equal(found.body.payments.length, 1)
  const [{ kind, data }] = found.body.payments
  assert.deepEqual([kind, data.depositId, data.status], ['deposit', known.depositId, 'COMPLETED'])
  assert.deepEqual(data.metadata, { orderId: '***' })
  const byNumber = await reader.call('find_payments', { phoneNumber: NUMBER })
  assert.equal(byNumber.body.payments.length, 1)
  const story = await reader.call('explain_payment', { paymentId: known.depositId })
  const texts = story.body.payments[0].events.map(({ text }: { text: string }) => text)
  assert.ok(texts.includes('ACCEPTED') && texts.includes('COMPLETED'), texts.join())
  for (const { text } of [found, byNumber, story]) {
    assert.match(text, /\+260 76 \*\*\* \*789/)
    assert.ok(!text.includes(NUMBER))
  }
  const balances = await reader.call('read_balances', { country: 'ZMB' })
  assert.equal(balances.body.balances[0].country, 'ZMB')
  const callbacks = await reader.call('list_callbacks')
  assert.deepEqual(callbacks.body, { callbacks: [] })
})

it('takes numbers for texts and texts for numbers, as models send them', async () => {
  for (const limit of [1, '1']) {
    const { body } = await reader.call('find_payments', { phoneNumber: Number(NUMBER), limit })
    assert.equal(body.payments.length, 1)
  }
})

it('masks a reference that is a phone number, and finds payments by it', async () => {
  const own = depositBody({
    clientReferenceId: '260763334788',
    payer: payer('260763334788', 'MTN_MOMO_ZMB'),
  })
  await service.post('/v2/deposits', own)
  await service.reaches(own.depositId, 'COMPLETED')
  const found = await reader.call('find_payments', { clientReferenceId: '260763334788' })
  assert.equal(found.body.payments[0].data.depositId, own.depositId)
  assert.ok(!found.text.includes('260763334788'), found.text)
})

it('refuses by the name of what is wrong, and for what the token may not do', async () => {
  for (const [tool, given, says] of [
    ['find_payments', { colour: 'red' }, /'colour' is not known/],
    ['find_payments', { kind: 'loan' }, /'kind'/],
    ['find_payments', { kind: 'payout' }, /403.*may not read the kind 'payout'/],
    ['explain_payment', {}, /'paymentId' is required/],
    ['explain_payment', { paymentId: randomUUID() }, /404.*NOT_FOUND/],
    ['find_payments', { limit: '1000' }, /'limit'/],
    ['find_payments', { limit: 2.5 }, /'limit'/],
    ['find_payments', { phoneNumber: 26e20 }, /'phoneNumber'/],
  ] as const) {
    const { isError, text } = await reader.call(tool, given)
    assert.equal(isError, true)
    assert.match(text, says)
  }
})

/** May start payments until its limit is reached. */
const paying = await agentWith(['--allow-payments', '--limit', '100', 'ZMW'], {
  token: await scoped(['deposits', 'payouts:read']),
})

it('payments stay within the limit, also where many are started at once', async () => {
  const calls = Array.from({ length: 12 }, () => newDeposit('15'))
  const answers = await Promise.all(calls.map((one) => paying.call('start_payment', one)))
  const accepted = answers.filter(({ body }) => body?.status === 'ACCEPTED')
  const refused = answers.filter(({ isError }) => isError)
  assert.deepEqual([accepted.length, refused.length], [6, 6])
  for (const { text } of refused)
    assert.match(text, /limit of this server is 100 ZMW.* 10\.00 ZMW is left/)

  for (const amount of [1e21, 0.1 + 0.2, Number.NaN]) {
    const { text } = await paying.call('start_payment', { ...newDeposit('1'), amount })
    assert.match(text, /'amount'/)
  }

  // A repeat is the same payment, and costs nothing more.
  const [first = newDeposit('1')] = calls
  const repeat = await paying.call('start_payment', first)
  assert.equal(repeat.body.status, 'DUPLICATE_IGNORED')
  const same = { ...newDeposit('10'), amount: 10 }
  const twice = await Promise.all([1, 2, 3].map(() => paying.call('start_payment', same)))
  assert.deepEqual(twice.map(({ body }) => body.status).toSorted(), [
    'ACCEPTED',
    'DUPLICATE_IGNORED',
    'DUPLICATE_IGNORED',
  ])
  for (const [given, says] of [
    [newDeposit('0.01'), /0\.00 ZMW is left/],
    [{ ...newDeposit('1'), currency: 'KES' }, /limit of this server is in ZMW/],
    [{ ...newDeposit('1'), kind: 'payout' }, /limit of this server is/],
    [{ ...newDeposit('1'), id: 'order-1' }, /'id' is not valid/],
    [{ ...newDeposit('1'), kind: 'refund' }, /403|needs the depositId/],
  ] as const) {
    const { isError, text } = await paying.call('start_payment', given)
    assert.deepEqual([isError, says.test(text)], [true, true], text)
  }
  const rows = await service.database.query<{ sum: string }>(
    `select sum(amount)::text as sum from payments
     where merchant_id = $1 and phone_number = '260763456789'`,
    [service.merchantId],
  )
  assert.equal(Number(rows[0]?.sum), 100)
})

it('an id that is known shows no more of its payment than the other tools', async () => {
  const again = { ...newDeposit('15', known.depositId), phoneNumber: NUMBER }
  const hidden = await paying.call('start_payment', again)
  assert.equal(hidden.body.status, 'DUPLICATE_IGNORED')
  assert.deepEqual(hidden.body.data.metadata, { orderId: '***' })
  assert.match(hidden.text, /\+260 76 \*\*\* \*789/)
  assert.ok(!hidden.text.includes(NUMBER), hidden.text)
  const open = await agentWith(['--allow-payments', '--limit', '100', 'ZMW', '--show-personal'])
  const { body } = await open.call('start_payment', again)
  assert.deepEqual(body.data.metadata, { orderId: 'ORD-9001' })
  assert.equal(body.data.payer.accountDetails.phoneNumber, NUMBER)
})

it('what the service refuses is not counted, and what is not known is', async () => {
  // Takes the request and answers nothing: whether it was carried out is not known.
  let isSilent = false
  const between = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (isSilent && request.method === 'POST') {
      request.socket.destroy()
      return
    }
    const { status, body } = await service.call(
      request.method ?? '',
      request.url ?? '',
      chunks.length === 0 ? undefined : Buffer.concat(chunks).toString(),
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
  const agent = await agentWith(['--allow-payments', '--limit=20 ZMW'], { url })
  const wrong = await agent.call('start_payment', { ...newDeposit('15'), phoneNumber: '1' })
  assert.equal(wrong.body.status, 'REJECTED')
  isSilent = true
  const lost = newDeposit('15')
  const unknown = await agent.call('start_payment', lost)
  assert.match(unknown.text, /not known. Call start_payment again with the same id/)
  const other = await agent.call('start_payment', newDeposit('15'))
  assert.match(other.text, /5\.00 ZMW is left/)
  isSilent = false
  assert.equal((await agent.call('start_payment', lost)).body.status, 'ACCEPTED')
  between.close()
})

it('every call shows in the requests of the token, by the name of the tool', async () => {
  await eventually(async () => {
    const rows = await service.database.query<{ path: string; label: string }>(
      `select r.path, t.label from api_requests r join api_tokens t using (merchant_id, token_id)
       where r.merchant_id = $1 and r.path like '%via=mcp.%'`,
      [service.merchantId],
    )
    const seen = (label: string) =>
      new Set(
        rows
          .filter((row) => row.label === label)
          .map(({ path }) => /via=mcp\.(\w+)/.exec(path)?.[1]),
      )
    assert.deepEqual([...seen('deposits:read finances:read callbacks:read')].toSorted(), [
      'explain_payment',
      'find_payments',
      'list_callbacks',
      'read_balances',
    ])
    assert.deepEqual([...seen('deposits payouts:read')], ['start_payment'])
    // Looked up at least once each: also those that the limit refused.
    const looked = rows.filter(
      ({ path, label }) =>
        label === 'deposits payouts:read' && /^\/v2\/deposits\/[0-9a-f-]{36}\?/.test(path),
    )
    assert.ok(looked.length >= 16, `${looked.length}`)
  })
})

it('ends with its input', async () => {
  const { code, stdout } = await malipo(['mcp'], { MALIPO_TOKEN: service.token })
  assert.deepEqual({ code, stdout }, { code: 0, stdout: '' })
})

it('options that do not go together are refused before anything is served', async () => {
  const MISUSE = [
    ['--allow-payments', /needs a limit/],
    ['--limit 5 ZMW', /need --allow-payments/],
    ['--allow-payments --limit 5', /--limit is "5"; give an amount and a currency/],
    ['--allow-payments --limit zero ZMW', /--limit is "zero ZMW"/],
    ['--allow-payments --limit 0 ZMW', /--limit is "0 ZMW"/],
  ] as const
  for (const [args, says] of MISUSE) {
    const given = ['mcp', ...args.split(' '), '--token', service.token]
    const { code, stderr } = await commandLine.run(given)
    assert.equal(code, 2, stderr)
    assert.match(stderr, says)
  }
  const { stderr } = await commandLine.run(['mcp'])
  assert.match(stderr, /An API token is needed/)
})
