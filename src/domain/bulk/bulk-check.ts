import { type Merchant, walletOf } from '../accounts/merchant.ts'
import { AMOUNT_PATTERN, type Amount, formatBalance, parseAmount } from '../amount.ts'
import { ANY_UUID_PATTERN, UUID_V4_PATTERN } from '../ids.ts'
import { admit, type Reachable } from '../payments/admission.ts'
import type { AccountName } from '../payments/ledger.ts'
import { isReceiptText, METADATA, RECEIPT_TEXT, REFERENCE_MAX } from '../payments/request-limits.ts'
import { PHONE_PATTERN } from '../phone-number.ts'
import { present } from '../present.ts'
import type { Provider } from '../provider.ts'
import type { BulkColumn } from './bulk-file.ts'
import type { BulkTotal, DraftRow, RowFields } from './bulk-payout.ts'

/** What is wrong with a row, by the rules of the API; the words for it are chosen where it is shown. */
export type RowProblem = {
  readonly field: BulkColumn | 'metadata'
  readonly rule: ProblemRule
  readonly values: Readonly<Record<string, string | number>>
}

type ProblemRule =
  | 'MISSING'
  | 'AMOUNT_FORM'
  | 'AMOUNT_WHOLE'
  | 'AMOUNT_DECIMALS'
  | 'AMOUNT_BOUNDS'
  | 'CURRENCY_FORM'
  | 'CURRENCY_OTHER'
  | 'PHONE_FORM'
  | 'PHONE_COUNTRY'
  | 'PHONE_OTHER'
  | 'PROVIDER_UNCLEAR'
  | 'PROVIDER_UNKNOWN'
  | 'PROVIDER_NOT_ALLOWED'
  | 'PROVIDER_CLOSED'
  | 'COUNTRY_OTHER'
  | 'ID_FORM'
  | 'ID_TWICE'
  | 'ID_USED'
  | 'MESSAGE_FORM'
  | 'REFERENCE_LONG'
  | 'METADATA_MANY'
  | 'METADATA_FORM'

export type RowCheck = {
  readonly problems: readonly RowProblem[]
  /** An earlier row with the same number and amount: allowed, and worth a look. */
  readonly twin?: number
  /** Where the money comes from, where the row is right. */
  readonly wallet?: AccountName
}

type CheckRules = {
  readonly providers: Reachable
  readonly merchant: Merchant
  /** Those of the person; none: all. */
  readonly countries: readonly string[]
  /** Identifiers of payouts that exist, in lower case. */
  readonly usedIds: ReadonlySet<string>
}

/** One answer for each row, in their order. */
export function checkRows(rows: readonly DraftRow[], rules: CheckRules): readonly RowCheck[] {
  const ids = new Map<string, number>()
  const twins = new Map<string, number>()
  return rows.map((row) => {
    const { number, payoutId, fields } = row
    const id = payoutId.toLowerCase()
    const problems = [...checkFields(fields, rules), ...checkId(id, ids.get(id), rules)]
    if (!ids.has(id)) ids.set(id, number)
    const same = `${fields.phoneNumber} ${fields.currency} ${parseAmount(fields.amount)}`
    const twin = twins.get(same)
    if (twin === undefined) twins.set(same, number)
    const country = rules.providers.find(fields.provider)?.country
    return {
      problems,
      ...present({ twin }),
      ...(problems.length > 0 || country === undefined
        ? {}
        : { wallet: walletOf(rules.merchant, { ...fields, country }) }),
    }
  })
}

function checkId(id: string, earlier: number | undefined, rules: CheckRules): RowProblem[] {
  const pattern = rules.merchant.anyUuid ? ANY_UUID_PATTERN : UUID_V4_PATTERN
  if (!new RegExp(pattern).test(id)) return [problem('payoutId', 'ID_FORM')]
  if (earlier !== undefined) return [problem('payoutId', 'ID_TWICE', { row: earlier })]
  return rules.usedIds.has(id) ? [problem('payoutId', 'ID_USED')] : []
}

const problem = (
  field: RowProblem['field'],
  rule: ProblemRule,
  values: RowProblem['values'] = {},
): RowProblem => ({ field, rule, values })

function checkFields(fields: RowFields, rules: CheckRules): RowProblem[] {
  const form = [...checkForms(fields), ...checkTexts(fields)]
  const isReadable = form.every(({ field }) => !JUDGED.includes(field))
  return isReadable ? [...form, ...checkOrder(fields, rules)] : form
}

/** What the rules of providers look at. */
const JUDGED: readonly RowProblem['field'][] = ['amount', 'currency', 'phoneNumber', 'provider']

const AMOUNT = new RegExp(AMOUNT_PATTERN)
const PHONE = new RegExp(PHONE_PATTERN)

function checkForms({ amount, currency, phoneNumber, provider }: RowFields): RowProblem[] {
  const found: RowProblem[] = []
  if (amount === '') found.push(problem('amount', 'MISSING'))
  else if (!AMOUNT.test(amount)) found.push(problem('amount', 'AMOUNT_FORM'))
  if (currency === '') found.push(problem('currency', 'MISSING'))
  else if (!/^[A-Z]{3}$/.test(currency)) found.push(problem('currency', 'CURRENCY_FORM'))
  if (phoneNumber === '') found.push(problem('phoneNumber', 'MISSING'))
  else if (!PHONE.test(phoneNumber)) found.push(problem('phoneNumber', 'PHONE_FORM'))
  else if (provider === '') found.push(unclearProvider(phoneNumber))
  return found
}

