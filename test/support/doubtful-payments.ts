import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Receiver } from '../../harness/receiver.ts'
import { eventually, payer, type Service } from '../../harness/service.ts'

/** Payments whose operator is slow, silent, or of two minds; for money that comes and that goes. */
type DoubtfulKind = 'deposit' | 'payout'
export const DOUBTFUL_KINDS: readonly DoubtfulKind[] = ['deposit', 'payout']

export type Step = {
  readonly afterSeconds: number
  readonly answer: string
  readonly failureCode?: string
}

type DoubtfulPayments = {
  /** Starts a payment whose operator behaves as written; the order is there, and its answer stored. */
  start(kind: DoubtfulKind, script: readonly Step[], node?: Service): Promise<DoubtfulPayment>
}

export type DoubtfulPayment = {
  readonly id: string
  readonly kind: DoubtfulKind
  status(node?: Service): Promise<string>
  reaches(status: string, node?: Service): Promise<Record<string, unknown>>
  /** Every callback that arrived, whatever its number. */
  callbacks(): readonly unknown[]
  timeLine(): Promise<readonly string[]>
  cases(): Promise<readonly Case[]>
  /** How often the operator was asked to move the money. */
  asked(): Promise<readonly number[]>
}

type Case = {
  readonly cause: string
  readonly reported: string | null
  readonly resolution: string | null
  readonly by: string | null
}

const AMOUNT = '15'
let numbers = 0

export function doubtfulPayments(service: Service, receiver: Receiver): DoubtfulPayments {
  return {
    start: async (kind, script, node = service) => {
      numbers += 1
      const number = `26076345${String(numbers).padStart(4, '0')}`
      const put = await node.put(`/sandbox/phones/${number}`, { script })
      assert.equal(put.status, 204)
      const id = randomUUID()
      const account = payer(number, 'MTN_MOMO_ZMB')
      const body = {
        [`${kind}Id`]: id,
        amount: AMOUNT,
        currency: 'ZMW',
        ...(kind === 'deposit' ? { payer: account } : { recipient: account }),
      }
      const answer = await node.post(`/v2/${kind}s`, body)
      assert.equal(answer.body.status, 'ACCEPTED')
      const payment = paymentOf(service, receiver, kind, id)
      await eventually(async () => {
        assert.deepEqual(await payment.asked(), [1])
        assert.notEqual(await payment.status(node), 'ACCEPTED')
      })
      return payment
    },
  }
}

function paymentOf(
  service: Service,
  receiver: Receiver,
  kind: DoubtfulKind,
  id: string,
): DoubtfulPayment {
  const query = <Row>(text: string): Promise<readonly Row[]> =>
    service.database.query<Row>(text, [kind, id])
  const recordAt = async (node: Service): Promise<Record<string, unknown>> =>
    (await node.get(`/v2/${kind}s/${id}`)).body.data
  return {
    id,
    kind,
    status: async (node = service) => String((await recordAt(node)).status),
    reaches: (status, node = service) =>
      eventually(async () => {
        const record = await recordAt(node)
        assert.equal(record.status, status)
        return record
      }),
    callbacks: () =>
      receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter((body) => body[`${kind}Id`] === id),
    timeLine: async () => {
      const rows = await query<{ state: string }>(
        `select e.state from payment_timeline e join payments p on p.key = e.payment_key
         where p.kind = $1 and p.id = $2 order by e.at`,
      )
      return rows.map(({ state }) => state)
    },
    cases: () =>
      query<Case>(
        `select cause, reported, resolution, resolved_by as by from cases
         where kind = $1 and payment_id = $2 order by opened_at, cause desc`,
      ),
    asked: async () => {
      const rows = await query<{ asked: number }>(
        `select o.asked from sandbox_orders o
         join payments p on p.merchant_id = o.merchant_id and p.provider_reference = o.reference
         where p.kind = $1 and p.id = $2`,
      )
      return rows.map(({ asked }) => asked)
    },
  }
}

/** What the merchant's wallet holds and what is held from it. */
export async function moneyOf(service: Service): Promise<{ wallet: number; reserve: number }> {
  const [row] = await service.database.query<{ wallet: string; reserve: string }>(
    `select sum(balance) filter (where type = 'wallet') as wallet,
            sum(balance) filter (where type = 'reserve') as reserve
     from accounts where merchant_id = 1 and country = 'ZMB'`,
  )
  return { wallet: Number(row?.wallet), reserve: Number(row?.reserve) }
}

/** What a payment of that kind adds to the wallet when it ends like this. */
export function gainOf(kind: DoubtfulKind, status: string): number {
  if (status !== 'COMPLETED') return 0
  return kind === 'deposit' ? Number(AMOUNT) : -Number(AMOUNT)
}
