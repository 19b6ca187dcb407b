import { type Amount, formatBalance, parseAmount } from '../amount.ts'
import type { CsvStyle } from '../csv.ts'
import type { MetadataEntry, Payment } from '../payments/payment.ts'
import { maskedNumber } from '../phone-number.ts'
import { type FileCells, fileLine, instant, metadataText, movementType } from './statement-file.ts'

/** What a payment did to the wallet that it is about, all its movements together. */
export type WalletEffect = {
  readonly wallet: {
    readonly country: string
    readonly currency: string
    readonly provider?: string
  }
  /** What of it was a fee. */
  readonly fee: Amount
  /** With its sign. */
  readonly net: Amount
}

export type ListStyle = { readonly csv: CsvStyle; readonly showsPii: boolean }

const NOTHING = '0.00'

/**
 * A payment of a list as a line. Before it has moved money it belongs to no wallet. A list is not the
 * history of one wallet, so there is no balance after it.
 */
export function paymentLine(
  payment: Payment,
  effect: WalletEffect | undefined,
  { csv, showsPii }: ListStyle,
  status: string = payment.state === 'WAITING' ? 'ACCEPTED' : payment.state,
): string {
  const { kind, details, failure, endedAt, phoneNumber, refundOf, splitId } = payment
  const cells: FileCells = {
    createdAt: instant(payment.createdAt),
    completedAt: endedAt === undefined ? undefined : instant(endedAt),
    walletCountry: effect?.wallet.country,
    walletCurrency: effect?.wallet.currency,
    walletProvider: effect?.wallet.provider,
    type: movementType({ cause: '', payment }),
    direction: kind === 'deposit' ? 'CREDIT' : 'DEBIT',
    transactionId: payment.idAsSent,
    relatedTransactionId: details.depositId ?? refundOf ?? splitId,
    checkoutId: payment.checkoutId,
    clientReferenceId: details.clientReferenceId,
    phoneNumber: showsPii ? phoneNumber : maskedNumber(phoneNumber),
    provider: payment.provider,
    country: payment.country,
    amount: sumText(payment.amount),
    currency: payment.currency,
    fee: effect === undefined ? NOTHING : formatBalance(effect.fee),
    net: effect === undefined ? NOTHING : formatBalance(effect.net),
    status,
    providerTransactionId: payment.providerTransactionId,
    customerMessage: details.customerMessage,
    failureCode: failure?.code,
    metadata: metadataText(details.metadata, showsPii),
  }
  return fileLine(cells, csv)
}

/** As in statements, so that both can be added up together. */
function sumText(text: string): string {
  const amount = parseAmount(text)
  return amount === undefined ? text : formatBalance(amount)
}

export type CheckoutRow = {
  readonly idAsSent: string
  readonly createdMs: number
  readonly endedMs: number | null
  readonly state: string
  readonly amounts: readonly { readonly amount: string; readonly currency: string }[] | null
  readonly countries: readonly string[] | null
  readonly clientReferenceId: string | null
  readonly metadata: readonly MetadataEntry[] | null
  /** The deposit that paid it, as sent. */
  readonly paidBy: string | null
}

/** A checkout as a line; the customer chooses among several amounts, so only a single one is shown. */
export function checkoutLine(row: CheckoutRow, { csv, showsPii }: ListStyle): string {
  const [amount, anotherAmount] = row.amounts ?? []
  const [country, anotherCountry] = row.countries ?? []
  const isFixed = amount !== undefined && anotherAmount === undefined
  const cells: FileCells = {
    createdAt: instant(row.createdMs),
    completedAt: row.endedMs === null ? undefined : instant(row.endedMs),
    type: 'CHECKOUT',
    direction: 'CREDIT',
    transactionId: row.idAsSent,
    relatedTransactionId: row.paidBy ?? undefined,
    checkoutId: row.idAsSent,
    clientReferenceId: row.clientReferenceId ?? undefined,
    country: anotherCountry === undefined ? country : undefined,
    amount: isFixed ? sumText(amount.amount) : undefined,
    currency: isFixed ? amount.currency : undefined,
    status: row.state,
    metadata: metadataText(row.metadata ?? undefined, showsPii),
  }
  return fileLine(cells, csv)
}
