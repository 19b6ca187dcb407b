import { type Amount, formatBalance } from '../amount.ts'
import { type CsvStyle, csvLine, csvStart, FOR_MACHINES } from '../csv.ts'
import type { MetadataEntry } from '../payments/payment.ts'
import type { PaymentKind, PaymentState } from '../payments/payment-state.ts'
import { maskedNumber } from '../phone-number.ts'
import { ifGiven } from '../present.ts'
import type { Statement } from './statement.ts'

/** One movement of a wallet, with what is known of the payment that caused it. */
export type Movement = {
  /** Our own name of it; the only one where no payment is behind it. */
  readonly key: string
  /** The state that the payment entered, or what else moved the money. */
  readonly cause: string
  readonly at: number
  readonly amount: Amount
  readonly isCredit: boolean
  readonly payment?: MovedPayment
}

export type MovedPayment = {
  readonly kind: PaymentKind
  readonly idAsSent: string
  readonly state: PaymentState
  readonly completedAt?: number
  /** The checkout of which it is an attempt, as sent. */
  readonly checkoutId?: string
  /** The split payment that it is part of, as sent. */
  readonly splitId?: string
  /** The deposit that a refund gives back, as sent. */
  readonly refundOf?: string
  readonly clientReferenceId?: string
  readonly phoneNumber: string
  readonly provider: string
  readonly country: string
  readonly providerTransactionId?: string
  readonly customerMessage?: string
  readonly failureCode?: string
  readonly metadata?: readonly MetadataEntry[]
}

/** The order is part of the contract: programs read columns by their place. */
export const STATEMENT_COLUMNS = [
  'createdAt',
  'completedAt',
  'walletCountry',
  'walletCurrency',
  'walletProvider',
  'type',
  'direction',
  'transactionId',
  'relatedTransactionId',
  'checkoutId',
  'clientReferenceId',
  'phoneNumber',
  'provider',
  'country',
  'amount',
  'currency',
  'fee',
  'net',
  'balanceAfter',
  'status',
  'providerTransactionId',
  'customerMessage',
  'failureCode',
  'metadata',
] as const
type Column = (typeof STATEMENT_COLUMNS)[number]
/** The cells of a line, by column; what is absent is empty. */
export type FileCells = Readonly<Partial<Record<Column, string | undefined>>>

export const MOVEMENT_TYPES = [
  'DEPOSIT',
  'PAYOUT',
  'REFUND',
  'REMITTANCE',
  'SPLIT_DEPOSIT',
  'SPLIT_PAYOUT',
  'FEE',
  'TOP_UP',
  'WITHDRAWAL',
  'ADJUSTMENT',
  'REVERSAL',
] as const
export type MovementType = (typeof MOVEMENT_TYPES)[number]

const OF_KIND: Readonly<Record<PaymentKind, MovementType>> = {
  deposit: 'DEPOSIT',
  payout: 'PAYOUT',
  refund: 'REFUND',
  remittance: 'REMITTANCE',
}
const OF_SPLIT: Readonly<Partial<Record<PaymentKind, MovementType>>> = {
  deposit: 'SPLIT_DEPOSIT',
  payout: 'SPLIT_PAYOUT',
}

/** What the type of a movement depends on. */
type TypedMovement = {
  readonly cause: string
  readonly payment?: Pick<MovedPayment, 'kind' | 'splitId'>
}

/**
 * Money leaves the wallet when a payment is accepted, not when it is paid out; if it fails, the
 * money comes back by a movement of its own. What a person corrected is an adjustment.
 */
export function movementType({ cause, payment }: TypedMovement): MovementType {
  if (payment === undefined || cause.startsWith('CORRECTION')) return 'ADJUSTMENT'
  if (cause === 'FAILED') return 'REVERSAL'
  const ofSplit = payment.splitId === undefined ? undefined : OF_SPLIT[payment.kind]
  return ofSplit ?? OF_KIND[payment.kind]
}

export const netOf = ({ amount, isCredit }: Movement): Amount =>
  (isCredit ? amount : -amount) as Amount

export const statementHeader = (csv: CsvStyle = FOR_MACHINES): string =>
  csvStart(csv) + csvLine(STATEMENT_COLUMNS, csv)

/** What decides how a line is written. */
export type LineStyle = Pick<Statement, 'wallet' | 'showsPii'> & {
  /** Clients of the API see the numbers that they sent; people need the right to. */
  readonly masksPhones?: boolean
  readonly csv?: CsvStyle
}

/** One line of the file. */
export function movementLine(movement: Movement, style: LineStyle, balanceAfter: Amount): string {
  return fileLine(cellsOf(movement, style, balanceAfter), style.csv ?? FOR_MACHINES)
}

/** Statements and lists have the same columns in the same order. */
export const fileLine = (cells: FileCells, csv: CsvStyle): string =>
  csvLine(
    STATEMENT_COLUMNS.map((column) => cells[column] ?? ''),
    csv,
    NUMBERS,
  )

const NUMBERS: ReadonlySet<number> = new Set(
  (['amount', 'fee', 'net', 'balanceAfter'] as const).map((name) =>
    STATEMENT_COLUMNS.indexOf(name),
  ),
)

function cellsOf(
  movement: Movement,
  { wallet, showsPii, masksPhones = false }: LineStyle,
  balanceAfter: Amount,
): FileCells {
  const { at, amount, isCredit, payment } = movement
  // An adjustment is complete when it is made, long after the payment that it may be about.
  const type = movementType(movement)
  const completedAt = type === 'ADJUSTMENT' ? at : payment?.completedAt
  return {
    createdAt: instant(at),
    completedAt: completedAt === undefined ? undefined : instant(completedAt),
    walletCountry: wallet.country,
    walletCurrency: wallet.currency,
    walletProvider: wallet.provider,
    type,
    direction: isCredit ? 'CREDIT' : 'DEBIT',
    transactionId: payment?.idAsSent ?? movement.key,
    relatedTransactionId: payment?.refundOf ?? payment?.splitId,
    checkoutId: payment?.checkoutId,
    clientReferenceId: payment?.clientReferenceId,
    phoneNumber: masksPhones ? ifGiven(payment?.phoneNumber, maskedNumber) : payment?.phoneNumber,
    provider: payment?.provider,
    country: payment?.country ?? wallet.country,
    amount: formatBalance(amount),
    currency: wallet.currency,
    fee: NO_FEE,
    net: formatBalance(netOf(movement)),
    balanceAfter: formatBalance(balanceAfter),
    status: payment?.state ?? 'COMPLETED',
    providerTransactionId: payment?.providerTransactionId,
    customerMessage: payment?.customerMessage,
    failureCode: payment?.failureCode,
    metadata: metadataText(payment?.metadata, showsPii),
  }
}

/** A fee is a movement of its own, never hidden in another one. */
const NO_FEE = '0.00'

export const instant = (ms: number): string => new Date(ms).toISOString()

/** One JSON object; what was marked as personal is there by name only, unless it may be shown. */
export function metadataText(
  entries: readonly MetadataEntry[] | undefined,
  showsPii: boolean,
): string | undefined {
  if (entries === undefined || entries.length === 0) return undefined
  return JSON.stringify(
    Object.fromEntries(
      entries.map(({ name, value, pii }) => [name, pii && !showsPii ? '***' : value]),
    ),
  )
}
