import type { MetadataEntry, Payment } from '../../../domain/payments/payment.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Visit } from '../visit.ts'
import { MASKED, phoneText } from './parts.tsx'

/** Who sent and who got a remittance. */
const PERSONAL = new Set([
  'firstName',
  'lastName',
  'fullName',
  'dateOfBirth',
  'number',
  'phoneNumber',
  'address',
  'addressLine',
  'postalCode',
  'city',
])

/** The first letters of a name. */
export const maskedName = (details: unknown): string =>
  namesIn(details)
    .map((name) => `${[...name][0]}${MASKED}`)
    .join(' ')

/** Whole where the person has asked for it and may see it. */
export const nameText = (visit: Visit, details: unknown, isRevealed: boolean): string =>
  isRevealed && may(visit.person.role, 'pii:reveal')
    ? namesIn(details).join(' ')
    : maskedName(details)

function namesIn(details: unknown): readonly string[] {
  const { firstName, lastName } = (details ?? {}) as Readonly<Record<string, unknown>>
  return [firstName, lastName].filter((name) => typeof name === 'string' && name !== '') as string[]
}

/** A record of the API without personal data. */
export const maskedRecord = (visit: Visit, payment: Payment, record: object): unknown =>
  maskedWith(visit, [payment], payment.details.metadata, record)

/** The same of what several wallets have a part in. */
export function maskedWith(
  visit: Visit,
  wallets: readonly Pick<Payment, 'phoneNumber' | 'provider'>[],
  metadata: readonly MetadataEntry[] = [],
  record: object,
): unknown {
  const hidden = new Set(metadata.filter(({ pii }) => pii).map(({ name }) => name))
  const mask = (name: string, value: unknown): unknown => {
    const wallet = wallets.find(({ phoneNumber }) => phoneNumber === value)
    if (wallet !== undefined) return phoneText(visit, wallet)
    if (PERSONAL.has(name) && typeof value === 'string') return MASKED
    if (Array.isArray(value)) return value.map((one) => mask('', one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) =>
        name === 'metadata' && hidden.has(key) ? [key, MASKED] : [key, mask(key, inner)],
      ),
    )
  }
  return mask('', record)
}
