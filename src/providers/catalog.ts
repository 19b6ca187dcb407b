import { readFileSync } from 'node:fs'
import { type Amount, parseAmount } from '../domain/amount.ts'
import { instructionsFor, type Localised } from '../domain/hosted/instructions.ts'
import { present } from '../domain/present.ts'
import type {
  AuthorisationType,
  ListedProvider,
  OperationLimits,
  OperationType,
  TestNumber,
} from '../domain/provider.ts'

/** The providers of `catalog/providers.json`, read once at start. */
export type Catalog = {
  readonly all: readonly ListedProvider[]
  find(code: string): ListedProvider | undefined
}

export function readCatalog(file: string): Catalog {
  const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly CatalogEntry[]
  const all = entries.map(toProvider)
  const byCode = new Map(all.map((provider) => [provider.code, provider]))
  return { all, find: (code) => byCode.get(code) }
}

type CatalogEntry = {
  readonly country: string
  readonly countryName: Localised
  readonly prefix: string
  readonly provider: string
  readonly displayName: string
  readonly walletName: string
  readonly currencies: readonly {
    readonly currency: string
    readonly symbol: string
    readonly operations: Readonly<Partial<Record<OperationType, CatalogOperation>>>
  }[]
  readonly phone: { readonly nationalNumberLengths: readonly number[] }
  readonly testNumbers: Readonly<Partial<Record<OperationType, readonly CatalogNumber[]>>>
}

type CatalogOperation = {
  readonly min: string
  readonly max: string
  readonly decimals: number
  readonly authType?: AuthorisationType
  readonly pinPrompt?: 'AUTOMATIC' | 'MANUAL'
  readonly pinPromptRevivable?: boolean
  readonly hasPinPromptInstructions?: boolean
  readonly ussdShortCode?: string
  readonly ussdQuickLink?: string
}

type CatalogNumber = {
  readonly phoneNumber: string
  readonly v2Status: TestNumber['status']
  readonly v2FailureCode: string | null
}

function toProvider(entry: CatalogEntry): ListedProvider {
  return {
    code: entry.provider,
    country: entry.country,
    countryName: entry.countryName,
    callingCode: entry.prefix,
    displayName: entry.displayName,
    walletName: entry.walletName,
    currencies: entry.currencies.map(({ currency, symbol, operations }) => ({
      currency,
      symbol,
      operations: withRemittances(mapValues(operations, (one) => toLimits(one, entry.walletName))),
    })),
    nationalNumberLengths: entry.phone.nationalNumberLengths,
    testNumbers: mapValues(entry.testNumbers, (numbers) => numbers.map(toTestNumber)),
  }
}

/** A remittance is paid out like a payout, so where nothing else is known its limits hold. */
function withRemittances<Limits>(
  operations: Partial<Record<OperationType, Limits>>,
): Partial<Record<OperationType, Limits>> {
  const { PAYOUT, REMITTANCE = PAYOUT } = operations
  return REMITTANCE === undefined ? operations : { ...operations, REMITTANCE }
}

function toLimits(operation: CatalogOperation, walletName: string): OperationLimits {
  const { min, max, decimals, authType, pinPrompt, pinPromptRevivable } = operation
  const instructions = instructionsOf(operation, walletName)
  return {
    min,
    max,
    minAmount: amountOf(min),
    maxAmount: amountOf(max),
    decimals,
    ...present({ authType, pinPrompt, pinPromptRevivable, instructions }),
  }
}

/** A short code alone does not mean that dialling it leads to the payment. */
function instructionsOf(operation: CatalogOperation, walletName: string) {
  const { authType, pinPrompt, hasPinPromptInstructions, ussdShortCode, ussdQuickLink } = operation
  const purpose = authType === 'PREAUTH' ? authType : pinPrompt
  const leads = authType === 'PREAUTH' || hasPinPromptInstructions === true
  if (purpose === undefined || ussdShortCode === undefined || !leads) return undefined
  return instructionsFor(purpose, {
    provider: walletName,
    shortCode: ussdShortCode,
    ...present({ quickLink: ussdQuickLink }),
  })
}

function amountOf(text: string): Amount {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error(`The catalogue has the limit ${text}`)
  return amount
}

const toTestNumber = (number: CatalogNumber): TestNumber => ({
  phoneNumber: number.phoneNumber,
  status: number.v2Status,
  ...present({ failureCode: number.v2FailureCode }),
})

function mapValues<In, Out>(
  record: Readonly<Partial<Record<OperationType, In>>>,
  convert: (value: In) => Out,
): Partial<Record<OperationType, Out>> {
  const result: Partial<Record<OperationType, Out>> = {}
  for (const [key, value] of Object.entries(record)) result[key as OperationType] = convert(value)
  return result
}
