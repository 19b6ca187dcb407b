/** The guides: the Markdown files of the folder `docs`, which is part of the package. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { headingClaimer } from '../anchors.ts'
import { type ProseBlock, parseProse, withoutMarks } from '../prose-blocks.ts'
import { guidePath, linksFrom } from './links.ts'

export type Guide = {
  /** From the folder of the guides, such as `operating/running.md`. */
  readonly file: string
  /** The address of its page. */
  readonly path: string
  readonly title: string
  readonly blocks: readonly ProseBlock[]
}

export type Section = { readonly title: string; readonly guides: readonly Guide[] }

export type CodeMeaning = {
  readonly path: string
  readonly what: string
  readonly retry: string
}

export type Library = {
  /** As the index of the folder puts them. */
  readonly sections: readonly Section[]
  readonly guides: ReadonlyMap<string, Guide>
  /** Pictures by their name from the folder. */
  readonly pictures: ReadonlySet<string>
  readonly meanings: ReadonlyMap<string, CodeMeaning>
}

export const NO_GUIDES: Library = {
  sections: [],
  guides: new Map(),
  pictures: new Set(),
  meanings: new Map(),
}

const INDEX = 'README.md'

export function readLibrary(folder: string): Library {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const files = names.filter((name) => name.endsWith('.md') && name !== INDEX).toSorted()
  const written = files.map((file) => guideOf(file, readFileSync(join(folder, file), 'utf8')))
  const guides = new Map([...listings(written), ...written].map((guide) => [guide.path, guide]))
  const index = parseProse(readFileSync(join(folder, INDEX), 'utf8'))
  return {
    sections: sectionsOf(index, guides),
    guides,
    pictures: new Set(names.filter((name) => /\.(png|svg)$/.test(name))),
    meanings: meaningsIn(guides),
  }
}

function guideOf(file: string, text: string): Guide {
  const [first, ...blocks] = parseProse(text, headingClaimer())
  const title = first?.kind === 'heading' ? withoutMarks(first.text) : file
  return { file, path: guidePath(file), title, blocks }
}

/** A folder without a page of its own lists what is in it. */
function listings(written: readonly Guide[]): readonly Guide[] {
  const folders = new Set(written.map(({ file }) => file.replace(/\/?[^/]+$/, '')))
  return [...folders]
    .filter((folder) => folder !== '' && !written.some(({ path }) => path === guidePath(folder)))
    .map((folder) => {
      const inside = written.filter(({ file }) => file.startsWith(`${folder}/`))
      const links = inside.map(
        ({ title, file }) => `- [${title}](${file.slice(folder.length + 1)})`,
      )
      const title = folder.slice(0, 1).toUpperCase() + folder.slice(1)
      return guideOf(`${folder}/${INDEX}`, `# ${title}\n\n${links.join('\n')}`)
    })
}

/** The tables of the index: what it is about, and the document. */
function sectionsOf(
  index: readonly ProseBlock[],
  guides: ReadonlyMap<string, Guide>,
): readonly Section[] {
  const resolve = linksFrom(INDEX, new Set(guides.keys()), new Set())
  return index.flatMap((block, at) => {
    const heading = index[at - 1]
    if (block.kind !== 'table' || heading?.kind !== 'heading') return []
    const listed = block.rows.flatMap((row) => {
      const [, target = ''] = /\]\(([^)\s]+)\)/.exec(row.at(-1) ?? '') ?? []
      const guide = guides.get(resolve(target) ?? '')
      return guide === undefined ? [] : [guide]
    })
    return [{ title: heading.text, guides: listed }]
  })
}

/** What each failure code means, in the words of the table that lists them. */
function meaningsIn(guides: ReadonlyMap<string, Guide>): ReadonlyMap<string, CodeMeaning> {
  const blocks = guides.get(guidePath('failure-codes'))?.blocks ?? []
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []))
  return new Map(
    rows.map(([name = '', what = '', retry = '']) => {
      const code = withoutMarks(name)
      return [code, { path: guidePath(`failure-codes/${code}`), what, retry }]
    }),
  )
}