/** No country code begins with a zero: such a number is as it is dialled inside its country. */
const unclearProvider = (phoneNumber: string): RowProblem =>
  phoneNumber.startsWith('0')
    ? problem('phoneNumber', 'PHONE_COUNTRY')
    : problem('provider', 'PROVIDER_UNCLEAR')

function checkTexts(fields: RowFields): RowProblem[] {
  const { customerMessage, clientReferenceId, metadata = [] } = fields
  const found: RowProblem[] = []
  if (customerMessage !== undefined && !isReceiptText(customerMessage)) {
    const { min, max } = RECEIPT_TEXT
    found.push(problem('customerMessage', 'MESSAGE_FORM', { min, max }))
  }
  if (clientReferenceId !== undefined && [...clientReferenceId].length > REFERENCE_MAX) {
    found.push(problem('clientReferenceId', 'REFERENCE_LONG', { max: REFERENCE_MAX }))
  }
  const { entriesMax, nameMax, valueMax } = METADATA
  if (metadata.length > entriesMax) {
    found.push(problem('metadata', 'METADATA_MANY', { max: entriesMax }))
  }
  const long = metadata.find(
    ({ name, value }) => [...name].length > nameMax || [...value].length > valueMax,
  )
  if (long !== undefined) {
    const name = [...long.name].slice(0, nameMax).join('')
    found.push(problem('metadata', 'METADATA_FORM', { name, nameMax, valueMax }))
  }
  return found
}

/** Asks the rule that the API asks, and says what it would take instead. */
function checkOrder(fields: RowFields, rules: CheckRules): RowProblem[] {
  const { providers, merchant, countries } = rules
  const provider = providers.find(fields.provider)
  if (provider !== undefined && countries.length > 0 && !countries.includes(provider.country)) {
    return [problem('provider', 'COUNTRY_OTHER', { country: provider.country })]
  }
  const { refusal } = admit({ ...fields, operation: 'PAYOUT' }, providers, merchant)
  if (refusal === undefined) return []
  const values = factsOf(fields, provider)
  const { provider: code, currency } = fields
  switch (refusal.code) {
    case 'INVALID_CURRENCY':
      return [problem('currency', 'CURRENCY_OTHER', values)]
    case 'INVALID_PHONE_NUMBER':
      return [problem('phoneNumber', 'PHONE_OTHER', values)]
    case 'INVALID_AMOUNT':
      return [problem('amount', values.decimals === 0 ? 'AMOUNT_WHOLE' : 'AMOUNT_DECIMALS', values)]
    case 'AMOUNT_OUT_OF_BOUNDS':
      return [problem('amount', 'AMOUNT_BOUNDS', values)]
    case 'PAYOUTS_NOT_ALLOWED':
      return [problem('provider', 'PROVIDER_NOT_ALLOWED', { provider: code })]
    case 'PROVIDER_TEMPORARILY_UNAVAILABLE':
      return [problem('provider', 'PROVIDER_CLOSED', { provider: code })]
    default:
      return [problem('provider', 'PROVIDER_UNKNOWN', { provider: code, currency })]
  }
}

function factsOf({ currency }: RowFields, provider: Provider | undefined) {
  const limits = provider?.currencies.find((one) => one.currency === currency)?.operations.PAYOUT
  return {
    provider: provider?.code ?? '',
    currencies: provider?.currencies.map((one) => one.currency).join(', ') ?? '',
    callingCode: provider?.callingCode ?? '',
    lengths: provider?.nationalNumberLengths.join(' / ') ?? '',
    min: limits?.min ?? '',
    max: limits?.max ?? '',
    decimals: limits?.decimals ?? 0,
    currency,
  }
}

/** How much the rows come to, by currency; what is no amount counts as nothing. */
export function totalsOf(rows: readonly Pick<DraftRow, 'fields'>[]): readonly BulkTotal[] {
  const sums = new Map<string, bigint>()
  for (const { fields } of rows) {
    const amount = parseAmount(fields.amount)
    if (amount === undefined || !/^[A-Z]{3}$/.test(fields.currency)) continue
    sums.set(fields.currency, (sums.get(fields.currency) ?? 0n) + amount)
  }
  return [...sums.entries()]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: formatBalance(sum as Amount) }))
}

/** How much the rows that are right take from each wallet. */
export function needsOf(
  rows: readonly DraftRow[],
  checks: readonly RowCheck[],
): ReadonlyMap<AccountName, Amount> {
  const needs = new Map<AccountName, Amount>()
  for (const [at, { fields }] of rows.entries()) {
    const wallet = checks[at]?.wallet
    if (wallet === undefined) continue
    needs.set(wallet, ((needs.get(wallet) ?? 0n) + (parseAmount(fields.amount) ?? 0n)) as Amount)
  }
  return needs
}
