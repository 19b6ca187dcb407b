import type { Payment } from '../../../domain/payments/payment.ts'
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

/** The first letters of a name, for lists. */
export function maskedName(details: unknown): string {
  const { firstName, lastName } = (details ?? {}) as Readonly<Record<string, unknown>>
  return [firstName, lastName]
    .filter((name) => typeof name === 'string' && name !== '')
    .map((name) => `${[...(name as string)][0]}${MASKED}`)
    .join(' ')
}

/** A record of the API without personal data. */
export function maskedRecord(visit: Visit, payment: Payment, record: object): unknown {
  const hidden = new Set(
    (payment.details.metadata ?? []).filter(({ pii }) => pii).map(({ name }) => name),
  )
  const mask = (name: string, value: unknown): unknown => {
    if (value === payment.phoneNumber) return phoneText(visit, payment)
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
