/**
 * The part of OpenAPI 3.1 that the reference reads. Optional members allow `undefined`, because
 * documents are put together by code that leaves members out in either way.
 */
export type Schema = {
  readonly $ref?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly type?: string | readonly string[] | undefined
  readonly format?: string | undefined
  readonly pattern?: string | undefined
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly enum?: readonly unknown[] | undefined
  readonly const?: unknown
  readonly default?: unknown
  readonly examples?: readonly unknown[] | undefined
  readonly properties?: Readonly<Record<string, Schema>> | undefined
  readonly required?: readonly string[] | undefined
  readonly additionalProperties?: boolean | Schema | undefined
  readonly patternProperties?: Readonly<Record<string, Schema>> | undefined
  readonly items?: Schema | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly anyOf?: readonly Schema[] | undefined
  readonly oneOf?: readonly Schema[] | undefined
  readonly allOf?: readonly Schema[] | undefined
}

export type Example = {
  readonly summary?: string | undefined
  readonly description?: string | undefined
  readonly value?: unknown
}

export type Media = {
  readonly schema?: Schema | undefined
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example>> | undefined
}

export type Parameter = {
  readonly $ref?: string | undefined
  readonly name?: string | undefined
  readonly in?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly schema?: Schema | undefined
  readonly example?: unknown
}

type WithCodes = {
  /** The failure codes that can stand in it. */
  readonly 'x-failure-codes'?: readonly string[] | undefined
}

type Body = WithCodes & {
  readonly $ref?: string | undefined
  readonly description?: string | undefined
  readonly required?: boolean | undefined
  readonly content?: Readonly<Record<string, Media>> | undefined
}

export type Response = WithCodes & {
  readonly $ref?: string | undefined
  readonly description?: string | undefined
  readonly content?: Readonly<Record<string, Media>> | undefined
  readonly headers?: Readonly<Record<string, Parameter>> | undefined
}

type SecurityScheme = {
  readonly type?: string | undefined
  readonly scheme?: string | undefined
  readonly description?: string | undefined
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export type Operation = {
  readonly operationId?: string | undefined
  readonly summary?: string | undefined
  readonly description?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly deprecated?: boolean | undefined
  readonly parameters?: readonly Parameter[] | undefined
  readonly requestBody?: Body | undefined
  readonly responses?: Readonly<Record<string, Response>> | undefined
  readonly security?: readonly SecurityRequirement[] | undefined
}

export const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const
export type Method = (typeof METHODS)[number]

export type PathItem = { readonly [method in Method]?: Operation | undefined } & {
  readonly parameters?: readonly Parameter[] | undefined
}

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary?: string | undefined
    readonly description?: string | undefined
  }
  readonly servers?: readonly { readonly url: string }[] | undefined
  readonly tags?: readonly Tag[] | undefined
  readonly paths?: Readonly<Record<string, PathItem>> | undefined
  readonly webhooks?: Readonly<Record<string, PathItem>> | undefined
  readonly security?: readonly SecurityRequirement[] | undefined
  readonly components?:
    | {
        readonly schemas?: Readonly<Record<string, Schema>> | undefined
        readonly parameters?: Readonly<Record<string, Parameter>> | undefined
        readonly headers?: Readonly<Record<string, Parameter>> | undefined
        readonly responses?: Readonly<Record<string, Response>> | undefined
        readonly requestBodies?: Readonly<Record<string, Body>> | undefined
        readonly securitySchemes?: Readonly<Record<string, SecurityScheme>> | undefined
      }
    | undefined
}

type Tag = { readonly name: string; readonly description?: string | undefined }

type Referable = { readonly $ref?: string | undefined }

/**
 * Follows a reference into one section of the components. What is beside a `$ref` wins, as in
 * JSON Schema 2020-12. A reference that leads nowhere gives what is beside it: a gap in one
 * description must not take the whole page away.
 */
export function resolve<T extends Referable>(
  section: Readonly<Record<string, T>> | undefined,
  value: T,
): T {
  let found = value
  for (let steps = 0; found.$ref !== undefined && steps < 20; steps++) {
    const { $ref, ...beside } = found
    const target = section?.[decodeName($ref)]
    found = { ...target, ...beside } as T
    if (target?.$ref !== undefined) found = { ...found, $ref: target.$ref }
  }
  return found
}

function decodeName(reference: string): string {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** JSON when the body has it, else whatever comes first. */
export function mediaOf(
  content: Readonly<Record<string, Media>> | undefined,
): { readonly contentType: string; readonly media: Media } | undefined {
  const entries = Object.entries(content ?? {})
  const [contentType, media] =
    entries.find(([name]) => name.startsWith('application/json')) ?? entries[0] ?? []
  return contentType === undefined || media === undefined ? undefined : { contentType, media }
}
