import { hasAtMostDecimals, parseAmount } from '../../domain/amount.ts'
import { EXPIRES_AFTER_MINUTES } from '../../domain/hosted/checkout.ts'
import type { Localised } from '../../domain/hosted/instructions.ts'
import { SESSION_MS } from '../../domain/hosted/page-session.ts'
import {
  formProblems,
  type LinkForm,
  type LinkProblem,
  refusedField,
} from '../../domain/hosted/payment-link.ts'
import { returnUrlProblem } from '../../domain/hosted/return-url.ts'
import { type PaymentId, type PaymentKey, parsePaymentId } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { Db } from '../../store/engine/database.ts'
import { askExpiry } from '../../store/hosted/checkouts.ts'
import {
  findLink,
  insertLink,
  listLinks,
  type PaymentLink,
} from '../../store/hosted/payment-links.ts'
import { addAuditEntryOnce } from '../../store/people/audit.ts'
import { readConfiguration } from '../accounts/read-configuration.ts'
import { entryOf, recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { HostedContext } from './context.ts'
import { createPageSession } from './create-page-session.ts'
import { expireCheckout } from './expire-checkout.ts'
import { initiateCheckout } from './initiate-checkout.ts'

/** Links that people make by hand and send to a customer. */
export type { PaymentLink }

type LinkPeopleContext = HostedContext & PeopleContext

/** Where a link can ask for money: countries of the person, each with its currencies. */
export type LinkPlace = {
  /** Such as ZMB-ZMW. */
  readonly value: string
  readonly country: string
  readonly currency: string
  readonly name: Localised
  /** The most that a provider takes. */
  readonly decimals: number
}

export function linkPlaces(ctx: HostedContext, person: Person): readonly LinkPlace[] {
  const enabled = readConfiguration(ctx, person.merchant, { operationType: 'DEPOSIT' })
  const { countries } = person
  return enabled
    .filter(({ country }) => countries.length === 0 || countries.includes(country))
    .flatMap(({ country, name, providers }) => {
      const offered = providers.flatMap(({ provider }) => provider.currencies)
      const decimals = new Map<string, number>()
      for (const { currency, operations } of offered) {
        if (operations.DEPOSIT === undefined) continue
        const most = Math.max(decimals.get(currency) ?? 0, operations.DEPOSIT.decimals)
        decimals.set(currency, most)
      }
      return [...decimals].map(([currency, most]) => ({
        value: `${country}-${currency}`,
        country,
        currency,
        name,
        decimals: most,
      }))
    })
}

/** Makes the page or checkout, its link and the entry in the audit log, or none of them. */
export async function createPaymentLink(
  ctx: LinkPeopleContext,
  person: Person,
  id: PaymentId,
  form: LinkForm,
): Promise<readonly LinkProblem[]> {
  const places = linkPlaces(ctx, person)
  const values = places.map(({ value }) => value)
  const problems = [
    ...formProblems(form, values, person.countries.length > 0),
    ...decimalProblems(form, places),
    ...returnProblems(ctx, person, form),
  ]
  if (problems.length > 0) return problems
  try {
    await ctx.db.inTransaction((tx) => store(ctx, tx, person, id, form))
    return []
  } catch (error) {
    if (error instanceof Refused) return [error.problem]
    throw error
  }
}

function decimalProblems({ amount, place }: LinkForm, places: readonly LinkPlace[]): LinkProblem[] {
  const found = places.find(({ value }) => value === place)
  const asked = parseAmount(amount)
  if (found === undefined || asked === undefined) return []
  const { currency, decimals } = found
  if (hasAtMostDecimals(asked, decimals)) return []
  const rule = decimals === 0 ? 'AMOUNT_WHOLE' : 'AMOUNT_DECIMALS'
  return [{ field: 'amount', rule, values: { currency, decimals } }]
}

function returnProblems(
  { environment }: LinkPeopleContext,
  { merchant }: Person,
  { returnUrl }: LinkForm,
): LinkProblem[] {
  if (returnUrl === '') return []
  const why = returnUrlProblem(returnUrl, environment, merchant.returnSchemes)
  return why === undefined ? [] : [{ field: 'returnUrl', rule: 'RETURN_URL' }]
}

/** Ends the transaction, so that nothing is kept. */
class Refused extends Error {
  readonly problem: LinkProblem

  constructor(problem: LinkProblem) {
    super(problem.rule)
    this.problem = problem
  }
}

async function store(
  ctx: LinkPeopleContext,
  tx: Db,
  person: Person,
  id: PaymentId,
  form: LinkForm,
): Promise<void> {
  const { kind, amount } = form
  const [country, currency] = form.place === '' ? [] : form.place.split('-')
  const key = ctx.newKey()
  const createdAt = ctx.clock.now()
  const minutes = Number(form.expiresAfter || EXPIRES_AFTER_MINUTES.usual)
  const shown = present({
    amount: amount || undefined,
    currency,
    country,
    reason: form.reason || undefined,
    reference: form.reference || undefined,
  })
  const isNew = await insertLink(tx, {
    merchantId: person.merchant.id,
    id,
    kind,
    key,
    createdAt,
    expiresAt: createdAt + (kind === 'PAGE' ? SESSION_MS : minutes * 60_000),
    userId: person.user.userId,
    ...shown,
  })
  // The same form once more: its link is there.
  if (!isNew) return
  const made = { id, key, minutes }
  const result =
    kind === 'PAGE'
      ? await makePage(ctx, tx, person, form, made)
      : await makeCheckout(ctx, tx, person, form, made)
  if (result.status === 'REJECTED') {
    const field = refusedField(result.failure.code)
    throw new Refused({ field, rule: field === 'amount' ? 'REFUSED_AMOUNT' : 'REFUSED' })
  }
  if (result.status === 'DUPLICATE_IGNORED') throw new Refused({ field: 'place', rule: 'REFUSED' })
  const after = { kind, ...shown }
  await recordChange(ctx, tx, person, { action: 'payment link created', object: id, after })
}

type Made = { readonly id: PaymentId; readonly key: PaymentKey; readonly minutes: number }

/** Without an address of the merchant, the customer stays with the receipt. */
function makePage(
  ctx: LinkPeopleContext,
  tx: Db,
  { merchant }: Person,
  form: LinkForm,
  { id, key }: Made,
) {
  const [country, currency = ''] = form.place === '' ? [] : form.place.split('-')
  const { amount } = form
  const terms = {
    returnUrl: form.returnUrl || ctx.hostedLinks.ofPage({ key }).redirectUrl,
    source: 'LINK' as const,
    ...present({
      country,
      amountDetails: amount === '' ? undefined : { amount, currency },
      ...ownWords(form),
      reason: form.reason || undefined,
    }),
  }
  return createPageSession(ctx, merchant, { generation: 'v2', idAsSent: id, terms, key }, tx)
}

function makeCheckout(
  ctx: LinkPeopleContext,
  tx: Db,
  { merchant }: Person,
  form: LinkForm,
  { id, key, minutes }: Made,
) {
  const [country = '', currency = ''] = form.place.split('-')
  const { amount, reason } = form
  const terms = {
    returnUrl: form.returnUrl || ctx.hostedLinks.ofCheckout({ key }).redirectUrl,
    returnMethod: 'CUSTOMER_ACTION' as const,
    source: 'LINK' as const,
    ...present({
      countries: form.place === '' ? undefined : [country],
      amounts: amount === '' ? undefined : [{ country, currency, amount }],
      ...ownWords(form),
      reason: reason === '' ? undefined : { en: reason, fr: reason },
    }),
  }
  const command = { idAsSent: id, expiresAfterMinutes: minutes, terms, key }
  return initiateCheckout(ctx, merchant, command, tx)
}

const ownWords = ({ reference, metadataName: name, metadataValue: value }: LinkForm) => ({
  clientReferenceId: reference || undefined,
  metadata: name === '' ? undefined : [{ name, value, pii: false }],
})

export type LinkState = 'OPEN' | 'PAYING' | 'PAID' | 'FAILED' | 'EXPIRED' | 'CANCELLED'

/** What a link is good for now. */
export function linkState({ clock }: HostedContext, link: PaymentLink): LinkState {
  const { checkoutState, depositState, expiresAt } = link
  const isOver = clock.now() >= expiresAt
  switch (checkoutState) {
    case null:
      if (depositState === null) return isOver ? 'EXPIRED' : 'OPEN'
      if (depositState === 'COMPLETED') return 'PAID'
      return depositState === 'FAILED' ? 'FAILED' : 'PAYING'
    case 'WAITING_PAYMENT':
      return isOver ? 'EXPIRED' : 'OPEN'
    case 'PROCESSING':
      return 'PAYING'
    case 'COMPLETED':
      return 'PAID'
    default:
      return checkoutState
  }
}

/** The address that the customer opens. */
export const linkAddress = ({ hostedLinks }: HostedContext, { kind, key }: PaymentLink): string =>
  (kind === 'PAGE' ? hostedLinks.ofPage({ key }) : hostedLinks.ofCheckout({ key })).redirectUrl

export const listPaymentLinks = (
  ctx: HostedContext,
  { merchant, countries }: Person,
  after: PaymentKey | undefined,
  limit: number,
): Promise<readonly PaymentLink[]> => listLinks(ctx.db, merchant.id, countries, after, limit)

export async function findPaymentLink(
  ctx: HostedContext,
  { merchant, countries }: Person,
  text: string,
): Promise<PaymentLink | undefined> {
  const id = parsePaymentId(text)
  return id && findLink(ctx.db, merchant.id, countries, id)
}

/** No new attempt from now on, also if asked again; false where there is nothing to expire. */
export async function expirePaymentLink(
  ctx: LinkPeopleContext,
  person: Person,
  link: PaymentLink,
): Promise<boolean> {
  const state = linkState(ctx, link)
  if (link.kind !== 'CHECKOUT') return false
  if (state === 'EXPIRED') return true
  if (state !== 'OPEN' && state !== 'PAYING') return false
  const { merchant } = person
  const change = { action: 'payment link expired', object: link.id, before: { state } }
  await ctx.db.inTransaction(async (tx) => {
    if (!(await askExpiry(tx, merchant.id, link.id, ctx.clock.now()))) return
    await addAuditEntryOnce(tx, entryOf(ctx, person, change))
  })
  // Asked a second time it changes nothing, and says so to the customer who waits.
  await expireCheckout(ctx, merchant, link.id)
  return true
}
