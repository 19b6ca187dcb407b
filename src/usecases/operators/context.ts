import type { PaymentContext } from '../payments/context.ts'
import type { OperatorDirectory } from './directory.ts'

/** What receiving callbacks of operators needs besides. */
export type OperatorContext = PaymentContext & { readonly operators: OperatorDirectory }
