import type { MetadataEntry } from '../../domain/payments/payment.ts'
import { RequestFault } from '../fault.ts'
import { type Static, Type } from '../schema.ts'

/** Up to ten named values: in a request a list of names and values, in a record one object. */
export const MetadataRequest = Type.Array(
  Type.Object(
    {
      fieldName: Type.String({ minLength: 1, maxLength: 64, examples: ['orderId'] }),
      fieldValue: Type.String({ minLength: 1, maxLength: 512, examples: ['ORD-123456789'] }),
      isPII: Type.Optional(Type.Boolean({ description: 'the value is personal data' })),
    },
    { additionalProperties: false },
  ),
  {
    maxItems: 10,
    description: 'values of your own, kept with the payment; the customer never sees them',
  },
)

export function readMetadata(
  entries: Static<typeof MetadataRequest> | undefined,
): readonly MetadataEntry[] | undefined {
  if (entries === undefined || entries.length === 0) return undefined
  const names = new Set<string>()
  return entries.map(({ fieldName, fieldValue, isPII }) => {
    if (names.has(fieldName)) {
      throw new RequestFault(
        'DUPLICATE_METADATA_FIELD',
        `The parameter 'metadata' holds the name '${fieldName}' more than once. Use each name once.`,
        'metadata',
        `'${fieldName}'`,
      )
    }
    names.add(fieldName)
    return { name: fieldName, value: fieldValue, pii: isPII === true }
  })
}

export function fromMetadata(
  entries: readonly MetadataEntry[] | undefined,
): Record<string, string> | undefined {
  if (entries === undefined) return undefined
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]))
}
