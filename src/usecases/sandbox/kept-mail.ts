import type { MerchantId } from '../../domain/ids.ts'
import { type KeptMail, listMails } from '../../store/sandbox/mails.ts'
import type { Context } from '../context.ts'

const SHOWN = 100

/** What would have been sent to the people of a merchant, newest first. */
export const keptMailOf = (ctx: Context, merchantId: MerchantId): Promise<readonly KeptMail[]> =>
  listMails(ctx.db, merchantId, SHOWN)
