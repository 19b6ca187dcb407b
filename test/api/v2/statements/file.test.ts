import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { eventually, payer, startService } from '../../../../harness/service.ts'
import {
  askStatement,
  ended,
  type Row,
  statementOf,
  walletBalance,
} from '../../../../harness/statements.ts'
import { STATEMENT_COLUMNS } from '../../../../src/domain/statements/statement-file.ts'
import { resolveCase } from '../../../../src/usecases/payments/resolve-case.ts'

// Its periods are of the real time until it moves the clock itself.
const service = await startService()
after(service.stop)

const MTN = 'MTN_MOMO_ZMB'
const GOOD = '260763456789'
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const METADATA = [
  { orderId: 'ORD "7", line\none\r\ntwo' },
  { 'naïve, "name"': '=1+1 😀 \\ é' },
  { customer: 'x@example.com', isPII: true },
]
const SHOWN = {
  orderId: 'ORD "7", line\none\r\ntwo',
  'naïve, "name"': '=1+1 😀 \\ é',
  customer: '***',
}

/** Starts a payment of the kind and waits until it is in the state. */
async function paid(
  kind: 'deposit' | 'payout' | 'refund' | 'remittance' | 'split-payment',
  state: string,
  body: object,
  id: string = randomUUID(),
): Promise<string> {
  const field = kind === 'split-payment' ? 'splitPaymentId' : `${kind}Id`
  const answer = await service.post(`/v2/${kind}s`, { [field]: id, ...body })
  assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
  await eventually(async () => {
    const { data } = (await service.get(`/v2/${kind}s/${id}`)).body
    assert.equal(data.status, state)
  })
  return id
}

const ofOrder = (phoneNumber = GOOD) => ({
  amount: '15',
  currency: 'ZMW',
  recipient: payer(phoneNumber, MTN),
})

async function rowsAbout(...ids: readonly string[]): Promise<readonly Row[]> {
  const { rows } = await statementOf(service)
  return rows.filter(({ transactionId }) => ids.includes(transactionId))
}

it('the first line names the columns, and a wallet without movements has no other', async () => {
  const period = { startDate: '2020-01-01T00:00:00', endDate: '2020-02-01T00:00:00' }
  const record = await ended(service, await askStatement(service, period))
  const text = await (await fetch(record.downloadUrl)).text()
  assert.equal(text, `${STATEMENT_COLUMNS.join(',')}\r\n`)
  assert.equal(
    STATEMENT_COLUMNS.join(', '),
    'createdAt, completedAt, walletCountry, walletCurrency, walletProvider, type, direction, ' +
      'transactionId, relatedTransactionId, checkoutId, clientReferenceId, phoneNumber, provider, ' +
      'country, amount, currency, fee, net, balanceAfter, status, providerTransactionId, ' +
      'customerMessage, failureCode, metadata',
  )
  assert.deepEqual([record.openingBalance, record.closingBalance], ['0.00', '0.00'])
})

it('a deposit is one movement in, with everything that the merchant sent', async () => {
  const id = await paid(
    'deposit',
    'COMPLETED',
    {
      amount: '1500.5',
      currency: 'ZMW',
      payer: payer(GOOD, MTN),
      customerMessage: 'Invoice 0042',
      clientReferenceId: 'INV "42", ünïcode 😀',
      metadata: METADATA,
    },
    randomUUID().toUpperCase(),
  )
  const { data } = (await service.get(`/v2/deposits/${id}`)).body
  const [row, ...others] = await rowsAbout(id)
  assert.equal(others.length, 0)
  assert.ok(row !== undefined)
  const { createdAt, completedAt, balanceAfter, metadata, ...rest } = row
  assert.match(createdAt, INSTANT)
  assert.equal(completedAt, createdAt)
  assert.equal(balanceAfter, await walletBalance(service))
  assert.deepEqual(JSON.parse(metadata), SHOWN)
  assert.deepEqual(rest, {
    walletCountry: 'ZMB',
    walletCurrency: 'ZMW',
    walletProvider: '',
    type: 'DEPOSIT',
    direction: 'CREDIT',
    transactionId: id,
    relatedTransactionId: '',
    checkoutId: '',
    clientReferenceId: 'INV "42", ünïcode 😀',
    phoneNumber: GOOD,
    provider: MTN,
    country: 'ZMB',
    amount: '1500.50',
    currency: 'ZMW',
    fee: '0.00',
    net: '1500.50',
    status: 'COMPLETED',
    providerTransactionId: data.providerTransactionId,
    customerMessage: 'Invoice 0042',
    failureCode: '',
  })
})

it('a deposit that fails, or is under way, is not in the file', async () => {
  const failed = await paid('deposit', 'FAILED', {
    amount: '15',
    currency: 'ZMW',
    payer: payer('260763456039', MTN),
  })
  const open = await paid('deposit', 'PROCESSING', {
    amount: '15',
    currency: 'ZMW',
    payer: payer('260763456129', MTN),
  })
  assert.deepEqual(await rowsAbout(failed, open), [])
})

