import { type CheckoutState, checkoutVersion } from '../../domain/hosted/checkout.ts'
import { pageVersion } from '../../domain/hosted/page-session.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { plain } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'

/** What customers look at while they wait. */
export type Watched = {
  readonly kind: 'deposit' | 'checkout'
  readonly merchantId: MerchantId
  readonly id: PaymentId
}

/** The present version of each, in their order; nothing for a checkout that is gone. */
export async function findVersions(
  db: Db,
  watched: readonly Watched[],
): Promise<readonly (string | undefined)[]> {
  type Row = {
    readonly at: number
    readonly checkout_state: CheckoutState | null
    readonly attempts: number | null
    readonly state: PaymentState | null
    readonly authorization_url: string | null
  }
  const rows = await db.query<Row>(
    `select w.at::int as at, c.state as checkout_state, c.attempts, p.state,
            p.authorization_url
     from unnest($1::int[], $2::text[], $3::uuid[]) with ordinality as w (merchant_id, kind, id, at)
     left join checkouts c
       on w.kind = 'checkout' and c.merchant_id = w.merchant_id and c.id = w.id
     left join payments p
       on p.merchant_id = w.merchant_id and p.kind = 'deposit'
         and p.id = case when w.kind = 'deposit' then w.id else c.latest_attempt end`,
    [
      plain(watched, ({ merchantId }) => merchantId),
      plain(watched, ({ kind }) => kind),
      plain(watched, ({ id }) => id),
    ],
    'find-versions',
  )
  const versions: (string | undefined)[] = []
  for (const { at, checkout_state, attempts, state, authorization_url: url } of rows) {
    const latest = state === null ? undefined : { state, ...present({ authorizationUrl: url }) }
    if (watched[at - 1]?.kind === 'deposit') versions[at - 1] = pageVersion(latest)
    else if (checkout_state !== null) {
      versions[at - 1] = checkoutVersion(checkout_state, attempts ?? 0, latest)
    }
  }
  return versions
}
