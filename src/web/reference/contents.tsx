/** The side navigation: beside the text on wide screens, a drawer on narrow ones, script or not. */

import { BASICS_PAGE, DOCS, groupPath } from './anchors.ts'
import type { Reading } from './reading.ts'
import { SearchForm } from './search/form.tsx'

/** A place on the page. */
export type Part = { readonly id: string; readonly title: string; readonly method?: string }

type ContentsProps = {
  readonly reading: Reading
  readonly path: string
  readonly parts: readonly Part[]
  readonly hasSearch: boolean
}

export function Contents({ reading, path, parts, hasSearch }: ContentsProps) {
  const { outline, library } = reading
  const reference = [
    { path: groupPath(BASICS_PAGE), title: 'Basics' },
    ...outline.groups.map((group) => ({ path: group.path, title: group.title })),
  ]
  return (
    <>
      <button type="button" class="open-contents" popovertarget="contents">
        Contents
      </button>
      <nav id="contents" class="contents" popover="auto" aria-label="Contents">
        <button
          type="button"
          class="close-contents"
          popovertarget="contents"
          popovertargetaction="hide"
        >
          Close
        </button>
        {hasSearch ? <SearchForm id="search" query="" /> : null}
        <p class="start">
          <a href={DOCS} aria-current={path === DOCS ? 'page' : undefined}>
            All documentation
          </a>
        </p>
        <Chapter title="API reference" links={reference} path={path} parts={parts} />
        {library.sections.map(({ title, guides }) => (
          <Chapter key={title} title={title} links={guides} path={path} parts={parts} />
        ))}
      </nav>
    </>
  )
}

type ChapterProps = {
  readonly title: string
  readonly links: readonly { readonly path: string; readonly title: string }[]
  readonly path: string
  readonly parts: readonly Part[]
}

function Chapter({ title, links, path, parts }: ChapterProps) {
  return (
    <div class="part">
      <p>{title}</p>
      <ul>
        {links.map((link) => (
          <li key={link.path}>
            <a href={link.path} aria-current={link.path === path ? 'page' : undefined}>
              {link.title}
            </a>
            {link.path === path && parts.length > 0 ? <PartLinks parts={parts} /> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

function PartLinks({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <ul class="parts">
      {parts.map(({ id, title, method }) => (
        <li key={id}>
          <a href={`#${id}`}>
            {method === undefined ? null : (
              <span class={`method ${method}`}>{method.toUpperCase()}</span>
            )}
            <span>{title}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
