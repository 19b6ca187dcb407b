import type { Branding } from '../hosted/branding.ts'
import type { MerchantId } from '../ids.ts'
import { type AccountName, walletName } from '../payments/ledger.ts'
import type { Availability, OperationType } from '../provider.ts'

/** Who is asking, with all that is needed to judge a request; held in memory between requests. */
export type Merchant = {
  readonly id: MerchantId
  readonly slug: string
  readonly name: string
  readonly suspended: boolean
  /** Identifiers may be UUIDs of every version; otherwise of version 4. */
  readonly anyUuid: boolean
  readonly callbackUrls: Readonly<Partial<Record<CallbackKind, string>>>
  /** Initiations without a good signature are refused. */
  readonly signedRequestsOnly: boolean
  /** In seconds: older signatures are refused, and each is accepted once. Absent: no limit. */
  readonly maxSignatureAge: number | undefined
  /** Signatures that do not cover the host are refused. */
  readonly coverAuthority: boolean
  /** The keys that verify the merchant's signatures, as PEM by key id. */
  readonly publicKeys: ReadonlyMap<string, string>
  readonly callbackStates: Readonly<Partial<Record<CallbackKind, CallbackState>>>
  /** Somebody listens to the callbacks (malipo listen): they are owed without an address too. */
  readonly hasListener: boolean
  /** Sandbox: callbacks are taken as answered with 500, and nobody is called. */
  readonly receiverFails: boolean
  readonly signedCallbacks: boolean
  readonly ecdsaEncoding: 'DER' | 'RAW'
  /** The service signs for this merchant under key ids that name it. */
  readonly ownKeyId: boolean
  /** Schemes beside https to which customers may return. */
  readonly returnSchemes: readonly string[]
  /** How it looks to its customers. */
  readonly branding: Branding
  /** Provider codes the merchant may use, each with the operations enabled for it. */
  readonly providers: ReadonlyMap<string, ReadonlySet<OperationType>>
  readonly availability: ReadonlyMap<string, Availability>
  /** Wallets that belong to one provider alone, as account names. */
  readonly providerWallets: ReadonlySet<string>
  readonly customerMessage: string
  /** Sandbox: numbers that somebody took into the hand; read by the simulated operator alone. */
  readonly phoneStories: ReadonlyMap<string, PhoneStory>
}

/** What a merchant can choose about signatures; what is absent stays. */
export type SignatureSettings = {
  readonly signedRequestsOnly?: boolean | undefined
  /** 0 switches it off. */
  readonly maxSignatureAge?: number | undefined
  readonly coverAuthority?: boolean | undefined
  readonly signedCallbacks?: boolean | undefined
  readonly ecdsaEncoding?: 'DER' | 'RAW' | undefined
  readonly ownKeyId?: boolean | undefined
}

/** In seconds: a day. */
export const MAX_SIGNATURE_AGE = 86_400

/** How a number behaves: by itself or by a person, and what its operator says. */
export type PhoneStory = { readonly mode: 'auto' | 'interactive'; readonly story?: unknown }

/** Each kind of callback has an address of its own. */
export const CALLBACK_KINDS = [
  'deposit',
  'payout',
  'refund',
  'remittance',
  'splitPayment',
  'checkout',
] as const
export type CallbackKind = (typeof CALLBACK_KINDS)[number]

/** How often the address was saved, and since when it is paused. */
export type CallbackState = { readonly saves: number; readonly pausedMs: number | null }

/** Where the merchant's money for such a payment lies: the provider's own wallet if there is one. */
export function walletOf(
  merchant: Merchant,
  order: { readonly country: string; readonly currency: string; readonly provider: string },
): AccountName {
  const { country, currency, provider } = order
  // Most merchants have no wallet of one provider alone.
  if (merchant.providerWallets.size === 0) return walletName(country, currency)
  const own = walletName(country, currency, provider)
  return merchant.providerWallets.has(own) ? own : walletName(country, currency)
}

export function availabilityKey(provider: string, operation: OperationType): string {
  return `${provider}/${operation}`
}

export function availabilityOf(
  merchant: Merchant,
  provider: string,
  operation: OperationType,
): Availability {
  return merchant.availability.get(availabilityKey(provider, operation)) ?? 'OPERATIONAL'
}

/** The id under which a key of the service signs for a merchant; the key is the same for all. */
export function keyIdFor({ ownKeyId, slug }: Merchant, keyId: string): string {
  return ownKeyId ? `${keyId}@${slug}` : keyId
}

/** Used when a request carries no message: the company name in the letters a receipt can show. */
export function defaultCustomerMessage(companyName: string): string {
  const letters = companyName
    .normalize('NFD')
    .replace(/[^a-zA-Z0-9 ]/g, '')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 22)
    .trim()
  return letters.length >= 4 ? letters : `${letters} payment`.trim()
}
