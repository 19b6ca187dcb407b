import type { ComponentChild } from 'preact'
import { LIST_WORDS } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import type { Column } from './columns.tsx'
import { addressOf, type ReadList } from './filter.ts'

/** What every row has: when it came, and where its page is. */
type Listed = { readonly key: string; readonly createdAt: number; readonly href: string }

type Props<Row> = {
  readonly visit: Visit
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly listed: (row: Row) => Listed
  readonly caption: ComponentChild
  /** Of a list that can be sorted. */
  readonly read?: ReadList
}

/** The first column is the row's name and leads to its page, so it stays where it is. */
export function Table<Row>({ visit, rows, columns, listed, caption, read }: Props<Row>) {
  const { created } = LIST_WORDS[visit.lang]
  return (
    <div class="scroll">
      <table class="stacked">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {read === undefined ? (
              <th scope="col">{created}</th>
            ) : (
              <Sorted visit={visit} read={read} />
            )}
            {columns.map(({ id, name, class: type }) => (
              <th key={id} scope="col" class={type === 'number' ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { key, createdAt, href } = listed(row)
            return (
              <tr key={key}>
                <th scope="row" data-label={created}>
                  <a href={href}>
                    <When visit={visit} ms={createdAt} />
                  </a>
                </th>
                {columns.map(({ id, name, class: type, cell }) => (
                  <td key={id} class={type} data-label={name}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Lists are spans of an index in the order of time; no other column has one to sort by. */
function Sorted({ visit, read }: { readonly visit: Visit; readonly read: ReadList }) {
  const words = LIST_WORDS[visit.lang]
  const isNewest = read.order === 'newest'
  return (
    <th scope="col" aria-sort={isNewest ? 'descending' : 'ascending'}>
      <a
        class="sort"
        href={addressOf(read, { order: isNewest ? 'oldest' : undefined })}
        title={isNewest ? words.sortOldest : words.sortNewest}
      >
        {words.created} <span aria-hidden="true">{isNewest ? '↓' : '↑'}</span>
      </a>
    </th>
  )
}
