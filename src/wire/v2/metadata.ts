import type { MetadataEntry } from '../../domain/payments/payment.ts'
import { METADATA } from '../../domain/payments/request-limits.ts'
import { invalid, RequestFault } from '../fault.ts'
import { Type } from '../schema.ts'

/** Up to ten named values: in a request a list of single-name objects, in a record one object. */
const { entriesMax: ENTRIES_MAX, nameMax: NAME_MAX, valueMax: VALUE_MAX } = METADATA
const PII = 'isPII'

export const MetadataRequest = Type.Array(
  Type.Object(
    { isPII: Type.Optional(Type.Boolean({ description: 'the value is personal data' })) },
    {
      additionalProperties: Type.String({ minLength: 1, maxLength: VALUE_MAX }),
      description: `one name of your choice (1 to ${NAME_MAX} characters) with a text of 1 to ${VALUE_MAX} characters`,
      examples: [{ orderId: 'ORD-123456789' }],
    },
  ),
  {
    maxItems: ENTRIES_MAX,
    description: 'values of your own, kept with the payment; the customer never sees them',
    examples: [[{ orderId: 'ORD-123456789' }, { customerId: 'customer@email.com', isPII: true }]],
  },
)

export const MetadataRecord = Type.Record(Type.String(), Type.String(), {
  description: 'the metadata of the request, as one object from name to value',
  examples: [{ orderId: 'ORD-123456789', customerId: 'customer@email.com' }],
})

export function readMetadata(
  entries: readonly Readonly<Record<string, unknown>>[] | undefined,
): readonly MetadataEntry[] | undefined {
  if (entries === undefined || entries.length === 0) return undefined
  const read = entries.map(readEntry)
  const names = new Set<string>()
  for (const { name } of read) {
    if (names.has(name)) {
      throw new RequestFault(
        'DUPLICATE_METADATA_FIELD',
        `The parameter 'metadata' holds the name '${name}' more than once. Use each name once.`,
        'metadata',
      )
    }
    names.add(name)
  }
  return read
}

function readEntry(entry: Readonly<Record<string, unknown>>): MetadataEntry {
  const names = Object.keys(entry).filter((name) => name !== PII)
  const [name] = names
  if (name === undefined || names.length > 1) {
    throw invalid('metadata', 'each entry holds exactly one name with its value')
  }
  if (name.length === 0 || [...name].length > NAME_MAX) {
    throw invalid('metadata', `a name has 1 to ${NAME_MAX} characters`)
  }
  const value = entry[name]
  if (typeof value !== 'string' || value.length === 0 || [...value].length > VALUE_MAX) {
    throw invalid(
      'metadata',
      `the value of '${name}' must be a text of 1 to ${VALUE_MAX} characters`,
    )
  }
  return { name, value, pii: entry[PII] === true }
}

export function fromMetadata(
  entries: readonly MetadataEntry[] | undefined,
): Record<string, string> | undefined {
  if (entries === undefined) return undefined
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}
