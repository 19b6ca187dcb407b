import { type PaymentId, parsePaymentId } from '../domain/ids.ts'
import { invalid } from '../wire/fault.ts'
import { NOT_ANY_UUID } from '../wire/identifiers.ts'

/** Any UUID text is looked up; anything else cannot be an identifier. */
export function pathId(params: Readonly<Record<string, string>>, name: string): PaymentId {
  const id = parsePaymentId(params[name] ?? '')
  if (id === undefined) throw invalid(name, NOT_ANY_UUID)
  return id
}
