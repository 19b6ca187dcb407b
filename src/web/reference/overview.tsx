/**
 * The page at `/docs`: where everything is. The whole reference once was this one page, and links
 * into it are in use: every anchor it had is here, on the link to where the thing is now.
 */

import type { Page } from '../page.tsx'
import { BASICS_PAGE, DOCS, groupPath } from './anchors.ts'
import type { Section } from './guides/library.ts'
import type { OperationGroup } from './outline.ts'
import { inline } from './prose.tsx'
import type { Reading } from './reading.ts'
import { SearchForm } from './search/form.tsx'
import { chaptersOf, renderDocs } from './shell.tsx'

export function renderOverview(reading: Reading): Page {
  const { document, outline, library } = reading
  const { info, servers } = document
  return renderDocs({
    reading,
    title: 'Documentation',
    path: DOCS,
    hasSearch: true,
    children: (
      <>
        <h1>Documentation</h1>
        <p class="edition">
          <span>
            {info.title} {info.version}
          </span>
          {servers?.[0] === undefined ? null : <code dir="ltr">{servers[0].url}</code>}
          <a href="/openapi.json">OpenAPI document</a>
        </p>
        {info.summary === undefined ? null : <p class="lead">{inline(info.summary)}</p>}
        <SearchForm id="search" query="" isLarge />
        <div class="index">
          <Basics reading={reading} />
          {outline.groups.map((group) => (
            <GroupIndex key={group.id} group={group} />
          ))}
        </div>
        {library.sections.map((section) => (
          <GuideIndex key={section.title} section={section} />
        ))}
      </>
    ),
  })
}

function Basics({ reading }: { readonly reading: Reading }) {
  const path = groupPath(BASICS_PAGE)
  return (
    <section>
      <h2>
        <a href={path}>Basics</a>
      </h2>
      <ul>
        {chaptersOf(reading.outline.basics).map(({ id, title }) => (
          <li key={id} id={id}>
            <a href={`${path}#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function GroupIndex({ group }: { readonly group: OperationGroup }) {
  return (
    <section>
      <h2 id={group.id}>
        <a href={group.path}>{group.title}</a>
      </h2>
      <ul>
        {group.entries.map(({ id, method, title, isCallback }) => (
          <li key={id} id={id}>
            <a href={`${group.path}#${id}`}>
              {isCallback ? null : <span class={`method ${method}`}>{method.toUpperCase()}</span>}
              <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function GuideIndex({ section }: { readonly section: Section }) {
  return (
    <section class="guides">
      <h2>{section.title}</h2>
      <ul>
        {section.guides.map(({ path, title }) => (
          <li key={path}>
            <a href={path}>{title}</a>
          </li>
        ))}
      </ul>
    </section>
  )
}
