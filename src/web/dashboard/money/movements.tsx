import { movementType, netOf } from '../../../domain/statements/statement-file.ts'
import type { ListedMovement } from '../../../usecases/statements/browse-movements.ts'
import { hiddenPhone, PLACE_OF, providerName, State } from '../payments/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import type { AskedStatement } from './asked.ts'
import { Sum } from './parts.tsx'
import { MONEY_WORDS } from './words.ts'

type Props = { readonly visit: Visit; readonly read: AskedStatement }

/** Movements with the balance after each; money comes first, so that no screen cuts it off. */
export function Movements({
  visit,
  read,
  rows,
}: Props & { readonly rows: readonly ListedMovement[] }) {
  const words = MONEY_WORDS[visit.lang]
  return (
    <StackedTable
      caption={words.statementCaption}
      heads={[
        words.created,
        words.type,
        { text: words.amount, isNumber: true },
        { text: words.balanceAfter, isNumber: true },
        words.status,
        words.provider,
        words.phone,
        words.clientReference,
        words.reference,
      ]}
    >
      {rows.map((row) => (
        <MovementRow key={row.place.key + row.place.cause} visit={visit} read={read} row={row} />
      ))}
    </StackedTable>
  )
}

function MovementRow({ visit, read, row }: Props & { readonly row: ListedMovement }) {
  const words = MONEY_WORDS[visit.lang]
  const { movement, balanceAfter } = row
  const { payment } = movement
  const { currency } = read.wallet
  const id = payment?.idAsSent ?? movement.key
  return (
    <tr>
      <th scope="row" data-label={words.created}>
        <When visit={visit} ms={movement.at} />
      </th>
      <td data-label={words.type}>{words[`type_${movementType(movement)}`]}</td>
      <td class="number" data-label={words.amount}>
        <Sum visit={visit} amount={netOf(movement)} currency={currency} />
      </td>
      <td class="number" data-label={words.balanceAfter}>
        <Sum visit={visit} amount={balanceAfter} currency={currency} />
      </td>
      <td data-label={words.status}>{payment && <State visit={visit} state={payment.state} />}</td>
      <td data-label={words.provider}>{payment && providerName(visit, payment.provider)}</td>
      <td class="id" data-label={words.phone}>
        {payment && hiddenPhone(visit.ctx, payment)}
      </td>
      <td data-label={words.clientReference}>{payment?.clientReferenceId}</td>
      <td class="id" data-label={words.reference}>
        {payment === undefined ? (
          id
        ) : (
          <a href={`/dashboard/${PLACE_OF[payment.kind]}/${encodeURIComponent(id)}`}>{id}</a>
        )}
      </td>
    </tr>
  )
}
