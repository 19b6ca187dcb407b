import { readFileSync } from 'node:fs'
import { type Amount, parseAmount } from '../domain/amount.ts'
import type {
  AuthorisationType,
  OperationLimits,
  OperationType,
  Provider,
  TestNumber,
} from '../domain/provider.ts'

/** The providers of `catalog/providers.json`, read once at start. */
export type Catalog = {
  readonly all: readonly Provider[]
  find(code: string): Provider | undefined
}

export function readCatalog(file: string): Catalog {
  const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly CatalogEntry[]
  const all = entries.map(toProvider)
  const byCode = new Map(all.map((provider) => [provider.code, provider]))
  return { all, find: (code) => byCode.get(code) }
}

type CatalogEntry = {
  readonly country: string
  readonly prefix: string
  readonly provider: string
  readonly displayName: string
  readonly currencies: readonly {
    readonly currency: string
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
}

type CatalogNumber = {
  readonly phoneNumber: string
  readonly v2Status: TestNumber['status']
  readonly v2FailureCode: string | null
}

function toProvider(entry: CatalogEntry): Provider {
  return {
    code: entry.provider,
    country: entry.country,
    callingCode: entry.prefix,
    displayName: entry.displayName,
    currencies: entry.currencies.map(({ currency, operations }) => ({
      currency,
      operations: withRemittances(mapValues(operations, toLimits)),
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

const toLimits = ({ min, max, decimals, authType }: CatalogOperation): OperationLimits => ({
  min,
  max,
  minAmount: amountOf(min),
  maxAmount: amountOf(max),
  decimals,
  ...(authType === undefined ? {} : { authType }),
})

function amountOf(text: string): Amount {
  const amount = parseAmount(text)
  if (amount === undefined) throw new Error(`The catalogue has the limit ${text}`)
  return amount
}

const toTestNumber = (number: CatalogNumber): TestNumber => ({
  phoneNumber: number.phoneNumber,
  status: number.v2Status,
  ...(number.v2FailureCode === null ? {} : { failureCode: number.v2FailureCode }),
})

function mapValues<In, Out>(
  record: Readonly<Partial<Record<OperationType, In>>>,
  convert: (value: In) => Out,
): Partial<Record<OperationType, Out>> {
  const result: Partial<Record<OperationType, Out>> = {}
  for (const [key, value] of Object.entries(record)) result[key as OperationType] = convert(value)
  return result
}
