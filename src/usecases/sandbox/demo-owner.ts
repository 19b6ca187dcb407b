import { findMerchantBySlug } from '../../store/accounts/merchants.ts'
import type { Database } from '../../store/engine/database.ts'
import { putMembership, putUser } from '../../store/people/users.ts'
import { newLink, signInUrl } from '../people/manage-users.ts'
import { DEMO_SLUG } from './seed-demo.ts'

const OWNER = 'owner@demo.example'

/** A link that signs in once, as the owner of the demo merchant. */
export async function inviteOwner(
  database: Database,
  publicUrl: string,
  now: number,
): Promise<string | undefined> {
  return database.inTransaction(async (tx) => {
    const merchant = await findMerchantBySlug(tx, DEMO_SLUG)
    const user = await putUser(tx, { email: OWNER, isStaff: false, now })
    if (merchant === undefined || user === undefined) return undefined
    const { userId } = user
    await putMembership(tx, { merchantId: merchant.id, userId, role: 'owner', countries: [], now })
    return signInUrl(publicUrl, await newLink(tx, userId, 'SIGN_IN', now))
  })
}
