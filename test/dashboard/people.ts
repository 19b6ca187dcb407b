import type { Service } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import type { Role } from '../../src/domain/people/roles.ts'
import { hashPassword } from '../../src/signing/passwords.ts'
import { changeUser, putMembership, putUser } from '../../src/store/people/users.ts'

export const PASSWORD = 'violet harbour lantern'
/** As strong as others, and made faster. */
const STORED = await hashPassword(PASSWORD, { log2N: 10, r: 8, p: 1 })

let count = 0

/** Somebody who signs in with the password. */
export async function personWithPassword(
  { database }: Pick<Service, 'database'>,
  role: Role = 'owner',
  merchantIds: readonly number[] = [1],
): Promise<{ readonly email: string; readonly userId: number }> {
  count += 1
  const email = `person-${process.pid}-${count}@example.com`
  const now = Date.now()
  return database.inTransaction(async (tx) => {
    const user = await putUser(tx, { email, isStaff: false, now })
    if (user === undefined) throw new Error('there is no such user')
    const { userId } = user
    for (const merchantId of merchantIds as readonly MerchantId[]) {
      await putMembership(tx, { merchantId, userId, role, countries: [], now })
    }
    await changeUser(tx, userId, { passwordHash: STORED })
    return { email, userId }
  })
}
