import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../../harness/dashboard.ts'
import { checkout } from '../../../harness/hosted.ts'
import { IS_PROOF } from '../../../harness/scale.ts'
import { eventually, startService } from '../../../harness/service.ts'
import { split, splitReaches } from '../../../harness/splits.ts'
import type { MerchantId } from '../../../src/domain/ids.ts'
import type { Db } from '../../../src/store/engine/database.ts'
import { findCheckoutsBy } from '../../../src/store/payments/found-wholes.ts'
import { countHours } from '../../../src/store/payments/hours.ts'
import { readTypedDay } from '../../../src/web/dashboard/typed-day.ts'

const service = await startService()
after(() => service.stop())
const { database } = service
const owner = await signedIn(service, 'owner')
const MERCHANT = 1 as MerchantId

const paid = await service.deposit({
  amount: '1100',
  clientReferenceId: 'INV-1',
  metadata: [{ order: 'ORD-1' }],
})
const { providerTransactionId } = await service.reaches(paid.id, 'COMPLETED')
const payoutId = randomUUID()
const { body: accepted } = await service.post('/v2/payouts', {
  payoutId,
  amount: '1000',
  currency: 'ZMW',
  recipient: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
  clientReferenceId: 'PAY-1',
  metadata: [{ order: 'ORD-1' }],
})
assert.equal(accepted.status, 'ACCEPTED')
const parted = await split(service, { clientReferenceId: 'SPL-1' })
await splitReaches(service, parted.id, 'COMPLETED')
const sold = await checkout(service, {
  clientReferenceId: 'CHK-1',
  metadata: [{ shop: 'Mbarara' }],
})
const linkId = randomUUID()
const LINK = { kind: 'PAGE', amount: '15', place: 'ZMB-ZMW', reason: 'Ticket', reference: 'LNK-1' }
assert.equal((await owner.post('/dashboard/links', { ...LINK, id: linkId })).status, 303)

const day = String((await service.get(`/v2/deposits/${paid.id}`)).body.data.created).slice(0, 10)

const PLACES = '(?:deposits|payouts|refunds|remittances|split-payments|checkouts|links)'

/** Where the answer leads to, without those of the menu and lists. */
async function foundBy(visitor: Visitor, q: string): Promise<readonly string[]> {
  const { location, text } = await visitor.get(`/dashboard/search?${new URLSearchParams({ q })}`)
  const paths = (location ?? text).matchAll(new RegExp(`/dashboard/(${PLACES}/[0-9a-f-]{36})`, 'g'))
  return [...new Set([...paths].map(([, path = '']) => path))].toSorted()
}

const deposit = `deposits/${paid.id}`
const payout = `payouts/${payoutId}`
const link = `links/${linkId}`
const sale = `checkouts/${sold.id}`
const parts = [`deposits/${parted.id}`, `split-payments/${parted.id}`]

const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  // Fields look at every kind.
  'ref:PAY-1': [payout],
  'ref:pay-1': [payout],
  'meta.order:ORD-1': [deposit, payout],
  'meta.order:ORD-1 amount>1000': [deposit],
  'meta.order:ORD-1 amount>=1000': [deposit, payout],
  'meta.order:ORD-1 amount<1,100.00': [payout],
  'meta.order:ORD-1 amount<=1,100.00': [deposit, payout],
  'meta.order:ORD-1 to:"31 déc. 1999"': [],
  // What is more than a payment is found by its reference, too.
  'ref:CHK-1': [sale],
  'meta.shop:Mbarara': [sale],
  'meta.shop:mbarara': [],
  'CHK-1': [sale],
  'chk-1': [sale],
  Mbarara: [sale],
  'LNK-1': [link],
  'ref:lnk-1': [link],
  'SPL-1': parts,
  'ref:SPL-1': parts,
  // As pages print amounts in both languages.
  '1,100.00': [deposit],
  '1,100': [deposit],
  '1 100': [deposit],
  '1\u202f100,00\u00a0ZMW': [deposit],
  '1.100,00': [deposit],
  'ZMW 1100': [deposit],
  'KES 1100': [],
  // As a customer describes a payment.
  [`1100 ${day}`]: [deposit],
  [`${day} 1 100,00 ZMW`]: [deposit],
  [`${day} 1100 KES`]: [],
  '1100 30/11/1999': [],
  // As people type what is written in capitals, and identifiers without dashes.
  'inv-1': [deposit],
  [String(providerTransactionId).toLowerCase()]: [deposit],
  [paid.id.replaceAll('-', '')]: [deposit],
  [sold.id.replaceAll('-', '')]: [sale],
  // The first group of an identifier.
  [paid.id.slice(0, 8)]: [deposit],
  [payoutId.slice(0, 8).toUpperCase()]: [payout],
  [paid.id.slice(0, 7)]: [],
}

/** What decides where the search looks; how a question is read does not depend on the hour. */
const COUNTED = [
  'ref:PAY-1',
  'meta.order:ORD-1',
  'meta.order:ORD-1 amount>1000',
  'meta.order:ORD-1 to:"31 déc. 1999"',
  'ref:CHK-1',
  'meta.shop:Mbarara',
  'CHK-1',
  'LNK-1',
  'SPL-1',
  '1,100',
  'KES 1100',
  `1100 ${day}`,
  'inv-1',
  String(providerTransactionId).toLowerCase(),
  paid.id.slice(0, 8),
]

