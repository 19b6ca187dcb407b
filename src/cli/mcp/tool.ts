import { redact } from '../../domain/accounts/redaction.ts'
import { type TObject, Type } from '../../wire/schema.ts'
import type { ServiceClient } from '../service-client.ts'

/** Something that an agent may ask for. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What it takes, as JSON Schema. */
  readonly takes: TObject
  /** It starts something, with the money of others. */
  readonly startsPayments?: true
  readonly run: (service: Audited, given: Given) => Promise<object>
}

/** What it was given; numbers are texts by then. */
export type Given = Readonly<Record<string, string>>

/** One of these texts. Some clients refuse what has no type. */
export const oneOf = (values: readonly string[]) => Type.Enum([...values], { type: 'string' })

/** The service, asked so that its log of requests names the tool. */
export type Audited = Pick<ServiceClient, 'get' | 'post'>

/** What an agent gets to see of an answer of the service. */
export type Shown = (answer: unknown) => object

/** Without `isPersonal`, phone numbers and metadata are hidden, also from a token that sees them. */
export const shownTo =
  (isPersonal: boolean): Shown =>
  (answer) =>
    (isPersonal ? answer : redact(answer, true, true).value) as object

/** What cannot be done, in words for the agent. */
export class Refusal extends Error {}

/** `via` shows in the requests of the token; the service does not read it. */
export function audited(client: ServiceClient, tool: string): Audited {
  const named = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}via=mcp.${tool}`
  return {
    get: (path) => client.get(named(path)),
    post: (path, body) => client.post(named(path), body),
  }
}
