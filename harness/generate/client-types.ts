import type { OpenApiDocument, Parameter, Schema } from '../../src/web/reference/openapi.ts'
import {
  answerSchemas,
  bodySchema,
  nameOf,
  namesIn,
  operationsOf,
  type Placed,
} from './api-schemas.ts'
import { declaration, innerType, WIDTH } from './type-text.ts'

/** Where they are. */
export const CLIENT_TYPES = 'src/sdk/client/api'

const HEADER = '// Made from the OpenAPI document by "npm run client-types". Do not edit.\n'

/** Schemas that so many groups use belong to none of them. */
const SHARED_BY = 3
const SHARED = 'shared'

/** The types of `malipo/client`, from the reference of the API: text by name of file. */
export function clientTypeFiles(document: OpenApiDocument): ReadonlyMap<string, string> {
  const operations = operationsOf(document).filter(({ tag }) => tag !== 'sandbox')
  const schemas = document.components?.schemas ?? {}
  const homes = homesOf(operations, schemas)
  const files = new Map<string, string>()
  for (const home of new Set(homes.values())) {
    const names = [...homes].filter(([, one]) => one === home).map(([name]) => name)
    const written = new Map<string, string>()
    const types = names.map((name) => declaration(name, schemas[name] ?? {}, written))
    const used = names.flatMap((name) => namesIn(schemas[name]))
    files.set(home, [HEADER, imports(used, homes, home), types.join('\n')].join(''))
  }
  files.set('operations', operationsText(operations))
  files.set('calls', callsText(operations, homes))
  return new Map([...files].map(([name, text]) => [`${name}.ts`, text]))
}

/** Which file each schema goes to: that of the first group of operations that uses it. */
function homesOf(
  operations: readonly Placed[],
  schemas: Readonly<Record<string, Schema>>,
): ReadonlyMap<string, string> {
  const users = new Map<string, Set<string>>()
  const note = (name: string, tag: string): void => {
    const tags = users.get(name) ?? new Set()
    if (tags.has(tag)) return
    users.set(name, tags.add(tag))
    for (const inner of namesIn(schemas[name])) note(inner, tag)
  }
  for (const one of operations) {
    for (const name of namesIn([bodySchema(one), ...answerSchemas(one)])) note(name, one.tag)
  }
  return new Map(
    [...users].map(([name, tags]) => {
      const [first = ''] = tags
      return [name, tags.size >= SHARED_BY ? SHARED : first]
    }),
  )
}

function imports(
  used: readonly string[],
  homes: ReadonlyMap<string, string>,
  home: string,
): string {
  const others = [...new Set(used.map((name) => homes.get(name) ?? ''))]
    .filter((one) => one !== home)
    .toSorted()
  const lines = others.map((other) => {
    const names = [...new Set(used.filter((name) => homes.get(name) === other))].toSorted()
    const line = `import type { ${names.join(', ')} } from './${other}.ts'\n`
    if (line.length <= WIDTH + 1) return line
    return `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './${other}.ts'\n`
  })
  return lines.length === 0 ? '\n' : `${lines.join('')}\n`
}

/** How each operation is called, by its name in the document. */
function operationsText(operations: readonly Placed[]): string {
  const calls = operations.map(({ id, method, path, operation }) => {
    const isSignable = operation.parameters?.some(({ name }) => name === 'Signature') === true
    const facts = [`method: '${method}'`, `path: '${path}'`, `isSignable: ${isSignable}`]
    const line = `  ${id}: { ${facts.join(', ')} },`
    if (line.length <= WIDTH) return line
    return `  ${id}: {\n${facts.map((one) => `    ${one},\n`).join('')}  },`
  })
  return `${HEADER}\nexport const OPERATIONS = {\n${calls.join('\n')}\n} as const\n`
}

/** What goes into each of them, and what comes back when it is taken. */
function callsText(operations: readonly Placed[], homes: ReadonlyMap<string, string>): string {
  const used = operations.flatMap((one) => namesIn([bodySchema(one), ...answerSchemas(one)]))
  const calls = operations.map(callText).join('\n')
  return `${HEADER}${imports(used, homes, 'calls')}export type Calls = {\n${calls}\n}\n`
}

function callText(placed: Placed): string {
  const body = bodySchema(placed)
  const { parameters = [] } = placed.operation
  const params = parameters.filter((one) => one.in === 'path').map(({ name }) => `'${name}'`)
  const query = parameters.filter((one) => one.in === 'query')
  const lines = [
    ...(params.length === 0 ? [] : [`params: ${params.join(' | ')}`]),
    ...(query.length === 0 ? [] : [`query: ${innerType(queryOf(query), '    ', 0)}`]),
    ...(body === undefined ? [] : [`body: ${reference(body)}`]),
    `answer: ${answerSchemas(placed).map(reference).join(' | ')}`,
  ]
  return `  ${placed.id}: {\n${lines.map((one) => `    readonly ${one}\n`).join('')}  }`
}

/** Bodies and answers are named schemas, or arrays of them. */
function reference(schema: Schema): string {
  if (schema.type === 'array') return `readonly ${reference(schema.items ?? {})}[]`
  return nameOf(schema.$ref ?? '')
}

const queryOf = (query: readonly Parameter[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(query.map(({ name = '', schema = {} }) => [name, schema])),
  required: query.filter(({ required }) => required).map(({ name = '' }) => name),
})
