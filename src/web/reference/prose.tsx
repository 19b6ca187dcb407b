/** Renders parsed descriptions. Nothing in a description can become markup or a script address. */
import type { ComponentChild } from 'preact'
import type { ProseBlock } from './prose-blocks.ts'

type ProseProps = {
  readonly blocks: readonly ProseBlock[]
  /** Level of the highest heading in the text, so that headings stay in order on the page. */
  readonly level?: number
  /** Set when the text is in another language than the page. */
  readonly lang?: string | undefined
}

export function Prose({ blocks, level = 4, lang }: ProseProps) {
  if (blocks.length === 0) return null
  const highest = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)))
  return (
    <div class="prose" lang={lang}>
      {blocks.map((block, index) => (
        <Block key={index} block={block} shift={level - highest} />
      ))}
    </div>
  )
}

function Block({ block, shift }: { readonly block: ProseBlock; readonly shift: number }) {
  if (block.kind === 'heading') return <Heading block={block} shift={shift} />
  if (block.kind === 'paragraph') return <p>{inline(block.text)}</p>
  if (block.kind === 'table') return <ProseTable head={block.head} rows={block.rows} />
  if (block.kind === 'code') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard
      <pre tabIndex={0} dir="ltr">
        <code>{block.text}</code>
      </pre>
    )
  }
  const items = block.items.map((item, index) => <li key={index}>{inline(item)}</li>)
  return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
}

type HeadingBlock = Extract<ProseBlock, { kind: 'heading' }>

function Heading({ block, shift }: { readonly block: HeadingBlock; readonly shift: number }) {
  const Tag = `h${Math.min(Math.max(block.level + shift, 2), 6)}` as 'h2'
  if (block.id === '') return <Tag>{inline(block.text)}</Tag>
  return (
    <Tag id={block.id}>
      <a class="anchor" href={`#${block.id}`}>
        {block.text}
      </a>
    </Tag>
  )
}

type TableProps = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** From here on a table gets its own height, lest the reader scroll past it for minutes. */
const LONG_TABLE = 20

function ProseTable({ head, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables scroll, also by keyboard
    <div class={rows.length > LONG_TABLE ? 'scroll long' : 'scroll'} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (
              <th key={index} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/

/** Code, bold and links inside a line. */
export function inline(text: string): ComponentChild[] {
  return text.split(INLINE).map((part, index) => (index % 2 === 1 ? marked(part) : part))
}

const LINK = /^\[([^\]]+)\]\(([^)\s]+)\)$/
const SAFE_TARGET = /^(https?:\/\/|mailto:|\/(?!\/)|#)/

function marked(part: string): ComponentChild {
  if (part.startsWith('`')) return <code>{part.slice(1, -1)}</code>
  if (part.startsWith('**')) return <strong>{inline(part.slice(2, -2))}</strong>
  const [, text = part, target = ''] = LINK.exec(part) ?? []
  return SAFE_TARGET.test(target) ? <a href={target}>{inline(text)}</a> : text
}
