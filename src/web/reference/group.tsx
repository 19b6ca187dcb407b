/** The page of one group of operations, and the page of what holds for all of them. */

import type { Page } from '../page.tsx'
import { BASICS_PAGE, groupPath } from './anchors.ts'
import { OperationView } from './operation.tsx'
import type { OperationGroup } from './outline.ts'
import { Prose } from './prose.tsx'
import type { Reading } from './reading.ts'
import { chaptersOf, renderDocs } from './shell.tsx'

export function renderGroup(reading: Reading, group: OperationGroup): Page {
  const { title, path, about, entries } = group
  const operations = entries.map((entry) => ({
    id: entry.id,
    title: entry.title,
    ...(entry.isCallback ? {} : { method: entry.method }),
  }))
  return renderDocs({
    reading,
    title,
    path,
    parts: [...chaptersOf(about), ...operations],
    children: (
      <>
        <h1>{title}</h1>
        <Prose blocks={about} level={2} resolveLink={reading.resolveLink} />
        {entries.map((entry) => (
          <OperationView key={entry.id} reading={reading} entry={entry} />
        ))}
      </>
    ),
  })
}

export function renderBasics(reading: Reading): Page {
  const { basics } = reading.outline
  return renderDocs({
    reading,
    title: 'Basics',
    path: groupPath(BASICS_PAGE),
    parts: chaptersOf(basics),
    children: (
      <>
        <h1>Basics</h1>
        <Prose blocks={basics} level={2} resolveLink={reading.resolveLink} />
      </>
    ),
  })
}