describe('a payment out is one movement out, at the moment it is accepted:', () => {
  it('a payout', async () => {
    const id = await paid('payout', 'COMPLETED', { ...ofOrder(), metadata: METADATA })
    const [row, ...others] = await rowsAbout(id)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [row?.type, row?.direction, row?.amount, row?.net, row?.status],
      ['PAYOUT', 'DEBIT', '15.00', '-15.00', 'COMPLETED'],
    )
    assert.ok(row !== undefined && row.createdAt <= row.completedAt)
    assert.deepEqual(JSON.parse(row.metadata), SHOWN)
    const { data } = (await service.get(`/v2/payouts/${id}`)).body
    assert.equal(row.providerTransactionId, data.providerTransactionId)
  })

  it('one under way, which is not completed yet', async () => {
    const id = await paid('payout', 'PROCESSING', ofOrder('260763456129'))
    const [row] = await rowsAbout(id)
    assert.deepEqual(
      [row?.type, row?.net, row?.status, row?.completedAt],
      ['PAYOUT', '-15.00', 'PROCESSING', ''],
    )
  })

  it('a refund, which names its deposit', async () => {
    const depositId = randomUUID().toUpperCase()
    const order = { amount: '15', currency: 'ZMW', payer: payer(GOOD, MTN) }
    await paid('deposit', 'COMPLETED', order, depositId)
    const id = await paid('refund', 'COMPLETED', { depositId, amount: '5' })
    const [row] = await rowsAbout(id)
    assert.deepEqual(
      [row?.type, row?.direction, row?.net, row?.relatedTransactionId],
      ['REFUND', 'DEBIT', '-5.00', depositId],
    )
  })

  it('a remittance', async () => {
    const id = await paid('remittance', 'COMPLETED', await remittance())
    const [row] = await rowsAbout(id)
    assert.deepEqual([row?.type, row?.direction], ['REMITTANCE', 'DEBIT'])
  })
})

it('a payout that fails comes back by a movement of its own', async () => {
  const before = await walletBalance(service)
  const id = await paid('payout', 'FAILED', ofOrder('260763456089'))
  const rows = await rowsAbout(id)
  assert.deepEqual(
    rows.map(({ type, direction, net, status }) => [type, direction, net, status]),
    [
      ['PAYOUT', 'DEBIT', '-15.00', 'FAILED'],
      ['REVERSAL', 'CREDIT', '15.00', 'FAILED'],
    ],
  )
  const [hold, back] = rows
  assert.equal(hold?.completedAt, back?.createdAt)
  assert.equal(back?.completedAt, back?.createdAt)
  assert.equal(back?.failureCode, 'RECIPIENT_NOT_FOUND')
  assert.equal(back?.balanceAfter, before)
})

it('a payout that found too little money moved none, and is not in the file', async () => {
  await service.put('/sandbox/wallets', { country: 'RWA', currency: 'RWF', balance: '10' })
  const id = await paid('payout', 'FAILED', {
    amount: '500',
    currency: 'RWF',
    recipient: payer('250783456789', 'MTN_MOMO_RWA'),
  })
  const { rows } = await statementOf(service, { wallet: { country: 'RWA', currency: 'RWF' } })
  assert.deepEqual(
    rows.filter(({ transactionId }) => transactionId === id),
    [],
  )
  assert.equal(rows.at(-1)?.balanceAfter, '10.00')
})

it('a split payment is its deposit and its payouts, which name it', async () => {
  const payoutId = randomUUID()
  const splitId = await paid(
    'split-payment',
    'COMPLETED',
    {
      amount: '100',
      currency: 'ZMW',
      payer: payer(GOOD, MTN),
      splits: [{ payoutId, amount: '80', recipient: payer('260973456789', 'AIRTEL_OAPI_ZMB') }],
    },
    randomUUID().toUpperCase(),
  )
  const rows = await rowsAbout(splitId, payoutId)
  assert.deepEqual(
    // In this order: the money comes in before it goes out.
    rows.map(({ type, net, relatedTransactionId }) => [type, net, relatedTransactionId]),
    [
      ['SPLIT_DEPOSIT', '100.00', splitId],
      ['SPLIT_PAYOUT', '-80.00', splitId],
    ],
  )
})

it('money that a person puts into a wallet, or takes out, is an adjustment', async () => {
  const wallet = { country: 'KEN', currency: 'KES' }
  await service.put('/sandbox/wallets', { ...wallet, balance: '1000500.75' })
  await service.put('/sandbox/wallets', { ...wallet, balance: '20' })
  const { rows } = await statementOf(service, { wallet })
  assert.deepEqual(
    rows.map(({ type, direction, net, balanceAfter }) => [type, direction, net, balanceAfter]),
    [
      ['ADJUSTMENT', 'CREDIT', '1000000.00', '1000000.00'],
      ['ADJUSTMENT', 'CREDIT', '500.75', '1000500.75'],
      ['ADJUSTMENT', 'DEBIT', '-1000480.75', '20.00'],
    ],
  )
  for (const row of rows) {
    assert.match(row.transactionId, /^[0-9a-f-]{36}$/)
    assert.equal(row.completedAt, row.createdAt)
    const { country, provider, phoneNumber, status, metadata } = row
    assert.deepEqual(
      [country, provider, phoneNumber, status, metadata],
      ['KEN', '', '', 'COMPLETED', ''],
    )
  }
})

