/** The outline of the reference: which pages it has, what is on them, under which anchor. */
import { BASICS_PAGE, groupPath, idClaimer } from './anchors.ts'
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
  /** Sent by the service, not to it. */
  readonly isCallback: boolean
  /** For a callback, its name. */
  readonly path: string
  readonly title: string
  readonly operation: Operation
  readonly parameters: readonly Parameter[]
}

export type OperationGroup = {
  readonly id: string
  /** The address of its page. */
  readonly path: string
  readonly title: string
  readonly about: readonly ProseBlock[]
  readonly entries: readonly OperationEntry[]
}

export type Outline = {
  /** What holds for all operations. */
  readonly basics: readonly ProseBlock[]
  readonly groups: readonly OperationGroup[]
}

export function outlineOf(document: OpenApiDocument): Outline {
  const claimId = idClaimer()
  const basics = parseProse(document.info.description ?? '', claimId)
  const drafts = [
    ...draftsOf(document, document.webhooks, true),
    ...draftsOf(document, document.paths, false),
  ]
  const names = new Set([
    ...(document.tags ?? []).map((tag) => tag.name),
    ...drafts.map((draft) => draft.group),
  ])
  const groups = [...names]
    .map((name) => ({ name, drafts: drafts.filter((draft) => draft.group === name) }))
    .filter((group) => group.drafts.length > 0)
    .map((group) => groupOf(document, group, claimId))
  return { basics, groups }
}

/** Where each anchor of the reference is, with its page. */
export function addressesOf({ basics, groups }: Outline): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>()
  const add = (path: string, ids: readonly string[]): void => {
    for (const id of ids) addresses.set(id, `${path}#${id}`)
  }
  add(groupPath(BASICS_PAGE), idsOf(basics))
  for (const { id, path, about, entries } of groups) {
    add(path, [...idsOf(about), ...entries.map((entry) => entry.id)])
    addresses.set(id, path)
  }
  return addresses
}

const idsOf = (blocks: readonly ProseBlock[]): readonly string[] =>
  blocks.flatMap((block) => (block.kind === 'heading' ? [block.id] : []))

type Draft = Omit<OperationEntry, 'id'> & { readonly group: string }

function draftsOf(
  document: OpenApiDocument,
  items: Readonly<Record<string, PathItem>> | undefined,
  isCallback: boolean,
): readonly Draft[] {
  return Object.entries(items ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined
        ? []
        : [draftOf(document, { path, item, method, operation, isCallback })]
    }),
  )
}

type Place = {
  readonly path: string
  readonly item: PathItem
  readonly method: Method
  readonly operation: Operation
  readonly isCallback: boolean
}

function draftOf(document: OpenApiDocument, place: Place): Draft {
  const { path, item, method, operation, isCallback } = place
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  return {
    method,
    isCallback,
    path,
    operation,
    title: operation.summary ?? operation.operationId ?? path,
    group: operation.tags?.[0] ?? '',
    parameters: parameters.map((each) => resolve(document.components?.parameters, each)),
  }
}

function groupOf(
  document: OpenApiDocument,
  { name, drafts }: { readonly name: string; readonly drafts: readonly Draft[] },
  claimId: ClaimId,
): OperationGroup {
  const id = claimId(name === '' ? 'other' : name)
  const text = document.tags?.find((tag) => tag.name === name)?.description ?? ''
  const about = parseProse(text, claimId)
  const entries = drafts.map(({ group: _group, ...draft }) => ({
    ...draft,
    id: claimId(draft.operation.operationId ?? `${draft.method} ${draft.path}`),
  }))
  return { id, path: groupPath(id), title: titleOf(name), about, entries }
}

/** Tags are often written as identifiers; as headings they are words. */
function titleOf(tag: string): string {
  if (tag === '') return 'Other operations'
  return (tag.slice(0, 1).toUpperCase() + tag.slice(1)).replaceAll('-', ' ')
}
