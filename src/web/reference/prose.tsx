/** Renders parsed texts. Nothing in a text can become markup or a script address. */
import type { ComponentChild } from 'preact'
import { type ProseBlock, withoutMarks } from './prose-blocks.ts'

/** Where a link or picture of a text leads; nowhere, if its target is not served. */
export type ResolveLink = (target: string) => string | undefined

const SAFE_TARGET = /^(https?:\/\/|mailto:|\/(?!\/)|#)/

const asWritten: ResolveLink = (target) => target

type ProseProps = {
  readonly blocks: readonly ProseBlock[]
  /** Level of the highest heading in the text, so that headings stay in order on the page. */
  readonly level?: number
  readonly resolveLink?: ResolveLink | undefined
}

export function Prose({ blocks, level = 3, resolveLink = asWritten }: ProseProps) {
  if (blocks.length === 0) return null
  const highest = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)))
  return (
    <div class="prose">
      {blocks.map((block, index) => (
        <Block key={index} block={block} shift={level - highest} resolveLink={resolveLink} />
      ))}
    </div>
  )
}

type BlockProps = {
  readonly block: ProseBlock
  readonly shift: number
  readonly resolveLink: ResolveLink
}

function Block({ block, shift, resolveLink }: BlockProps) {
  switch (block.kind) {
    case 'heading':
      return <Heading block={block} shift={shift} resolveLink={resolveLink} />
    case 'paragraph':
      return <p>{inline(block.text, resolveLink)}</p>
    case 'table':
      return <ProseTable head={block.head} rows={block.rows} resolveLink={resolveLink} />
    case 'picture': {
      const source = resolveLink(block.source)
      return source === undefined ? null : <img src={source} alt={block.text} loading="lazy" />
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard
        <pre tabIndex={0} dir="ltr" translate={false}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>{itemContent(item, shift, resolveLink)}</li>
      ))
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
  }
}

function itemContent(
  [first, ...more]: readonly ProseBlock[],
  shift: number,
  resolveLink: ResolveLink,
): ComponentChild[] {
  return [
    first?.kind === 'paragraph' ? inline(first.text, resolveLink) : null,
    ...(first?.kind === 'paragraph' || first === undefined ? more : [first, ...more]).map(
      (block, index) => <Block key={index} block={block} shift={shift} resolveLink={resolveLink} />,
    ),
  ]
}

type HeadingBlock = Extract<ProseBlock, { kind: 'heading' }>

function Heading({ block, shift, resolveLink }: BlockProps & { readonly block: HeadingBlock }) {
  const Tag = `h${Math.min(Math.max(block.level + shift, 2), 6)}` as 'h2'
  if (block.id === '') return <Tag>{inline(block.text, resolveLink)}</Tag>
  return (
    <Tag id={block.id}>
      <a class="anchor" href={`#${block.id}`}>
        {withoutMarks(block.text)}
      </a>
    </Tag>
  )
}

type TableProps = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly resolveLink: ResolveLink
}

function ProseTable({ head, rows, resolveLink }: TableProps) {
  const hasHead = head.some((cell) => cell !== '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll, also by keyboard
    <div class={head.length > 2 ? 'scroll wide' : 'scroll'} tabIndex={0}>
      <table>
        {hasHead ? (
          <thead>
            <tr>
              {head.map((cell, index) =>
                cell === '' ? (
                  <td key={index} />
                ) : (
                  <th key={index} scope="col">
                    {inline(cell, resolveLink)}
                  </th>
                ),
              )}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell, resolveLink)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const INLINE =
  /(`[^`]+`|\*\*[^*]+\*\*|(?<![\w`])_[^_\s](?:[^_]*[^_\s])?_(?![\w`])|\[[^\]]+\]\([^)\s]+\))/

/** Code, stress and links inside a line. */
export function inline(text: string, resolveLink: ResolveLink = asWritten): ComponentChild[] {
  return text
    .split(INLINE)
    .map((part, index) => (index % 2 === 1 ? marked(part, resolveLink) : part))
}

/** Lets a long code break between its words in a narrow column. */
export const breakable = (code: string): ComponentChild[] =>
  code
    .split(/(?<=[A-Z]_)(?=[A-Z])/)
    .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))

const LINK = /^\[([^\]]+)\]\(([^)\s]+)\)$/

function marked(part: string, resolveLink: ResolveLink): ComponentChild {
  if (part.startsWith('`')) return <code>{breakable(part.slice(1, -1))}</code>
  if (part.startsWith('**')) return <strong>{inline(part.slice(2, -2), resolveLink)}</strong>
  if (part.startsWith('_')) return <em>{inline(part.slice(1, -1), resolveLink)}</em>
  const [, text = part, written = ''] = LINK.exec(part) ?? []
  const target = resolveLink(written)
  if (target === undefined || !SAFE_TARGET.test(target)) return <>{inline(text, resolveLink)}</>
  return <a href={target}>{inline(text, resolveLink)}</a>
}
