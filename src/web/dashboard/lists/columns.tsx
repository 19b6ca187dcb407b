/** Which columns a list shows, and in which order: by its address, by the person's choice, or as usual. */
import type { ComponentChild } from 'preact'
import type { Page } from '../../../http/pages.ts'
import { dropColumns, keepColumns } from '../../../usecases/people/saved-views.ts'
import { Form } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { money } from '../money-text.ts'
import { State } from '../payments/parts.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import type { Visit } from '../visit.ts'
import type { ReadList } from './filter.ts'
import type { ListShape } from './shape.ts'

export type Column<Row> = {
  /** As addresses name it. */
  readonly id: string
  readonly name: string
  readonly class?: 'number' | 'id' | 'long'
  /** Shown only to those who ask for it. */
  readonly isOptional?: true
  readonly cell: (row: Row) => ComponentChild
}

/** What every list begins with. */
export const statusColumn = (visit: Visit): Column<{ readonly state: string }> => ({
  id: 'status',
  name: LIST_WORDS[visit.lang].status,
  cell: ({ state }) => <State visit={visit} state={state} />,
})

type Sum = { readonly amount: string; readonly currency: string }

export const amountColumn = ({ lang }: Visit): Column<Sum> => ({
  id: 'amount',
  name: LIST_WORDS[lang].amount,
  class: 'number',
  cell: ({ amount, currency }) => <bdi>{money(amount, currency, lang)}</bdi>,
})

/** Known ones, each once; undefined where none is left. */
function pickedFrom<Row>(
  all: readonly Column<Row>[],
  ids: string | undefined,
): readonly Column<Row>[] | undefined {
  const picked = [...new Set(ids?.split(','))]
    .map((id) => all.find((column) => column.id === id))
    .filter((column) => column !== undefined)
  return picked.length === 0 ? undefined : picked
}

export const usualColumns = <Row,>(all: readonly Column<Row>[]): readonly Column<Row>[] =>
  all.filter(({ isOptional }) => isOptional !== true)

export const shownColumns = <Row,>(
  all: readonly Column<Row>[],
  asked: string | undefined,
  kept: string | undefined,
): readonly Column<Row>[] => pickedFrom(all, asked) ?? pickedFrom(all, kept) ?? usualColumns(all)

export const idsOf = <Row,>(columns: readonly Column<Row>[]): string =>
  columns.map(({ id }) => id).join(',')

type Props<Row> = {
  readonly visit: Visit
  readonly read: ReadList
  readonly all: readonly Column<Row>[]
  readonly shown: readonly Column<Row>[]
  /** The list, to come back to it. */
  readonly query: string
}

/** A box to show a column and a number for its place: it needs no script. */
export function ColumnChooser<Row>({ visit, read, all, shown, query }: Props<Row>) {
  const words = LIST_WORDS[visit.lang]
  const hidden = all.filter((column) => !shown.includes(column))
  const { place } = read.shape
  return (
    <details class="panel">
      <summary>{words.columns}</summary>
      <Form visit={visit} action={`/dashboard/${place}/columns`} values={{ query }}>
        <p class="note">{words.columnsText}</p>
        <ol class="chooser">
          {[...shown, ...hidden].map(({ id, name }, at) => (
            <li key={id}>
              <label>
                <input type="checkbox" name="show" value={id} checked={at < shown.length} /> {name}
              </label>
              <input
                type="number"
                name={`at.${id}`}
                value={at + 1}
                min={1}
                max={all.length}
                aria-label={`${words.columnPlace}: ${name}`}
              />
            </li>
          ))}
        </ol>
        <div class="row">
          <button type="submit">{words.saveColumns}</button>
          <button type="submit" name="usual" value="yes" class="plain">
            {words.usualColumns}
          </button>
        </div>
      </Form>
    </details>
  )
}

/** Kept for the person; what the list shows is checked when it is shown. */
export async function chooseColumns(visit: Visit, { place }: ListShape): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = LIST_WORDS[lang]
  const { form } = request
  const query = new URLSearchParams(form.get('query') ?? '')
  // The choice counts from now on, not what an address asked for before.
  query.delete('columns')
  const path = `/dashboard/${place}?${query.toString() || 'all'}`
  if (form.get('usual') === 'yes') {
    await dropColumns(ctx, person, place)
    return goTo(visit, path, words.columnsUsual)
  }
  const chosen = form
    .getAll('show')
    .filter((id) => /^\w{1,30}$/.test(id))
    .slice(0, COLUMNS_MAX)
  if (chosen.length === 0) return goTo(visit, path, words.columnsNone, true)
  const placeOf = (id: string): number => Number(form.get(`at.${id}`)) || COLUMNS_MAX
  const ordered = chosen.toSorted((one, other) => placeOf(one) - placeOf(other))
  await keepColumns(ctx, person, place, ordered)
  return goTo(visit, path, words.columnsSaved)
}

const COLUMNS_MAX = 30
