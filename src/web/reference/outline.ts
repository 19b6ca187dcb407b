/** The outline of the reference: what is on the page, in which order, under which anchor. */
import { idClaimer } from './anchors.ts'
import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  resolve,
} from './openapi.ts'
import { type ClaimId, type ProseBlock, parseProse } from './prose-blocks.ts'

export type OperationEntry = {
  readonly id: string
  readonly method: Method
  /** For a callback, its name. */
  readonly path: string
  readonly title: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

export type OperationGroup = {
  readonly id: string
  /** Empty for operations without a tag. */
  readonly name: string
  readonly about: readonly ProseBlock[]
  readonly entries: readonly OperationEntry[]
}

export type Outline = {
  readonly guide: readonly ProseBlock[]
  readonly groups: readonly OperationGroup[]
  readonly callbacks: OperationGroup | undefined
}

export function outlineOf(document: OpenApiDocument): Outline {
  const claimId = idClaimer()
  const guide = parseProse(document.info.description ?? '', claimId)
  const calls = draftsOf(document, document.paths)
  const webhooks = draftsOf(document, document.webhooks)
  const names = new Set([
    ...(document.tags ?? []).map((tag) => tag.name),
    ...calls.map((draft) => draft.group),
  ])
  const groups = [...names]
    .map((name) => ({ name, drafts: calls.filter((draft) => draft.group === name) }))
    .filter(({ drafts }) => drafts.length > 0)
    .map(({ name, drafts }) => groupOf(document, { tags: [name], drafts, idFrom: name }, claimId))
  const ownTags = [...new Set(webhooks.map((draft) => draft.group))].filter(
    (name) => !calls.some((draft) => draft.group === name),
  )
  const callbacks =
    webhooks.length === 0
      ? undefined
      : groupOf(document, { tags: ownTags, drafts: webhooks, idFrom: 'callbacks' }, claimId)
  return { guide, groups, callbacks }
}

type Draft = Omit<OperationEntry, 'id'> & { readonly group: string }

function draftsOf(
  document: OpenApiDocument,
  items: Readonly<Record<string, PathItem>> | undefined,
): readonly Draft[] {
  return Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [draftOf(document, { path, item, method, operation })]
    }),
  )
}

type Place = {
  readonly path: string
  readonly item: PathItem
  readonly method: Method
  readonly operation: Operation
}

function draftOf(document: OpenApiDocument, { path, item, method, operation }: Place): Draft {
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  return {
    method,
    path,
    operation,
    title: operation.summary ?? operation.operationId ?? path,
    group: operation.tags?.[0] ?? '',
    parameters: parameters.map((each) => resolve(document.components?.parameters, each)),
  }
}

type GroupDraft = {
  readonly tags: readonly string[]
  readonly drafts: readonly Draft[]
  readonly idFrom: string
}

function groupOf(
  document: OpenApiDocument,
  { tags, drafts, idFrom }: GroupDraft,
  claimId: ClaimId,
): OperationGroup {
  const id = claimId(idFrom === '' ? 'other' : idFrom)
  const about = tags
    .map((name) => document.tags?.find((tag) => tag.name === name)?.description ?? '')
    .flatMap((text) => parseProse(text, claimId))
  const entries = drafts.map(({ group: _group, ...draft }) => ({
    ...draft,
    id: claimId(draft.operation.operationId ?? `${draft.method} ${draft.path}`),
  }))
  return { id, name: heading(tags[0] ?? ''), about, entries }
}

/** Tags are often written as identifiers; as headings they are words. */
function heading(tag: string): string {
  return (tag.slice(0, 1).toUpperCase() + tag.slice(1)).replaceAll('-', ' ')
}
