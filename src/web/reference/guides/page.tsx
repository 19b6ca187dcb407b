import type { Page } from '../../page.tsx'
import { Prose } from '../prose.tsx'
import type { Reading } from '../reading.ts'
import { chaptersOf, renderDocs } from '../shell.tsx'
import type { Guide } from './library.ts'
import { linksFrom } from './links.ts'

export function renderGuide(reading: Reading, { file, path, title, blocks }: Guide): Page {
  const { guides, pictures } = reading.library
  return renderDocs({
    reading,
    title,
    path,
    parts: chaptersOf(blocks),
    children: (
      <article>
        <h1>{title}</h1>
        <Prose
          blocks={blocks}
          level={2}
          resolveLink={linksFrom(file, new Set(guides.keys()), pictures)}
        />
      </article>
    ),
  })
}
