import { PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import { sqlList } from '../engine/sql-list.ts'

/** Entries of the audit log about payments and money belong to the countries of these. */
export type AuditSeer = {
  readonly countries: readonly string[]
  readonly userId: number
  readonly email: string
}

/** All other actions are about people and settings, which have no country. */
export const ACTIONS_OF_COUNTRIES: readonly string[] = [
  'bulk payout approved',
  'bulk payout discarded',
  'bulk payout rejected',
  'bulk payout results downloaded',
  'bulk payout rows changed',
  'bulk payout submitted',
  'bulk payout uploaded',
  'bulk payout withdrawn',
  'callback replay started',
  'callback replay stopped',
  'callback resend requested',
  'callback resent',
  'cancellation requested',
  'checkout expiry requested',
  'export downloaded',
  'export made',
  'list exported',
  'payment link created',
  'payment link expired',
  'personal data revealed',
  'personal data shown',
  'refund requested',
  'statement downloaded',
]

type Parameters = {
  readonly countries: string
  readonly userId: string
  readonly email: string
  readonly actions: string
}

/**
 * Whether somebody who is limited to countries sees an entry `e`: what they did themselves, what has no
 * country, and what lies within theirs. What cannot be decided is not shown.
 */
export const isSeenEntry = ({ countries, userId, email, actions }: Parameters): string => `
  (${countries}::text[] is null or e.actor = ${email} or case
    when e.action like 'bulk payout %' then
      coalesce(${within(countries)}, false) or exists (
        select from bulk_payouts b where b.merchant_id = e.merchant_id and b.id = ${ID}
          and (b.created_by = ${userId} or not ${FACTS} ? 'countries'
            and b.countries <> '{}' and b.countries <@ ${countries}))
    when e.action like 'payment link %' then exists (
      select from payment_links l where l.merchant_id = e.merchant_id and l.id = ${ID}
        and l.country = any(${countries}))
    when e.action = 'checkout expiry requested' or e.object like '%checkout %' then exists (
      select from checkouts k where k.merchant_id = e.merchant_id and k.id = ${ID}
        and ${MAY_BE} <> '[]' and ${MAY_BE} <@ to_jsonb(${countries}::text[]))
    when e.action <> all(${actions}::text[]) and not ${FACTS} ?| '{amount,currency,totals}' then true
    when ${FACTS} ? 'wallet' then split_part(${FACTS}->>'wallet', '-', 1) = any(${countries})
    when ${FACTS} ? 'country' then ${FACTS}->>'country' = any(${countries})
    when jsonb_typeof(${FACTS}->'countries') = 'array' then ${within(countries)}
    else coalesce((
      select bool_and(p.country = any(${countries})) from payments p
      where p.merchant_id = e.merchant_id and p.id = ${ID}
        and p.kind in (${sqlList(PAYMENT_KINDS)})), false)
    end)`

/** A bulk payout changes, so its entries say of which countries they are; older ones do not yet. */
const within = (countries: string): string =>
  `(${FACTS}->'countries' <> '[]' and ${FACTS}->'countries' <@ to_jsonb(${countries}::text[]))`

const FACTS = `(coalesce(e.before, '{}') || coalesce(e.after, '{}'))`

/** The identifier that the object ends with. */
const ID = `substring(lower(e.object) from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid`

const MAY_BE = `coalesce(k.terms->'countries', jsonb_path_query_array(k.terms, '$.amounts[*].country'))`
