/** What every page of the documentation is made from. */
import type { CodeMeaning, Library } from './guides/library.ts'
import type { OpenApiDocument } from './openapi.ts'
import { addressesOf, type Outline, outlineOf } from './outline.ts'
import type { ResolveLink } from './prose.tsx'

export type Reading = {
  readonly document: OpenApiDocument
  readonly outline: Outline
  readonly library: Library
  /** For texts of the reference, whose anchors may be on another page. */
  readonly resolveLink: ResolveLink
  readonly meaningOf: (code: string) => CodeMeaning | undefined
}

export function readingOf(document: OpenApiDocument, library: Library): Reading {
  const outline = outlineOf(document)
  const addresses = addressesOf(outline)
  return {
    document,
    outline,
    library,
    resolveLink: (target) =>
      target.startsWith('#') ? (addresses.get(target.slice(1)) ?? target) : target,
    meaningOf: (code) => library.meanings.get(code),
  }
}
