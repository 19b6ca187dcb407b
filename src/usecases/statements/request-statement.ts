import { randomUUID } from 'node:crypto'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { periodRefusal, type StatementWallet } from '../../domain/statements/statement.ts'
import { addStatement } from '../../store/statements/statements.ts'
import { archivedPeriod } from '../archive/archived.ts'
import type { StatementContext } from './context.ts'

type StatementCommand = {
  readonly wallet: StatementWallet
  readonly callbackUrl: string
  readonly startAt: number
  readonly endAt: number
  readonly compressed: boolean
  readonly showsPii: boolean
}

type StatementRequested =
  | { readonly status: 'ACCEPTED'; readonly id: PaymentId; readonly createdAt: number }
  | { readonly status: 'REJECTED'; readonly failure: Failure }

/** Stores the request for a statement; a node writes the file as soon as one is free. */
export async function requestStatement(
  ctx: StatementContext,
  merchant: Merchant,
  command: StatementCommand,
): Promise<StatementRequested> {
  const refusal =
    addressRefusal(ctx.callbacks.refusalOf(command.callbackUrl)) ??
    periodRefusal(command.startAt, command.endAt) ??
    (await archivedPeriod(ctx, merchant.id, command.startAt))
  if (refusal !== undefined) return { status: 'REJECTED', failure: refusal }
  const id = randomUUID() as string as PaymentId
  const createdAt = ctx.clock.now()
  const named = { merchantId: merchant.id, id, key: ctx.newKey(), createdAt }
  if (!(await addStatement(ctx.db, { ...command, ...named }))) {
    return { status: 'REJECTED', failure: noWallet(command.wallet) }
  }
  ctx.work.wake()
  return { status: 'ACCEPTED', id, createdAt }
}

function addressRefusal(reason: string | undefined): Failure | undefined {
  if (reason === undefined) return undefined
  return {
    code: 'INVALID_CALLBACK_URL',
    message: `The callback address cannot be used: ${reason.replace(/^The /, 'the ')}.`,
  }
}

function noWallet({ country, currency, provider }: StatementWallet): Failure {
  const whose = provider === undefined ? '' : ` of '${provider}' alone`
  return {
    code: 'WALLET_NOT_FOUND',
    message:
      `This account has no wallet${whose} for '${currency}' in '${country}'. ` +
      'The wallet balances list the wallets that exist.',
  }
}
