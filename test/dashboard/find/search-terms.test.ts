import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { eventually, payer, startService } from '../../../harness/service.ts'
import type { MerchantId } from '../../../src/domain/ids.ts'
import { countHours } from '../../../src/store/payments/hours.ts'

const service = await startService()
after(() => service.stop())
const { database } = service
const owner = await signedIn(service, 'owner')

const first = await service.deposit({
  clientReferenceId: 'INV-1',
  metadata: [{ orderId: 'ORD-1' }, { shop: 'Lusaka' }],
})
const second = await service.deposit({
  amount: '1234.5',
  payer: payer('260763456039', 'MTN_MOMO_ZMB'),
  metadata: [{ shop: 'Lusaka' }],
})
await service.reaches(first.id, 'COMPLETED')
await service.reaches(second.id, 'FAILED')

const { data } = (await service.get(`/v2/deposits/${first.id}`)).body
const QUESTIONS: readonly (readonly [q: string, ids: readonly string[]])[] = [
  ['INV-1', [first.id]],
  ['ORD-1', [first.id]],
  ['Lusaka', [second.id, first.id]],
  ['0763 456 039', [second.id]],
  [data.providerTransactionId, [first.id]],
  ['15', [first.id]],
  ['1234,50 ZMW', [second.id]],
  ['1234.5 KES', []],
  ['INV', []],
  ['lusaka', []],
]

/** What lists are narrowed down by. */
const FILTERS: readonly (readonly [query: string, ids: readonly string[]])[] = [
  ['all', [second.id, first.id]],
  ['meta.shop=Lusaka&status=FAILED', [second.id]],
  ['status=COMPLETED', [first.id]],
  ['status=COMPLETED&status=FAILED', [second.id, first.id]],
  ['status=PROCESSING', []],
  ['provider=MTN_MOMO_ZMB', [second.id, first.id]],
  ['provider=AIRTEL_OAPI_ZMB', []],
  ['country=ZMB', [second.id, first.id]],
  ['currency=ZMW&min=20', [second.id]],
  ['currency=KES', []],
  ['source=API', [second.id, first.id]],
  ['source=CHECKOUT', []],
  ['failureCode=PAYMENT_NOT_APPROVED', [second.id]],
  ['failureCode=INSUFFICIENT_BALANCE', []],
  ['max=20', [first.id]],
  ['min=15&max=15', [first.id]],
  ['min=1200', [second.id]],
  ['min=16&max=1233', []],
]

async function assertFound(): Promise<void> {
  for (const [q, ids] of QUESTIONS) {
    const answer = await owner.get(`/dashboard/search?${new URLSearchParams({ q })}`)
    const text = answer.location ?? answer.text
    const found = [...text.matchAll(/\/dashboard\/deposits\/([0-9a-f-]{36})/g)].map(([, id]) => id)
    assert.deepEqual([...new Set(found)], ids, q)
  }
  for (const [query, ids] of FILTERS) {
    const { text } = await owner.get(`/dashboard/deposits?${query}`)
    const found = [...text.matchAll(/<a href="\/dashboard\/deposits\/([0-9a-f-]{36})"/g)]
    assert.deepEqual(
      found.map(([, id]) => id),
      ids,
      query,
    )
    const counted = ids.length === 1 ? '1 payment.' : `${ids.length} payments.`
    assert.ok(ids.length === 0 || text.includes(`Newest first. ${counted}`), query)
  }
}

it('payments are found while their hour is open, and once it is counted', async () => {
  await assertFound()
  await service.advance(7200)
  // The background counter may do the same at the same moment.
  await eventually(async () => {
    const now = Date.parse((await service.get('/sandbox/clock')).body.now)
    await database.inTransaction((tx) => countHours(tx, 1 as MerchantId, () => hourBefore(now)))
    const [row] = await database.query<{ terms: number }>(
      'select count(distinct key)::int as terms from payment_terms where merchant_id = 1',
    )
    assert.equal(row?.terms, 2)
  })
  await assertFound()
  const third = await service.deposit({ metadata: [{ shop: 'Lusaka' }] })
  const { text } = await owner.get('/dashboard/search?q=Lusaka')
  for (const { id } of [first, second, third]) assert.ok(text.includes(id))
})

const hourBefore = (ms: number): number => Math.floor(ms / 3_600_000) * 3_600_000

it('a reset forgets them', async () => {
  assert.equal((await service.post('/sandbox/reset')).status, 204)
  assert.deepEqual(await database.query('select from payment_terms where merchant_id = 1'), [])
})
