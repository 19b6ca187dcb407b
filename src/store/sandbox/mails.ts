import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Mail of the sandbox, which nobody sends. */
export type KeptMail = {
  readonly number: number
  readonly atMs: number
  readonly recipient: string
  readonly subject: string
  readonly text: string
}

export async function insertMail(db: Db, mail: Omit<KeptMail, 'number'>): Promise<void> {
  await db.query(
    `insert into mails (at, recipient, subject, text)
     values (to_timestamp($1::float8 / 1000), $2, $3, $4)`,
    [mail.atMs, mail.recipient, mail.subject, mail.text],
  )
}

/** Whether mail to a person is shown to anybody: see below. */
export async function isMailShown(db: Db, userId: number): Promise<boolean> {
  const [row] = await db.query<{ merchants: number }>(
    'select count(*)::int as merchants from memberships where user_id = $1',
    [userId],
  )
  return row?.merchants === 1
}

/**
 * Newest first, to people of this merchant and of no other: what is written to them would open the
 * other one too.
 */
export async function listMails(
  db: Db,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly KeptMail[]> {
  return db.query<KeptMail>(
    `select number::float8, (extract(epoch from at) * 1000)::float8 as "atMs", recipient, subject, text
     from mails where recipient in (
       select u.email from memberships ms join users u using (user_id)
       where ms.merchant_id = $1 and not u.is_staff and not exists (
         select from memberships other
         where other.user_id = ms.user_id and other.merchant_id <> ms.merchant_id))
     order by number desc limit $2`,
    [merchantId, limit],
  )
}
