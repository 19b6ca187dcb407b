import { SEARCH_PATH } from '../anchors.ts'

type SearchFormProps = {
  readonly id: string
  readonly query: string
  readonly isLarge?: boolean
}

export const QUERY_MAX = 100

/** A plain form; on the page of results the script asks while somebody types. */
export function SearchForm({ id, query, isLarge = false }: SearchFormProps) {
  return (
    <search class={isLarge ? 'search large' : 'search'}>
      <form action={SEARCH_PATH}>
        <label class={isLarge ? undefined : 'quiet'} for={id}>
          Search fields, failure codes, operations and guides
        </label>
        <div>
          <input
            id={id}
            type="search"
            name="q"
            value={query}
            maxLength={QUERY_MAX}
            placeholder={isLarge ? undefined : 'Search'}
            autocomplete="off"
            spellcheck={false}
          />
          <button type="submit">Search</button>
        </div>
      </form>
    </search>
  )
}
