/** A table whose rows become cards on narrow screens, where each cell shows its `data-label`. */
import type { ComponentChildren } from 'preact'

type Head = string | { readonly text: string; readonly isNumber: true }

type StackedTableProps = {
  readonly caption: ComponentChildren
  readonly heads: readonly Head[]
  /** Its rows. */
  readonly children: ComponentChildren
}

export function StackedTable({ caption, heads, children }: StackedTableProps) {
  return (
    <div class="scroll">
      <table class="stacked">
        <caption>{caption}</caption>
        <thead>
          <tr>{heads.map(headCell)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}

const headCell = (head: Head) =>
  typeof head === 'string' ? (
    <th key={head} scope="col">
      {head}
    </th>
  ) : (
    <th key={head.text} scope="col" class="number">
      {head.text}
    </th>
  )
