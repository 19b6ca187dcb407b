import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { countHours } from '../../src/store/payments/hours.ts'

const service = await startService()
after(() => service.stop())
const { database } = service
const owner = await signedIn(service, 'owner')

const first = await service.deposit({
  clientReferenceId: 'INV-1',
  metadata: [{ orderId: 'ORD-1' }, { shop: 'Lusaka' }],
})
const second = await service.deposit({
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
  ['INV', []],
  ['lusaka', []],
]

async function assertFound(): Promise<void> {
  for (const [q, ids] of QUESTIONS) {
    const answer = await owner.get(`/dashboard/search?${new URLSearchParams({ q })}`)
    const text = answer.location ?? answer.text
    const found = [...text.matchAll(/\/dashboard\/deposits\/([0-9a-f-]{36})/g)].map(([, id]) => id)
    assert.deepEqual([...new Set(found)], ids, q)
  }
  const { text } = await owner.get('/dashboard/deposits?meta.shop=Lusaka&status=FAILED')
  assert.ok(text.includes(second.id) && !text.includes(first.id))
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