async function assertFound(questions = Object.keys(QUESTIONS)): Promise<void> {
  for (const q of questions) {
    const expected = QUESTIONS[q] ?? assert.fail(q)
    assert.deepEqual(await foundBy(owner, q), expected, q)
  }
}

describe('the search', () => {
  it('finds everything while its hour is open, and once it is counted', async () => {
    await assertFound()
    await service.advance(7200)
    await eventually(async () => {
      const now = Date.parse((await service.get('/sandbox/clock')).body.now)
      const end = Math.floor(now / 3_600_000) * 3_600_000
      await database.inTransaction((tx) => countHours(tx, MERCHANT, () => end))
      const [row] = await database.query<{ open: number }>(
        `select cardinality(open_hours)::int as open from counted_hours
         where merchant_id = 1 and until = to_timestamp($1::float8 / 1000)`,
        [end],
      )
      assert.equal(row?.open, 0)
    })
    await assertFound(IS_PROOF ? undefined : COUNTED)
  })

  it('shows the latest of each kind, and leads to the lists', async () => {
    const { text } = await owner.get('/dashboard/search?q=currency:ZMW')
    assert.match(text, /href="\/dashboard\/deposits\?currency=ZMW"/)
    assert.match(text, /href="\/dashboard\/payouts\?currency=ZMW"/)
    const bad = await owner.get('/dashboard/search?q=status:SOLD')
    assert.match(bad.text, /“SOLD” cannot be the value/)
  })

  it('reads numbers, short references and days as people write them', async () => {
    const byNumber = await foundBy(owner, '260763456789')
    assert.ok(byNumber.length > 1)
    for (const q of ['+260 (0)763 456 789', 'tel:+260763456789', '260 763–456–789']) {
      assert.deepEqual(await foundBy(owner, q), byNumber, q)
    }
    const { text } = await owner.get(`/dashboard/${deposit}`)
    const [reference = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(text) ?? []
    assert.deepEqual(await foundBy(owner, reference.replace('-', '–')), [deposit])
    const days = {
      '28 Nov': '2025-11-28',
      '3 mars': '2026-03-03',
      '28/11/26': '2026-11-28',
      'November 28, 2026': '2026-11-28',
      'Mar 3': '2026-03-03',
      today: '2026-03-03',
      'aujourd’hui': '2026-03-03',
      hier: '2026-03-02',
      constructor: undefined,
    }
    for (const [typed, read] of Object.entries(days)) {
      assert.equal(readTypedDay(typed, '2026-03-03'), read, typed)
    }
    const kind = await owner.get('/dashboard/search?q=kind:x')
    assert.match(kind.text, /“x” cannot be the value/)
  })

  it('leads to the lists of a day, however it is written', async () => {
    for (const q of ['2026-11-27', '27 Nov 2026', '27 nov. 2026, 14:05:33', '27/11/2026']) {
      const { text } = await owner.get(`/dashboard/search?${new URLSearchParams({ q })}`)
      assert.match(text, /deposits\?from=2026-11-27&amp;to=2026-11-27/, q)
    }
    for (const q of ['1er août 2026', '1 Aug 2026']) {
      const { text } = await owner.get(`/dashboard/search?${new URLSearchParams({ q })}`)
      assert.match(text, /checkouts\?from=2026-08-01&amp;to=2026-08-01/, q)
    }
    const none = await owner.get(`/dashboard/search?${new URLSearchParams({ q: '30/02/2026' })}`)
    assert.match(none.text, /Nothing was found/)
  })

  it('shows links to those who make them, and nothing of other countries', async () => {
    const developer = await signedIn(service, 'developer')
    assert.deepEqual(await foundBy(developer, 'LNK-1'), [])
    const limited = await signedIn(service, 'finance', { countries: ['UGA'] })
    for (const q of ['LNK-1', 'CHK-1', 'SPL-1', 'ref:CHK-1', 'ref:PAY-1', 'Mbarara']) {
      assert.deepEqual(await foundBy(limited, q), [], q)
    }
  })
})

it('finds checkouts without reading those that it does not show', async () => {
  await database.query(
    `insert into checkouts (merchant_id, id, id_as_sent, key, code_hash, created_at, terms,
       expires_after, expires_at, state, ended_at)
     select 2, id, id::text, (lpad(to_hex(n * 1000), 12, '0') || '70008000000000000000')::uuid,
       decode(md5(n::text), 'hex'), to_timestamp(n), jsonb_build_object('clientReferenceId', 'R-' || n),
       '1 hour', to_timestamp(n + 3600), 'EXPIRED', to_timestamp(n + 3600)
     from (select n, gen_random_uuid() as id from generate_series(1, 5000) n) one`,
  )
  const end = 3_600_000 * 3
  const merchantId = 2 as MerchantId
  while (await database.inLongTransaction((tx) => countHours(tx, merchantId, () => end))) {}
  await database.query('analyze checkouts, payment_terms')
  const read = await database.inTransaction(async (tx) => {
    const before = await readSoFar(tx)
    const question = { merchantId, within: [], references: ['R-7'] }
    assert.equal((await findCheckoutsBy(tx, question, 50)).length, 1)
    return (await readSoFar(tx)) - before
  })
  assert.ok(read <= 10, `${read} checkouts read`)
  await database.query('delete from checkouts where merchant_id = 2')
  await database.query('delete from payment_terms where merchant_id = 2')
})

/** By this connection; the server adds up for longer than one transaction. */
async function readSoFar(tx: Db): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = 'checkouts'`,
  )
  return row?.read ?? 0
}
