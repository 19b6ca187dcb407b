import type { Page } from '../page.tsx'
import { DOCS } from './anchors.ts'
import type { Reading } from './reading.ts'
import { SearchForm } from './search/form.tsx'
import { renderDocs } from './shell.tsx'

/** For an address under `/docs` that leads nowhere. The same for all of them, so it names none. */
export const renderMissing = (reading: Reading): Page =>
  renderDocs({
    reading,
    title: 'Page not found',
    path: '',
    hasSearch: true,
    children: (
      <>
        <h1>Page not found</h1>
        <p class="lead">
          There is no such page in this documentation. Search for it, or start from{' '}
          <a href={DOCS}>the list of all pages</a>.
        </p>
        <SearchForm id="search" query="" isLarge />
      </>
    ),
  })
