import { ANY_UUID_PATTERN, UUID_V4_PATTERN } from '../domain/ids.ts'

/** Identifiers that merchants choose. Version 4 is the rule; a merchant may be allowed every one. */
export type IdentifierRule = {
  readonly anyUuid: boolean
  /** By code: of these, a refusal names the one that was meant. */
  readonly providers?: ReadonlyMap<string, unknown>
}

const ANY_UUID = new RegExp(ANY_UUID_PATTERN)

export const EXAMPLE_ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'

/** What is wrong with an identifier that is no UUID at all. */
export const NOT_A_UUID = `it must be a UUID version 4, such as ${EXAMPLE_ID}`

/** The same where every version is taken: identifiers that are looked up. */
export const NOT_ANY_UUID = `it must be a UUID, such as ${EXAMPLE_ID}`

/** What is wrong with an identifier, for the message; undefined when nothing is. */
export function identifierProblem(text: string, { anyUuid }: IdentifierRule): string | undefined {
  const isUuid = ANY_UUID.test(text)
  if (anyUuid) return isUuid ? undefined : NOT_ANY_UUID
  if (!isUuid) return NOT_A_UUID
  const version = text.charAt(14)
  if (version === '4') return undefined
  return (
    `it is a UUID version ${version}, and ${NOT_A_UUID}. The setting ` +
    "'malipo merchant identifiers <short-name> --any-uuid on', or PUT /sandbox/identifiers in the " +
    'sandbox, allows every version'
  )
}

/** The same schema with every version allowed. A schema is JSON. */
export function withAnyUuid(schema: object): object {
  return JSON.parse(
    JSON.stringify(schema, (_, value) => (value === UUID_V4_PATTERN ? ANY_UUID_PATTERN : value)),
  )
}
