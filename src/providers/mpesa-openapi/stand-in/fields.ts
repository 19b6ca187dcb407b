import { MARKETS } from '../profile.ts'

/** What a field looks like, and the code of the platform where it does not. */
type Field = { readonly fits: RegExp; readonly code: string; readonly isOptional?: true }

export type Fields = Readonly<Record<string, Field>>

const COMMON = {
  input_Country: { fits: /^[A-Z]{3}$/, code: 'INS-21' },
  input_ServiceProviderCode: { fits: /^[0-9A-Za-z]{4,12}$/, code: 'INS-13' },
  input_ThirdPartyConversationID: { fits: /^[0-9A-Za-z]{1,40}$/, code: 'INS-28' },
} satisfies Fields

const MONEY = {
  input_Amount: { fits: /^\d*\.?\d+$/, code: 'INS-15' },
  input_Currency: { fits: /^[A-Z]{3}$/, code: 'INS-26' },
  input_CustomerMSISDN: { fits: /^[0-9]{11,14}$/, code: 'INS-2051' },
  input_TransactionReference: { fits: /^[0-9A-Za-z]{1,20}$/, code: 'INS-17' },
} satisfies Fields

const DESCRIPTION: Field = { fits: /^[0-9A-Za-z ]{1,256}$/, code: 'INS-30' }

export const COLLECT: Fields = { ...COMMON, ...MONEY, input_PurchasedItemsDesc: DESCRIPTION }

export const PAY: Fields = { ...COMMON, ...MONEY, input_PaymentItemsDesc: DESCRIPTION }

export const REVERSE: Fields = {
  ...COMMON,
  input_TransactionID: { fits: /^[0-9A-Za-z]{1,25}$/, code: 'INS-18' },
  input_ReversalAmount: { fits: /^\d*\.?\d+$/, code: 'INS-15', isOptional: true },
}

export const QUERY: Fields = {
  ...COMMON,
  input_QueryReference: { fits: /^[0-9A-Za-z]{1,32}$/, code: 'INS-21' },
}

export type Given = Readonly<Record<string, unknown>>

/** The code of what is wrong with a request; undefined where nothing is. */
export function faultIn(given: Given, fields: Fields, marketName: string): string | undefined {
  const market = MARKETS[marketName]
  if (Object.keys(given).some((name) => fields[name] === undefined)) return 'INS-21'
  for (const [name, { fits, code, isOptional }] of Object.entries(fields)) {
    const value = given[name]
    if (value === undefined && isOptional) continue
    if (value === undefined) return 'INS-20'
    if (typeof value !== 'string') return 'INS-21'
    if (!fits.test(value)) return code
  }
  if (given.input_Country !== market?.writtenAs) return 'INS-998'
  if ('input_Currency' in given && given.input_Currency !== market?.currency) return 'INS-26'
  // Numbers of Lesotho are shorter than the documents have it.
  const isShort = String(given.input_CustomerMSISDN ?? '').length === 11
  return isShort && market?.country !== 'LSO' ? 'INS-2051' : undefined
}
