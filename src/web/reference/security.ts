/** Who may call an operation, out of its security requirements or those of the whole document. */
import type { OpenApiDocument, Operation } from './openapi.ts'

type Security = {
  /** No token is needed at all. */
  readonly isOpen: boolean
  /** A token changes the answer but may be left out. */
  readonly isOptional: boolean
  /** Any of the scopes of a scheme is enough. */
  readonly schemes: readonly { readonly name: string; readonly scopes: readonly string[] }[]
}

export function securityOf(document: OpenApiDocument, operation: Operation): Security {
  const requirements = operation.security ?? document.security ?? []
  const named = requirements.flatMap((requirement) => Object.entries(requirement))
  const schemes = [...new Set(named.map(([name]) => name))].map((name) => ({
    name,
    scopes: named.flatMap(([other, scopes]) => (other === name ? scopes : [])),
  }))
  const mayBeAbsent = requirements.some((requirement) => Object.keys(requirement).length === 0)
  return { isOpen: schemes.length === 0, isOptional: mayBeAbsent && schemes.length > 0, schemes }
}
