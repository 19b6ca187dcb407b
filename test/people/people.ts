import assert from 'node:assert/strict'
import { eventually, type Service } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import type { Role } from '../../src/domain/people/roles.ts'
import { hashPassword } from '../../src/signing/passwords.ts'
import { changeUser, putMembership, putUser } from '../../src/store/people/users.ts'
import type { Got, Jar } from '../support/cookie-jar.ts'

export const PASSWORD = 'violet harbour lantern'
/** As strong as others, and made faster. */
export const STORED = await hashPassword(PASSWORD, { log2N: 10, r: 8, p: 1 })

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

type Mailing = Pick<Service, 'database'>

/** How many mails somebody has, to tell afterwards which are new. */
export async function mailsTo({ database }: Mailing, email: string): Promise<readonly string[]> {
  const rows = await database.query<{ subject: string }>(
    'select subject from mails where recipient = $1 order by number',
    [email],
  )
  return rows.map(({ subject }) => subject)
}

/** The code in the mail that comes after so many others. */
export const mailedCode = (service: Mailing, email: string, after: number): Promise<string> =>
  eventually(async () => {
    const code = /^(\d{6}) /.exec((await mailsTo(service, email))[after] ?? '')?.[1]
    assert.ok(code !== undefined, `no code for ${email} yet`)
    return code
  })

/** Gives the password, and then the code that comes by mail. */
export async function enter(
  service: Mailing,
  jar: Jar,
  email: string,
  { password = PASSWORD, ...more }: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const { length } = await mailsTo(service, email)
  const half = await jar.post('/sign-in', { email, password, ...more })
  assert.equal(half.status, 303)
  assert.match(half.location ?? '', /^\/sign-in\?/)
  return jar.post('/sign-in', { ...more, code: await mailedCode(service, email, length) })
}
