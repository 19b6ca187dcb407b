import type { EnabledCountry } from '../../domain/accounts/configuration.ts'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import { isRefusal, type OfferTerms, offersFor } from '../../domain/hosted/offer.ts'
import { type PageSession, type PageTerms, SESSION_MS } from '../../domain/hosted/page-session.ts'
import type { PaymentKey } from '../../domain/ids.ts'
import type { Generation } from '../../domain/payments/payment.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { Db } from '../../store/engine/database.ts'
import { insertPageSession } from '../../store/hosted/page-sessions.ts'
import { findPayment } from '../../store/payments/payments.ts'
import { readConfiguration } from '../accounts/read-configuration.ts'
import type { Context } from '../context.ts'
import { idOf } from '../payments/new-payment.ts'
import type { LinkContext } from './context.ts'

type PageCommand = {
  readonly generation: Generation
  /** Of the deposit that the customer may start. */
  readonly idAsSent: string
  readonly terms: PageTerms
  /** Where the link has to be known beforehand. */
  readonly key?: PaymentKey
}

type PageCreation =
  | { readonly status: 'CREATED'; readonly redirectUrl: string }
  | { readonly status: 'DUPLICATE_IGNORED' }
  | { readonly status: 'REJECTED'; readonly failure: Failure }

/** Makes a link for one customer. The deposit comes into being when the customer presses Pay. */
export async function createPageSession(
  ctx: LinkContext,
  merchant: Merchant,
  { generation, idAsSent, terms, key = ctx.newKey() }: PageCommand,
  db: Db = ctx.db,
): Promise<PageCreation> {
  const depositId = idOf({ idAsSent })
  const earlier = await findPayment(db, merchant.id, 'deposit', depositId)
  if (earlier !== undefined) return { status: 'DUPLICATE_IGNORED' }
  const offers = offersIn(ctx, merchant, pageOffers(terms))
  if (isRefusal(offers)) return { status: 'REJECTED', failure: offers }
  const createdAt = ctx.clock.now()
  const session: PageSession = {
    merchantId: merchant.id,
    key,
    depositId,
    depositIdAsSent: idAsSent,
    generation,
    createdAt,
    expiresAt: createdAt + SESSION_MS,
    terms,
  }
  const { code, redirectUrl } = ctx.hostedLinks.ofPage(session)
  await insertPageSession(db, session, ctx.hostedLinks.hashOf(code))
  return { status: 'CREATED', redirectUrl }
}

/** What the account can take deposits with, as far as the terms allow. */
export function offersIn(ctx: Context, merchant: Merchant, terms: OfferTerms) {
  return offersFor(enabledFor(ctx, merchant), terms, ctx.providers.withTestNumbers)
}

/** Every view of a page asks for it. A merchant that was changed is another object. */
const enabledByMerchant = new WeakMap<Merchant, readonly EnabledCountry[]>()

function enabledFor(ctx: Context, merchant: Merchant): readonly EnabledCountry[] {
  const known = enabledByMerchant.get(merchant)
  if (known !== undefined) return known
  const enabled = readConfiguration(ctx, merchant, { operationType: 'DEPOSIT' })
  enabledByMerchant.set(merchant, enabled)
  return enabled
}

export function pageOffers({ country, amountDetails, phoneNumber }: PageTerms): OfferTerms {
  return {
    ...present({
      countries: ifGiven(country, (one) => [one]),
      amounts: ifGiven(amountDetails, (one) => [one]),
      phoneNumber,
    }),
  }
}

/** The currency of an amount that comes without one: the first that the country has. */
export function firstCurrency(
  ctx: LinkContext,
  merchant: Merchant,
  country: string,
): string | undefined {
  const [enabled] = readConfiguration(ctx, merchant, { country, operationType: 'DEPOSIT' })
  const currencies = enabled?.providers.flatMap(({ provider }) => provider.currencies)
  return currencies?.find(({ operations }) => operations.DEPOSIT !== undefined)?.currency
}
