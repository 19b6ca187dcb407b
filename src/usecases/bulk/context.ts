import type { PaymentContext } from '../payments/context.ts'
import type { PeopleContext, Person } from '../people/context.ts'

/** What people do with bulk payouts before they are sent. */
export type BulkContext = PaymentContext & PeopleContext

export const seerOf = ({ user, countries }: Person) => ({ userId: user.userId, countries })
