/** The rows of a list as a file: the same filter, the same order, streamed. */
import { Readable } from 'node:stream'
import { type CsvStyle, csvLine, csvStart } from '../../../domain/csv.ts'
import type { MetadataEntry, Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { everyPayment, sourceOf } from '../../../usecases/payments/browse-payments.ts'
import { changeAs } from '../../../usecases/people/change.ts'
import type { Visit } from '../visit.ts'
import { readFilter } from './filter.ts'
import { MASKED, PLACE_OF, phoneText } from './parts.tsx'

const COLUMNS: readonly (readonly [
  name: string,
  cell: (payment: Payment, tools: Tools) => string | undefined,
])[] = [
  ['createdAt', ({ createdAt }) => new Date(createdAt).toISOString()],
  ['completedAt', ({ endedAt }) => (endedAt === undefined ? '' : new Date(endedAt).toISOString())],
  ['type', ({ kind, splitId }) => `${splitId === undefined ? '' : 'SPLIT_'}${kind.toUpperCase()}`],
  ['transactionId', ({ idAsSent }) => idAsSent],
  ['relatedTransactionId', ({ refundOf, splitId }) => refundOf ?? splitId],
  ['checkoutId', ({ checkoutId }) => checkoutId],
  ['clientReferenceId', ({ details }) => details.clientReferenceId],
  ['phoneNumber', (payment, { phone }) => phone(payment)],
  ['provider', ({ provider }) => provider],
  ['country', ({ country }) => country],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['status', ({ state }) => (state === 'WAITING' ? 'ACCEPTED' : state)],
  ['source', sourceOf],
  ['providerTransactionId', ({ providerTransactionId }) => providerTransactionId],
  ['customerMessage', ({ details }) => details.customerMessage],
  ['failureCode', ({ failure }) => failure?.code],
  ['metadata', ({ details }, { metadata }) => details.metadata && metadata(details.metadata)],
]

type Tools = {
  phone(payment: Payment): string
  metadata(entries: readonly MetadataEntry[]): string
}

/** Whoever may see personal data gets them whole, and the log says so. */
export async function csvPage(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person, request } = visit
  const { filter, given } = readFilter(visit, [kind])
  const isRevealed = may(person.role, 'pii:reveal')
  const place = PLACE_OF[kind]
  await changeAs(
    ctx,
    person,
    { action: 'list exported', object: place, after: given },
    async () => {},
  )
  const style: CsvStyle = {
    isForSpreadsheets: request.query.mode === 'spreadsheet',
    separator: request.query.separator === ';' ? ';' : ',',
  }
  const tools: Tools = {
    phone: (payment) => (isRevealed ? payment.phoneNumber : phoneText(visit, payment)),
    metadata: (entries) =>
      JSON.stringify(
        Object.fromEntries(
          entries.map(({ name, value, pii }) => [name, pii && !isRevealed ? MASKED : value]),
        ),
      ),
  }
  const lines = async function* (): AsyncGenerator<string> {
    yield csvStart(style) +
      csvLine(
        COLUMNS.map(([name]) => name),
        style,
      )
    for await (const payment of everyPayment(ctx, filter)) {
      yield csvLine(
        COLUMNS.map(([, cell]) => cell(payment, tools) ?? ''),
        style,
      )
    }
  }
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${place}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(lines()),
  }
}
