/** What all pages of the documentation share: the frame, the contents at the side, style, script. */
import type { ComponentChildren } from 'preact'
import { assets } from '../assets.ts'
import { Frame } from '../frame.tsx'
import { type Page, renderPage } from '../page.tsx'
import { DOCS } from './anchors.ts'
import { Contents, type Part } from './contents.tsx'
import type { ProseBlock } from './prose-blocks.ts'
import type { Reading } from './reading.ts'

const STYLE = assets('page.css', 'contents.css', 'reference.css')
const SCRIPT = assets('copy.js', 'reference.js')

type ShellProps = {
  readonly reading: Reading
  readonly title: string
  /** The address of the page, for the contents. */
  readonly path: string
  /** What the contents show of this page. */
  readonly parts?: readonly Part[]
  /** A page with a search field of its own needs none at the side. */
  readonly hasSearch?: boolean
  readonly children: ComponentChildren
}

export function renderDocs({ reading, title, path, parts, hasSearch, children }: ShellProps): Page {
  const { info } = reading.document
  return renderPage({
    lang: 'en',
    title: path === DOCS ? `${title} · ${info.title}` : `${title} · ${info.title} documentation`,
    style: STYLE,
    script: SCRIPT,
    body: (
      <Frame lang="en" path="/docs" isOneLanguage>
        <div class="reference">
          <Contents
            reading={reading}
            path={path}
            parts={parts ?? []}
            hasSearch={hasSearch !== true}
          />
          <main id="content">{children}</main>
        </div>
      </Frame>
    ),
  })
}

/** The chapters of a text, for the contents. */
export function chaptersOf(blocks: readonly ProseBlock[]): readonly Part[] {
  const headings = blocks.flatMap((block) => (block.kind === 'heading' ? [block] : []))
  const top = Math.min(...headings.map(({ level }) => level))
  return headings
    .filter(({ level, id }) => level === top && id !== '')
    .map(({ id, text }) => ({ id, title: text.replaceAll('`', '') }))
}
