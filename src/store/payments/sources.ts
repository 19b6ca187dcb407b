/** Where a payment came from; what is none of the others came by the API. */
export const SOURCES = [
  'API',
  'PAYMENT_PAGE',
  'CHECKOUT',
  'SPLIT',
  'BULK',
  'LINK',
  'DASHBOARD',
] as const
export type Source = (typeof SOURCES)[number]

const NAMED_SOURCE = `p.details->>'source'`

/** Whether a payment `p` came from there. */
export const FROM_SOURCE: Readonly<Record<Source, string>> = {
  API: `p.checkout_id is null and p.split_id is null and p.details->'pageKey' is null
    and ${NAMED_SOURCE} is null`,
  PAYMENT_PAGE: `p.checkout_id is null and p.details->'pageKey' is not null
    and ${NAMED_SOURCE} is null`,
  CHECKOUT: `p.checkout_id is not null and ${NAMED_SOURCE} is null`,
  SPLIT: 'p.split_id is not null',
  BULK: `${NAMED_SOURCE} = 'BULK'`,
  LINK: `${NAMED_SOURCE} = 'LINK'`,
  DASHBOARD: `${NAMED_SOURCE} = 'DASHBOARD'`,
}

/** The source of a payment `p`. */
export const SOURCE_OF = `case ${SOURCES.map((source) => `when ${FROM_SOURCE[source]} then '${source}'`).join(' ')} else '' end`
