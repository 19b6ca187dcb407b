/** What can be found: operations, fields, failure codes, and the chapters of guides. */

import { BASICS_PAGE, groupPath } from '../anchors.ts'
import { answersOf } from '../answer.ts'
import { codesAnchor } from '../failure-codes.tsx'
import { anchorsOf } from '../field-table.tsx'
import type { Guide } from '../guides/library.ts'
import { mediaOf, type Schema } from '../openapi.ts'
import { bodyOf, parameterField } from '../operation.tsx'
import type { OperationEntry, OperationGroup } from '../outline.ts'
import { type ProseBlock, plainText, withoutMarks } from '../prose-blocks.ts'
import type { Reading } from '../reading.ts'
import { type Field, fieldsOf } from '../schema-fields.ts'

export type Kind = 'operations' | 'fields' | 'codes' | 'guides'

export type Entry = {
  readonly kind: Kind
  readonly name: string
  /** Where it is, or what it means. */
  readonly detail: string
  readonly href: string
  /** Everything else that it is found by. */
  readonly text: string
  /** The operations that can give a code. */
  readonly places: readonly Place[]
}

type Place = { readonly title: string; readonly href: string }

export function entriesOf(reading: Reading): readonly Entry[] {
  const { groups } = reading.outline
  return [
    ...groups.flatMap((group) => group.entries.map((entry) => operationEntry(group, entry))),
    ...groups.flatMap((group) =>
      group.entries.flatMap((entry) => fieldEntries(reading, group, entry)),
    ),
    ...codeEntries(reading),
    ...chapterEntries('Basics', groupPath(BASICS_PAGE), reading.outline.basics),
    ...guidesBesideCodes(reading).flatMap(({ title, path, blocks }) =>
      chapterEntries(title, path, blocks),
    ),
  ]
}

/** The page of a code is found as that code, not chapter by chapter. */
function guidesBesideCodes({ library }: Reading): readonly Guide[] {
  const pages = new Set([...library.meanings.values()].map(({ path }) => path))
  return [...library.guides.values()].filter(({ path }) => !pages.has(path))
}

function operationEntry(group: OperationGroup, entry: OperationEntry): Entry {
  const { id, method, path, title, operation } = entry
  return {
    kind: 'operations',
    name: title,
    detail: entry.isCallback ? 'Callback' : `${method.toUpperCase()} ${path}`,
    href: `${group.path}#${id}`,
    text: [group.title, operation.operationId, withoutMarks(operation.description ?? '')].join(' '),
    places: [],
  }
}

/** A field that is in several forms or responses of an operation is listed once for it. */
function fieldEntries(
  reading: Reading,
  group: OperationGroup,
  entry: OperationEntry,
): readonly Entry[] {
  const fieldsIn = (schema: Schema | undefined): readonly Field[] =>
    schema === undefined ? [] : fieldsOf(reading.document, schema)
  const body = fieldsIn(mediaOf(bodyOf(reading, entry)?.content)?.media.schema)
  const parameters = entry.parameters.map((parameter) => parameterField(reading, parameter))
  const answers = answersOf(reading, entry).filter(({ status }) => status.startsWith('2'))
  const tables = [
    { where: 'parameter', anchor: entry.id, fields: parameters },
    {
      where: entry.isCallback ? 'callback' : 'request',
      anchor: `${entry.id}.body`,
      fields: body,
    },
    ...answers.map(({ status, schema }) => ({
      where: 'response',
      anchor: `${entry.id}.${status}`,
      fields: fieldsIn(schema),
    })),
  ]
  return tables.flatMap(({ where, anchor, fields }) => {
    const anchors = anchorsOf(anchor, fields)
    return fields.flatMap((field, index) => {
      const id = anchors[index]
      if (id === undefined) return []
      return {
        kind: 'fields' as const,
        name: [...field.parents, field.name].join('.'),
        detail: `${entry.title} · ${where}`,
        href: `${group.path}#${id}`,
        text: [group.title, entry.path, withoutMarks(field.description)].join(' '),
        places: [],
      }
    })
  })
}

function codeEntries(reading: Reading): readonly Entry[] {
  const places = new Map<string, Place[]>()
  for (const group of reading.outline.groups) {
    for (const entry of group.entries) {
      const responses = answersOf(reading, entry).map(({ response }) => response)
      const codes = [...responses, bodyOf(reading, entry)].flatMap(
        (part) => part?.['x-failure-codes'] ?? [],
      )
      for (const code of new Set(codes)) {
        const place = { title: entry.title, href: `${group.path}#${codesAnchor(entry)}` }
        places.set(code, [...(places.get(code) ?? []), place])
      }
    }
  }
  return [...new Set([...reading.library.meanings.keys(), ...places.keys()])].map((code) => {
    const meaning = reading.meaningOf(code)
    const own = places.get(code) ?? []
    const page = reading.library.guides.get(meaning?.path ?? '')?.blocks ?? []
    return {
      kind: 'codes',
      name: code,
      detail: withoutMarks(meaning?.what ?? ''),
      href: meaning?.path ?? own[0]?.href ?? '',
      text: page.map(plainText).join(' '),
      places: own,
    }
  })
}

/** A text is found by chapter; what stands before the first one belongs to its title. */
function chapterEntries(
  title: string,
  path: string,
  blocks: readonly ProseBlock[],
): readonly Entry[] {
  const chapters: { name: string; href: string; texts: string[] }[] = [
    { name: title, href: path, texts: [] },
  ]
  for (const block of blocks) {
    if (block.kind === 'heading' && block.id !== '') {
      const name = withoutMarks(block.text)
      chapters.push({ name, href: `${path}#${block.id}`, texts: [] })
    } else chapters.at(-1)?.texts.push(plainText(block))
  }
  return chapters.map(({ name, href, texts }, index) => ({
    kind: 'guides',
    name,
    detail: index === 0 ? '' : title,
    href,
    text: texts.join(' '),
    places: [],
  }))
}
