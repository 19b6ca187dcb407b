/** A bulk payout that is approved: how far it is, and what became of each row. */

import { type BulkPayout, isOverBulk } from '../../../domain/bulk/bulk-payout.ts'
import { type BulkProgress, type SentRow, sentRows } from '../../../usecases/bulk/read-bulk.ts'
import { fill } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'
import { phoneText, State } from '../payments/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import type { Visit } from '../visit.ts'
import { wholeNumber } from './draft-rows.tsx'
import { BULK_PATH, moneyText } from './parts.tsx'
import { codeText } from './problem-words.ts'
import { BULK_WORDS } from './words.ts'

const PER_PAGE = 100

type Props = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  readonly progress: BulkProgress
  readonly rows: readonly SentRow[]
}

export function SentPart({ visit, bulk, progress, rows }: Props) {
  const words = BULK_WORDS[visit.lang]
  const path = `${BULK_PATH}/${bulk.id}`
  const isOver = isOverBulk(bulk)
  const shown = rows.slice(0, PER_PAGE)
  const last = shown.at(-1)
  const counts = (['completed', 'open', 'waiting', 'failed', 'refused'] as const)
    .filter((name) => progress[name] > 0)
    .map((name) => `${progress[name].toLocaleString(visit.lang)} ${words[`count_${name}`]}`)
  return (
    <>
      <div class="panel">
        <div class="spread">
          <p>{counts.join(' · ')}</p>
          {isOver ? null : <a href={path}>{words.reload}</a>}
        </div>
        <progress
          aria-label={words.progress}
          value={progress.total - progress.waiting - progress.open}
          max={progress.total}
        />
        <p class="row">
          <a href={`${path}/results.csv`}>{words.results}</a>
          <a href={`${path}/results.csv?mode=spreadsheet`}>{words.resultsSpreadsheet}</a>
        </p>
      </div>
      <section aria-labelledby="rows">
        <h2 id="rows">{words.rowsHeading}</h2>
        <SentTable visit={visit} rows={shown} total={progress.total} />
        <p class="row">
          {wholeNumber(visit.request.query.from) > 0 ? <a href={path}>{words.first}</a> : null}
          {rows.length > PER_PAGE && last !== undefined ? (
            <a href={`${path}?from=${last.number}`} rel="next">
              {words.next}
            </a>
          ) : null}
        </p>
      </section>
    </>
  )
}

/** The rows of this page, and one more where there are more. */
SentPart.rowsFor = (visit: Visit, bulk: BulkPayout): Promise<readonly SentRow[]> =>
  sentRows(visit.ctx, visit.person, bulk, wholeNumber(visit.request.query.from), PER_PAGE + 1)

type TableProps = {
  readonly visit: Visit
  readonly rows: readonly SentRow[]
  readonly total: number
}

function SentTable({ visit, rows, total }: TableProps) {
  const words = BULK_WORDS[visit.lang]
  const { lang } = visit
  const caption = fill(words.sentCaption, {
    from: rows[0]?.number ?? 0,
    to: rows.at(-1)?.number ?? 0,
    total,
  })
  return (
    <StackedTable
      caption={caption}
      heads={[
        words.row,
        { text: words.amount, isNumber: true },
        words.phoneNumber,
        words.provider,
        words.result,
        words.clientReferenceId,
        words.payoutId,
      ]}
    >
      {rows.map((row) => (
        <tr key={row.number}>
          <th scope="row" data-label={words.row}>
            {row.number}
          </th>
          <td data-label={words.amount} class="number">
            {moneyText(row.fields.amount, row.fields.currency, lang)}
          </td>
          <td data-label={words.phoneNumber}>
            <bdi>{phoneText(visit, row.fields)}</bdi>
          </td>
          <td data-label={words.provider}>{row.fields.provider}</td>
          <td data-label={words.result}>
            <Result visit={visit} row={row} />
          </td>
          <td data-label={words.clientReferenceId}>{row.fields.clientReferenceId}</td>
          <td data-label={words.payoutId} class="id">
            {row.state === 'ACCEPTED' ? (
              <a href={`/dashboard/payouts/${row.payoutId.toLowerCase()}`}>{row.payoutId}</a>
            ) : (
              row.payoutId
            )}
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}

function Result({ visit, row }: { visit: Visit; row: SentRow }) {
  const words = BULK_WORDS[visit.lang]
  const { state, payoutState, payoutFailure, failureCode } = row
  if (payoutState !== null) {
    return (
      <>
        <State visit={visit} state={payoutState} />{' '}
        {payoutFailure === null ? null : (
          <>
            <code>{payoutFailure}</code>
            <p class="note">{codeMeaning(payoutFailure, visit.lang)}</p>
          </>
        )}
      </>
    )
  }
  const isRefused = state === 'REJECTED' || state === 'DUPLICATE'
  return (
    <>
      <span class={`state ${isRefused ? 'bad' : ''}`}>{words[`row_${state}`]}</span>{' '}
      {failureCode === null ? null : <code>{failureCode}</code>}
      {isRefused ? (
        <p class="note">
          {state === 'DUPLICATE' ? words.duplicateText : codeText(failureCode ?? '', visit.lang)}
        </p>
      ) : null}
    </>
  )
}
