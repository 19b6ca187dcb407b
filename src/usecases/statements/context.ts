import type { CallbackSender } from '../../callbacks/send.ts'
import type { Context } from '../context.ts'
import type { StatementLinks } from './statement-links.ts'

/** What statements need besides: a link to the file, and an address to announce it to. */
export type StatementContext = Context & {
  readonly statementLinks: StatementLinks
  readonly callbacks: Pick<CallbackSender, 'refusalOf'>
}
