/** The columns of lists of payments. */
import type { Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { sourceOf } from '../../../usecases/payments/browse-payments.ts'
import { fill } from '../../words.ts'
import { amountColumn, type Column, statusColumn, usualColumns } from '../lists/columns.tsx'
import { Table } from '../lists/table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { maskedName } from './masking.ts'
import { countryName, metadataText, pathOf, phoneText, providerName, tookText } from './parts.tsx'
import { LIST_WORDS } from './words.ts'

type PaymentColumn = Column<Payment>

/** Metadata fields shown in a row; the detail shows all. */
const METADATA_SHOWN = 2

export function paymentColumns(visit: Visit, kind: PaymentKind): readonly PaymentColumn[] {
  const { lang } = visit
  const words = LIST_WORDS[lang]
  return [
    statusColumn(visit),
    amountColumn(visit),
    { id: 'failureCode', name: words.failureCode, cell: ({ failure }) => failure?.code ?? '' },
    {
      id: 'phone',
      name: kind === 'deposit' ? words.phone : words.recipient,
      class: 'id',
      cell: (payment) => <bdi>{phoneText(visit, payment)}</bdi>,
    },
    ...ofKind(visit, kind),
    { id: 'provider', name: words.provider, cell: ({ provider }) => providerName(visit, provider) },
    { id: 'country', name: words.country, cell: ({ country }) => countryName(visit, country) },
    {
      id: 'clientReferenceId',
      name: words.clientReferenceId,
      cell: ({ details }) => details.clientReferenceId ?? '',
    },
    {
      id: 'transactionId',
      name: words.transactionId,
      class: 'id',
      cell: ({ providerTransactionId }) => providerTransactionId ?? '',
    },
    {
      id: 'metadata',
      name: words.metadata,
      class: 'long',
      cell: (payment) => <Metadata visit={visit} payment={payment} />,
    },
    ...optional(visit),
  ]
}

/** What only payments of this kind have. */
function ofKind({ lang }: Visit, kind: PaymentKind): readonly PaymentColumn[] {
  const words = LIST_WORDS[lang]
  if (kind === 'refund') {
    return [
      {
        id: 'refundOf',
        name: words.refundOf,
        class: 'id',
        cell: ({ refundOf }) =>
          refundOf === undefined ? '' : <a href={`/dashboard/deposits/${refundOf}`}>{refundOf}</a>,
      },
    ]
  }
  if (kind !== 'remittance') return []
  return [
    {
      id: 'sender',
      name: words.senderName,
      cell: ({ details }) => maskedName(details.sender?.senderDetails),
    },
    {
      id: 'recipient',
      name: words.recipientName,
      cell: ({ details }) => maskedName(details.recipientDetails),
    },
  ]
}

function optional(visit: Visit): readonly PaymentColumn[] {
  const words = LIST_WORDS[visit.lang]
  return [
    {
      id: 'id',
      name: words.id,
      class: 'id',
      isOptional: true,
      cell: ({ idAsSent }) => <bdi>{idAsSent}</bdi>,
    },
    {
      id: 'customerMessage',
      name: words.customerMessage,
      isOptional: true,
      cell: ({ details }) => details.customerMessage ?? '',
    },
    {
      id: 'source',
      name: words.source,
      isOptional: true,
      cell: (payment) => words[`source_${sourceOf(payment)}`],
    },
    {
      id: 'completed',
      name: words.completed,
      isOptional: true,
      cell: ({ endedAt }) => (endedAt === undefined ? '' : <When visit={visit} ms={endedAt} />),
    },
    {
      id: 'duration',
      name: words.duration,
      class: 'number',
      isOptional: true,
      cell: ({ createdAt, endedAt }) =>
        endedAt === undefined ? '' : tookText(visit.lang, endedAt - createdAt),
    },
  ]
}

function Metadata({ visit, payment }: { readonly visit: Visit; readonly payment: Payment }) {
  const entries = payment.details.metadata ?? []
  const left = entries.length - METADATA_SHOWN
  const shown = entries
    .slice(0, METADATA_SHOWN)
    .map((entry) => `${entry.name}: ${metadataText(entry)}`)
  const more = left > 0 ? ` ${fill(LIST_WORDS[visit.lang].more, { n: left })}` : ''
  return <>{shown.join(', ') + more}</>
}

export const listedPayment = (payment: Payment) => ({
  key: payment.key,
  createdAt: payment.createdAt,
  href: pathOf(payment),
})

type RowsProps = {
  readonly visit: Visit
  readonly payments: readonly Payment[]
  readonly caption: string
}

/** Some payments of one kind on another page, with the usual columns. */
export function Rows({ visit, payments, caption }: RowsProps) {
  const kind = payments[0]?.kind ?? 'deposit'
  return (
    <Table
      visit={visit}
      rows={payments}
      columns={usualColumns(paymentColumns(visit, kind))}
      listed={listedPayment}
      caption={caption}
    />
  )
}
