/** The rows before they are sent: wrong ones first, each with what is wrong beside it. */
import type { RowCheck, RowProblem } from '../../../domain/bulk/bulk-check.ts'
import type { BulkPayout, BulkRow } from '../../../domain/bulk/bulk-payout.ts'
import type { CheckedBulk } from '../../../usecases/bulk/read-bulk.ts'
import { CATALOGUES, fill } from '../../words.ts'
import { Form } from '../frame.tsx'
import { phoneText } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'
import { BULK_PATH, moneyText } from './parts.tsx'
import { problemText } from './problem-words.ts'
import { BULK_WORDS, type BulkWords } from './words.ts'

const PER_PAGE = 50

type Item = { readonly row: BulkRow; readonly check: RowCheck }

type Props = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  readonly checked: CheckedBulk
  readonly isEditable: boolean
}

export function DraftRows({ visit, bulk, checked, isEditable }: Props) {
  const words = BULK_WORDS[visit.lang]
  const { query } = visit.request
  const path = `${BULK_PATH}/${bulk.id}`
  const items = sorted(checked)
  const from = Math.min(wholeNumber(query.from), Math.max(0, items.length - 1))
  const shown = items.slice(from, from + PER_PAGE)
  const edited = isEditable ? wholeNumber(query.edit) : 0
  const isForm = ({ row, check }: Item): boolean =>
    isEditable && (check.problems.length > 0 || row.number === edited)
  const caption = fill(words.rowsCaption, {
    from: items.length === 0 ? 0 : from + 1,
    to: from + shown.length,
    total: items.length,
  })
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">{words.rowsHeading}</h2>
      <Form visit={visit} action={`${path}/rows`} values={{ from: String(from) }} class="rows">
        {/* Enter in a field saves, and removes nothing. */}
        {shown.some(isForm) ? (
          <button type="submit" class="main">
            {words.save}
          </button>
        ) : null}
        <div class="scroll">
          <table class="stacked">
            <caption>{caption}</caption>
            <Head words={words} />
            <tbody>
              {shown.map((item) =>
                isForm(item) ? (
                  <FormRow key={item.row.number} visit={visit} item={item} />
                ) : (
                  <TextRow
                    key={item.row.number}
                    visit={visit}
                    item={item}
                    editLink={
                      isEditable
                        ? `${path}?from=${from}&edit=${item.row.number}#row-${item.row.number}`
                        : undefined
                    }
                  />
                ),
              )}
            </tbody>
          </table>
        </div>
      </Form>
      <datalist id="providers">
        {[...visit.person.merchant.providers.keys()].map((code) => (
          <option key={code} value={code} />
        ))}
      </datalist>
      <p class="row">
        {from > 0 ? <a href={path}>{words.first}</a> : null}
        {from + PER_PAGE < items.length ? (
          <a href={`${path}?from=${from + PER_PAGE}`} rel="next">
            {words.next}
          </a>
        ) : null}
      </p>
    </section>
  )
}

export const wholeNumber = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : 0

function sorted({ rows, checks }: CheckedBulk): readonly Item[] {
  const items = rows.map((row, at) => ({ row, check: checks[at] ?? { problems: [] } }))
  const isWrong = ({ check }: Item): boolean => check.problems.length > 0
  return [...items.filter(isWrong), ...items.filter((item) => !isWrong(item))]
}

const COLUMNS = [
  'amount',
  'currency',
  'phoneNumber',
  'provider',
  'customerMessage',
  'clientReferenceId',
] as const

function Head({ words }: { readonly words: BulkWords }) {
  return (
    <thead>
      <tr>
        <th scope="col">{words.row}</th>
        <th scope="col">{words.check}</th>
        {COLUMNS.map((column) => (
          <th key={column} scope="col">
            {words[column]}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** What is wrong, shown at the field that it is about. */
function Problems({ visit, item: { row, check } }: { visit: Visit; item: Item }) {
  const words = BULK_WORDS[visit.lang]
  const nameOf = (field: RowProblem['field']): string =>
    field === 'metadata' ? '' : words[field] + CATALOGUES[visit.lang].colon
  return (
    <>
      {check.problems.map((one) => (
        <p key={one.field + one.rule} class="problem" id={`problem-${one.field}-${row.number}`}>
          {nameOf(one.field)}
          {problemText(one, visit.lang)}
        </p>
      ))}
      {check.problems.length === 0 ? <span class="state good">{words.right}</span> : null}
      {check.twin === undefined ? null : (
        <p class="note">{fill(words.twin, { row: check.twin })}</p>
      )}
    </>
  )
}

function FormRow({ visit, item }: { visit: Visit; item: Item }) {
  const words = BULK_WORDS[visit.lang]
  const { row, check } = item
  const { number } = row
  const isWrong = (field: string): boolean => check.problems.some((one) => one.field === field)
  const input = (column: (typeof COLUMNS)[number] | 'payoutId') => (
    <input
      name={`${column}.${number}`}
      value={column === 'payoutId' ? row.payoutId : (row.fields[column] ?? '')}
      aria-label={fill(words.inRow, { field: words[column], row: number })}
      aria-invalid={isWrong(column) ? true : undefined}
      aria-describedby={isWrong(column) ? `problem-${column}-${number}` : undefined}
      list={column === 'provider' ? 'providers' : undefined}
      inputMode={column === 'amount' ? 'decimal' : undefined}
      autocomplete="off"
      spellcheck={false}
    />
  )
  return (
    <tr id={`row-${number}`}>
      <th scope="row" data-label={words.row}>
        {number}
      </th>
      <td data-label={words.check} class="check">
        <div class="stack">
          <Problems visit={visit} item={item} />
          {isWrong('payoutId') ? input('payoutId') : null}
          <button
            type="submit"
            name="remove"
            value={String(number)}
            aria-label={fill(words.removeRow, { row: number })}
          >
            {words.remove}
          </button>
        </div>
      </td>
      {COLUMNS.map((column) => (
        <td key={column} data-label={words[column]}>
          {input(column)}
        </td>
      ))}
    </tr>
  )
}

type TextProps = {
  readonly visit: Visit
  readonly item: Item
  readonly editLink: string | undefined
}

function TextRow({ visit, item, editLink }: TextProps) {
  const words = BULK_WORDS[visit.lang]
  const { number, fields } = item.row
  return (
    <tr id={`row-${number}`}>
      <th scope="row" data-label={words.row}>
        {number}
      </th>
      <td data-label={words.check} class="check">
        <Problems visit={visit} item={item} />{' '}
        {editLink === undefined ? null : (
          <a href={editLink} aria-label={fill(words.editRow, { row: number })}>
            {words.edit}
          </a>
        )}
      </td>
      <td data-label={words.amount} class="number">
        {moneyText(fields.amount, fields.currency, visit.lang)}
      </td>
      <td data-label={words.currency}>{fields.currency}</td>
      <td data-label={words.phoneNumber}>
        <bdi>{phoneText(visit, fields)}</bdi>
      </td>
      <td data-label={words.provider}>
        {fields.provider}
        {fields.isPredicted === true ? <span class="note"> ({words.predicted})</span> : null}
      </td>
      <td data-label={words.customerMessage}>{fields.customerMessage}</td>
      <td data-label={words.clientReferenceId}>{fields.clientReferenceId}</td>
    </tr>
  )
}
