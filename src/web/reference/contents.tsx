/** The side navigation: beside the text on wide screens, a drawer on narrow ones, script or not. */

import type { OperationGroup, Outline } from './outline.ts'
import type { ProseBlock } from './prose-blocks.ts'
import type { Reading } from './reading.ts'

type ContentsProps = { readonly reading: Reading; readonly outline: Outline }

export function Contents({ reading, outline }: ContentsProps) {
  const { words } = reading
  const headings = outline.guide.filter(isTopHeading(outline.guide))
  return (
    <>
      <button type="button" class="open-contents" popovertarget="contents">
        {words.contents}
      </button>
      <nav id="contents" class="contents" popover="auto" aria-label={words.contents}>
        <button
          type="button"
          class="close-contents"
          popovertarget="contents"
          popovertargetaction="hide"
        >
          {words.close}
        </button>
        <div class="filter" hidden>
          <label class="quiet" for="filter">
            {words.filter}
          </label>
          <input
            id="filter"
            type="search"
            placeholder={words.filter}
            autocomplete="off"
            data-count={words.filterCount}
          />
        </div>
        {headings.length === 0 ? null : (
          <div class="part">
            <p>{words.guide}</p>
            <ul lang={reading.textLang}>
              {headings.map((heading) => (
                <li key={heading.id}>
                  <a href={`#${heading.id}`}>{heading.text}</a>
                </li>
              ))}
            </ul>
          </div>
        )}
        {outline.groups.map((group) => (
          <GroupLinks
            key={group.id}
            reading={reading}
            group={group}
            title={group.name === '' ? words.otherGroup : group.name}
          />
        ))}
        {outline.callbacks === undefined ? null : (
          <GroupLinks reading={reading} group={outline.callbacks} title={words.callbacksHeading} />
        )}
      </nav>
    </>
  )
}

type Heading = Extract<ProseBlock, { kind: 'heading' }>

function isTopHeading(blocks: readonly ProseBlock[]): (block: ProseBlock) => block is Heading {
  const levels = blocks.map((block) => (block.kind === 'heading' ? block.level : 9))
  const top = Math.min(9, ...levels)
  return (block): block is Heading => block.kind === 'heading' && block.level === top
}

type GroupLinksProps = {
  readonly reading: Reading
  readonly group: OperationGroup
  readonly title: string
}

function GroupLinks({ reading, group, title }: GroupLinksProps) {
  const isFromDocument = title === group.name
  return (
    <div class="part">
      <p lang={isFromDocument ? reading.textLang : undefined}>
        <a href={`#${group.id}`}>{title}</a>
      </p>
      <ul lang={reading.textLang}>
        {group.entries.map((entry) => (
          <li
            key={entry.id}
            data-find={`${entry.method} ${entry.path} ${entry.title}`.toLowerCase()}
          >
            <a href={`#${entry.id}`}>
              <span class={`method ${entry.method}`}>{entry.method.toUpperCase()}</span>
              <span>{entry.title}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
