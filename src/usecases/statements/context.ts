import type { CallbackSender } from '../../callbacks/send.ts'
import type { Amount } from '../../domain/amount.ts'
import type { Localised } from '../../domain/hosted/instructions.ts'
import type { StatementSubject } from '../../domain/statements/export.ts'
import type { Movement } from '../../domain/statements/statement-file.ts'
import type { Context } from '../context.ts'
import type { StatementLinks } from './statement-links.ts'

/** What statements need besides: a link to the file, and an address to announce it to. */
export type StatementContext = Context & {
  readonly statementLinks: StatementLinks
  readonly callbacks: Pick<CallbackSender, 'refusalOf'>
  readonly files: FileWriters
}

export type StatementOnPaper = {
  readonly subject: StatementSubject
  readonly merchantName: string
  readonly merchantSlug: string
  /** Names where codes would do, as far as they are known. */
  readonly country: Localised | undefined
  readonly provider: string | undefined
  readonly opening: Amount
  readonly closing: Amount
  readonly madeAt: number
}

/** A movement, the balance after it, and whether it is listed or only counted. */
export type MovementOnPaper = {
  readonly movement: Movement
  readonly balanceAfter: Amount
  readonly isListed: boolean
}

/** Files for people, some rows at a time; how they look is decided where pages are made. */
export type FileWriters = {
  readonly statementPdf: (
    statement: StatementOnPaper,
    movements: AsyncIterable<readonly MovementOnPaper[]>,
  ) => AsyncIterable<Buffer>
}

/** Lines of a file, and how many rows are in them. */
export type SomeLines = { readonly text: string; readonly rows: number }