it('what a person corrected is an adjustment of that payment', async () => {
  const number = '260763456222'
  await service.put(`/sandbox/phones/${number}`, {
    script: [{ afterSeconds: 0, answer: 'contradict', failureCode: 'UNSPECIFIED_FAILURE' }],
  })
  const id = await paid('deposit', 'FAILED', {
    amount: '40',
    currency: 'ZMW',
    payer: payer(number, MTN),
  })
  const { key } = await eventually(async () => {
    const [found] = await service.database.query<{ key: string }>(
      `select payment_key as key from cases where payment_id = $1 and cause = 'CONTRADICTION'`,
      [id],
    )
    assert.ok(found !== undefined)
    return found
  })
  const verdict = { resolution: 'CORRECTED', by: 'desk', note: 'seen', now: Date.now() } as const
  assert.equal((await resolveCase(service.database, key, verdict)).result, 'DONE')
  const rows = await rowsAbout(id)
  for (const { createdAt, completedAt } of rows) assert.equal(completedAt, createdAt)
  assert.deepEqual(
    rows.map(({ type, direction, net, status, phoneNumber }) => ({
      type,
      direction,
      net,
      status,
      phoneNumber,
    })),
    [
      {
        type: 'ADJUSTMENT',
        direction: 'CREDIT',
        net: '40.00',
        status: 'FAILED',
        phoneNumber: number,
      },
    ],
  )
})

it('a wallet of one provider has statements of its own', async () => {
  const wallet = { country: 'UGA', currency: 'UGX', provider: 'MTN_MOMO_UGA' }
  await service.put('/sandbox/wallets', { ...wallet, balance: '5000' })
  const id = await paid('deposit', 'COMPLETED', {
    amount: '1000',
    currency: 'UGX',
    payer: payer('256783456789', 'MTN_MOMO_UGA'),
  })
  const { record, rows } = await statementOf(service, { wallet })
  assert.deepEqual(record.wallet, wallet)
  assert.deepEqual(
    rows.map(({ transactionId, walletProvider, net }) => [transactionId, walletProvider, net]),
    [
      [rows[0]?.transactionId, 'MTN_MOMO_UGA', '5000.00'],
      [id, 'MTN_MOMO_UGA', '1000.00'],
    ],
  )
  const { rows: shared } = await statementOf(service, {
    wallet: { country: 'UGA', currency: 'UGX' },
  })
  assert.ok(shared.every((row) => row.transactionId !== id && row.walletProvider === ''))
})

it('periods side by side hold each movement once, and each begins where the one before ended', async () => {
  const { rows, record } = await statementOf(service)
  const middle = rows[Math.floor(rows.length / 2)]?.createdAt.replace('Z', '') ?? ''
  const { startDate, endDate } = record
  const first = await statementOf(service, { startDate, endDate: middle })
  const second = await statementOf(service, { startDate: middle, endDate })
  assert.equal(first.record.closingBalance, second.record.openingBalance)
  assert.deepEqual([...first.rows, ...second.rows], rows)
  assert.ok(first.rows.length > 0 && second.rows.length > 0)
  assert.equal(second.record.closingBalance, await walletBalance(service))
  assert.deepEqual(
    rows.map((row) => row.createdAt),
    rows.map((row) => row.createdAt).toSorted(),
  )
})

it('a balance of long ago is the sum of the days before, and the day in part', async () => {
  await service.advance(40 * 24 * 60 * 60)
  const balance = await walletBalance(service)
  const id = await paid('deposit', 'COMPLETED', {
    amount: '7',
    currency: 'ZMW',
    payer: payer(GOOD, MTN),
  })
  const now = Date.parse((await service.get('/sandbox/clock')).body.now)
  const at = (ms: number): string => new Date(now + ms).toISOString().slice(0, 19)
  const { record, rows } = await statementOf(service, {
    startDate: at(-5 * 86_400_000),
    endDate: at(86_400_000),
  })
  assert.equal(record.openingBalance, balance)
  assert.deepEqual(
    rows.map(({ transactionId }) => transactionId),
    [id],
  )
})

/** The example of the reference, which is a request that works. */
async function remittance(): Promise<object> {
  const { body } = await service.get('/openapi.json')
  const { exampleOf } = await import('../../../../src/web/reference/schema-example.ts')
  const { schema } = body.paths['/v2/remittances'].post.requestBody.content['application/json']
  const { remittanceId: _, ...rest } = exampleOf(body, schema) as Record<string, unknown>
  return rest
}
