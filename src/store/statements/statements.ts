import type { Failure, FailureCode } from '../../domain/failure.ts'
import {
  type MerchantId,
  type NodeId,
  type PaymentId,
  type PaymentKey,
  UNHELD,
} from '../../domain/ids.ts'
import { walletName, walletNamed } from '../../domain/payments/ledger.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { Statement, StatementState } from '../../domain/statements/statement.ts'
import type { Db } from '../engine/database.ts'
import { claimFile, type HeldFile, IS_HELD, nameOf } from './held-files.ts'

/** Statements as rows: who holds one, and how it ended. Their files are in `file-pieces.ts`. */
type NewStatement = Pick<
  Statement,
  | 'merchantId'
  | 'id'
  | 'key'
  | 'wallet'
  | 'callbackUrl'
  | 'startAt'
  | 'endAt'
  | 'compressed'
  | 'showsPii'
> & { readonly createdAt: number }

/** False, and nothing is stored, when the merchant has no such wallet. */
export async function addStatement(db: Db, statement: NewStatement): Promise<boolean> {
  const { wallet } = statement
  const rows = await db.query(
    `insert into statements
       (merchant_id, id, key, created_at, wallet, start_at, end_at, compressed, callback_url, state,
        holder, due_at, shows_pii)
     select merchant_id, $3, $4, to_timestamp($5::float8 / 1000), account,
            to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000), $8, $9, 'PROCESSING',
            ${UNHELD}, to_timestamp($5::float8 / 1000), $10
     from accounts where merchant_id = $1 and account = $2 and type = 'wallet'
     returning 1`,
    [
      statement.merchantId,
      walletName(wallet.country, wallet.currency, wallet.provider),
      statement.id,
      statement.key,
      statement.createdAt,
      statement.startAt,
      statement.endAt,
      statement.compressed,
      statement.callbackUrl,
      statement.showsPii,
    ],
  )
  return rows.length === 1
}

type Row = {
  readonly merchant_id: MerchantId
  readonly id: PaymentId
  readonly key: PaymentKey
  readonly state: StatementState
  readonly wallet: string
  readonly callback_url: string
  readonly compressed: boolean
  readonly shows_pii: boolean
  readonly created_ms: number
  readonly start_ms: number
  readonly end_ms: number
  readonly ended_ms: number | null
  readonly opening_balance: string | null
  readonly closing_balance: string | null
  readonly file_size: string | null
  readonly download_url: string | null
  readonly failure_code: FailureCode | null
  readonly failure_message: string | null
}

const COLUMNS = `
  f.merchant_id, f.id, f.key, f.state, f.wallet, f.callback_url, f.compressed, f.shows_pii,
  (extract(epoch from f.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from f.start_at) * 1000)::float8 as start_ms,
  (extract(epoch from f.end_at) * 1000)::float8 as end_ms,
  (extract(epoch from f.ended_at) * 1000)::float8 as ended_ms,
  f.opening_balance::text as opening_balance, f.closing_balance::text as closing_balance,
  f.file_size, f.download_url, f.failure_code, f.failure_message`

function toStatement(row: Row): Statement {
  return {
    kind: 'statement',
    merchantId: row.merchant_id,
    id: row.id,
    idAsSent: row.id,
    key: row.key,
    generation: 'v2',
    state: row.state,
    wallet: walletNamed(row.wallet),
    callbackUrl: row.callback_url,
    startAt: Math.round(row.start_ms),
    endAt: Math.round(row.end_ms),
    compressed: row.compressed,
    showsPii: row.shows_pii,
    createdAt: Math.round(row.created_ms),
    ...present({
      endedAt: ifGiven(row.ended_ms, Math.round),
      openingBalance: row.opening_balance,
      closingBalance: row.closing_balance,
      fileSize: ifGiven(row.file_size, Number),
      downloadUrl: row.download_url,
      failure: ifGiven(row.failure_code, (code) => ({ code, message: row.failure_message ?? '' })),
    }),
  }
}

export async function findStatement(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
): Promise<Statement | undefined> {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from statements f where f.merchant_id = $1 and f.id = $2`,
    [merchantId, id],
    'find-statement',
  )
  return row === undefined ? undefined : toStatement(row)
}

export type HeldStatement = HeldFile & { readonly statement: Statement }

export async function claimStatement(
  db: Db,
  node: NodeId,
  now: number,
): Promise<HeldStatement | undefined> {
  const claimed = await claimFile<Row>(db, 'statements', COLUMNS, { node, now })
  return claimed && { ...claimed.held, statement: toStatement(claimed.row) }
}

export type StatementEnd =
  | {
      readonly state: 'COMPLETED'
      readonly openingBalance: string
      readonly closingBalance: string
      readonly fileSize: number
      readonly downloadUrl: string
    }
  | { readonly state: 'FAILED'; readonly failure: Failure }

/**
 * Ends a statement, once, together with the callback that is owed for it. False when the node does
 * not hold it any more: another one works on it, or it is gone.
 */
export async function endStatement(
  db: Db,
  held: HeldStatement,
  end: StatementEnd,
  now: number,
): Promise<boolean> {
  const file = end.state === 'COMPLETED' ? end : undefined
  const failure = end.state === 'FAILED' ? end.failure : undefined
  const rows = await db.query(
    `with ended as (
       update statements set state = $5, ended_at = to_timestamp($6::float8 / 1000), due_at = null,
         holder = ${UNHELD}, opening_balance = $7, closing_balance = $8, file_size = $9,
         download_url = $10, failure_code = $11, failure_message = $12,
         has_file = $10::text is not null
       where ${IS_HELD}
       returning merchant_id, id, key, state, ended_at
     ), owed as (
       insert into callbacks
         (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
          round_started_at, tries, attempts, resend)
       select merchant_id, key, state, 'statement', id, ended_at, 'PENDING', ${UNHELD}, ended_at,
              ended_at, 0, 0, false
       from ended
     )
     select 1 from ended`,
    [
      ...nameOf(held),
      end.state,
      now,
      file?.openingBalance ?? null,
      file?.closingBalance ?? null,
      file?.fileSize ?? null,
      file?.downloadUrl ?? null,
      failure?.code ?? null,
      failure?.message ?? null,
    ],
    'end-statement',
  )
  return rows.length === 1
}
