import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import {
  type Checkout,
  type CheckoutTerms,
  EXPIRES_AFTER_MINUTES,
} from '../../domain/hosted/checkout.ts'
import { isRefusal, type OfferTerms } from '../../domain/hosted/offer.ts'
import type { PaymentKey } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { Db } from '../../store/engine/database.ts'
import { findCheckout, insertCheckout } from '../../store/hosted/checkouts.ts'
import type { Context } from '../context.ts'
import { idOf } from '../payments/new-payment.ts'
import type { LinkContext } from './context.ts'
import { offersIn } from './create-page-session.ts'
import type { HostedLink } from './links.ts'

type CheckoutCommand = {
  readonly idAsSent: string
  readonly expiresAfterMinutes?: number
  readonly terms: CheckoutTerms
  /** Where the link has to be known beforehand. */
  readonly key?: PaymentKey
}

type CheckoutInitiation =
  | {
      readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED'
      readonly createdAt: number
      readonly expiresAt: number
      readonly link: HostedLink
    }
  | { readonly status: 'REJECTED'; readonly failure: Failure }

const MINUTE = 60_000

/** Stores a checkout and answers the link for the customer; a repeat answers the same link. */
export async function initiateCheckout(
  ctx: LinkContext,
  merchant: Merchant,
  command: CheckoutCommand,
  db: Db = ctx.db,
): Promise<CheckoutInitiation> {
  const { idAsSent, terms, key = ctx.newKey() } = command
  const { expiresAfterMinutes = EXPIRES_AFTER_MINUTES.usual } = command
  const id = idOf({ idAsSent })
  const failure = refusalOf(ctx, merchant, terms)
  if (failure !== undefined) {
    const earlier = await findCheckout(db, merchant.id, id)
    return earlier === undefined ? { status: 'REJECTED', failure } : repeatOf(ctx, earlier)
  }
  const createdAt = ctx.clock.now()
  const expiresAt = createdAt + expiresAfterMinutes * MINUTE
  const link = ctx.hostedLinks.ofCheckout({ key })
  const codeHash = ctx.hostedLinks.hashOf(link.code)
  const stored = {
    merchantId: merchant.id,
    id,
    idAsSent,
    key,
    createdAt,
    expiresAt,
    terms,
    codeHash,
  }
  if (await insertCheckout(db, stored)) {
    return { status: 'ACCEPTED', createdAt, expiresAt, link }
  }
  const earlier = await findCheckout(db, merchant.id, id)
  if (earlier === undefined) throw new Error(`The checkout ${key} was removed while it was stored`)
  return repeatOf(ctx, earlier)
}

function repeatOf(ctx: LinkContext, checkout: Checkout): CheckoutInitiation {
  const { createdAt, expiresAt } = checkout
  const link = ctx.hostedLinks.ofCheckout(checkout)
  return { status: 'DUPLICATE_IGNORED', createdAt, expiresAt, link }
}

/** A suggested wallet limits nothing: it only has to be one that the account could be paid from. */
function refusalOf(ctx: Context, merchant: Merchant, terms: CheckoutTerms): Failure | undefined {
  const offers = offersIn(ctx, merchant, fixedTerms(terms))
  if (isRefusal(offers)) return offers
  const suggested = offersIn(ctx, merchant, walletOf(terms))
  return isRefusal(suggested) ? suggested : undefined
}

/** What the customer cannot change. */
export const fixedTerms = (terms: CheckoutTerms): OfferTerms => ({
  ...placeOf(terms),
  ...(terms.payer?.allowCustomerToOverride === false ? walletOf(terms) : {}),
})

const placeOf = ({ countries, amounts }: CheckoutTerms): OfferTerms => ({
  ...present({ countries, amounts }),
})

const walletOf = ({ payer }: CheckoutTerms): OfferTerms => ({
  ...present({ phoneNumber: payer?.phoneNumber, provider: payer?.provider }),
})
