/**
 * The API reference at `/docs`, made from the OpenAPI document alone: one page, readable without
 * script and network, printable. The same document gives the same bytes, so it can be kept.
 */

import { assets } from '../assets.ts'
import { Frame } from '../frame.tsx'
import { type Page, renderPage } from '../page.tsx'
import { CATALOGUES, fill, type Lang } from '../words.ts'
import { Contents } from './contents.tsx'
import type { OpenApiDocument } from './openapi.ts'
import { OperationView } from './operation.tsx'
import { type OperationGroup, type Outline, outlineOf } from './outline.ts'
import { inline, Prose } from './prose.tsx'
import type { Reading } from './reading.ts'

const STYLE = assets('page.css', 'contents.css', 'reference.css')
const SCRIPT = assets('copy.js', 'reference.js')

export function renderReference(document: OpenApiDocument, lang: Lang): Page {
  const words = CATALOGUES[lang]
  const reading: Reading = { document, lang, words, textLang: lang === 'en' ? undefined : 'en' }
  const outline = outlineOf(document)
  return renderPage({
    lang,
    title: `${words.referenceTitle} · ${document.info.title}`,
    style: STYLE,
    script: SCRIPT,
    body: (
      <Frame lang={lang} path="/docs">
        <div class="reference">
          <Contents reading={reading} outline={outline} />
          <main id="content">
            <Introduction reading={reading} outline={outline} />
            {outline.groups.map((group) => (
              <Group
                key={group.id}
                reading={reading}
                group={group}
                title={group.name === '' ? words.otherGroup : group.name}
                isFromDocument={group.name !== ''}
              />
            ))}
            {outline.callbacks === undefined ? null : (
              <Group
                reading={reading}
                group={outline.callbacks}
                title={words.callbacksHeading}
                isFromDocument={false}
                isCallback
              />
            )}
          </main>
        </div>
      </Frame>
    ),
  })
}

function Introduction({
  reading,
  outline,
}: {
  readonly reading: Reading
  readonly outline: Outline
}) {
  const { document, words, textLang } = reading
  const { info, servers } = document
  return (
    <div class="introduction">
      <h1>
        {words.referenceTitle} <small lang={textLang}>{info.title}</small>
      </h1>
      <p class="edition">
        <span>{fill(words.documentVersion, { version: info.version })}</span>
        {servers?.[0] === undefined ? null : <code dir="ltr">{servers[0].url}</code>}
        <a href="/openapi.json">{words.openapiLink}</a>
      </p>
      {info.summary === undefined ? null : (
        <p class="lead" lang={textLang}>
          {inline(info.summary)}
        </p>
      )}
      <Prose blocks={outline.guide} level={2} lang={textLang} />
    </div>
  )
}

type GroupProps = {
  readonly reading: Reading
  readonly group: OperationGroup
  readonly title: string
  readonly isFromDocument: boolean
  readonly isCallback?: boolean
}

function Group({ reading, group, title, isFromDocument, isCallback = false }: GroupProps) {
  return (
    <section class="group" aria-labelledby={group.id}>
      <h2 id={group.id} lang={isFromDocument ? reading.textLang : undefined}>
        <a class="anchor" href={`#${group.id}`}>
          {title}
        </a>
      </h2>
      <Prose blocks={group.about} level={3} lang={reading.textLang} />
      {group.entries.map((entry) => (
        <OperationView key={entry.id} reading={reading} entry={entry} isCallback={isCallback} />
      ))}
    </section>
  )
}
