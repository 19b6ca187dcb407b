import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type {
  Export,
  ExportFailure,
  ExportFormat,
  ExportState,
  ExportSubject,
} from '../../domain/statements/export.ts'
import type { Db } from '../engine/database.ts'
import { claimFile, type HeldFile, IS_HELD, nameOf } from './held-files.ts'

/** Exports as rows: who asked, who holds one, how it ended. Their files are in `file-pieces.ts`. */
export type NewExport = Pick<
  Export,
  'merchantId' | 'id' | 'userId' | 'createdAt' | 'subject' | 'format' | 'showsPii'
>

export async function addExport(tx: Db, one: NewExport): Promise<void> {
  await tx.query(
    `insert into exports
       (merchant_id, id, user_id, created_at, subject, format, shows_pii, state, holder, due_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000), $5, $6, $7, 'PROCESSING', ${UNHELD},
             to_timestamp($4::float8 / 1000))`,
    [one.merchantId, one.id, one.userId, one.createdAt, one.subject, one.format, one.showsPii],
  )
}

type Row = {
  readonly merchant_id: MerchantId
  readonly id: string
  readonly user_id: number
  readonly email: string
  readonly created_ms: number
  readonly subject: ExportSubject
  readonly format: ExportFormat
  readonly shows_pii: boolean
  readonly state: ExportState
  readonly rows: string
  readonly file_size: string | null
  readonly ended_ms: number | null
  readonly failure: ExportFailure | null
  readonly has_file: boolean
}

const COLUMNS = `
  f.merchant_id, f.id, f.user_id, (select u.email from users u where u.user_id = f.user_id) as email,
  (extract(epoch from f.created_at) * 1000)::float8 as created_ms, f.subject, f.format, f.shows_pii,
  f.state, f.rows, f.file_size, (extract(epoch from f.ended_at) * 1000)::float8 as ended_ms,
  f.failure, f.has_file`

function toExport(row: Row): Export {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    userId: row.user_id,
    askedBy: row.email,
    createdAt: Math.round(row.created_ms),
    subject: row.subject,
    format: row.format,
    showsPii: row.shows_pii,
    state: row.state,
    rows: Number(row.rows),
    hasFile: row.has_file,
    ...present({
      fileSize: ifGiven(row.file_size, Number),
      endedAt: ifGiven(row.ended_ms, Math.round),
      failure: row.failure,
    }),
  }
}

export async function findExport(
  db: Db,
  merchantId: MerchantId,
  id: string,
): Promise<Export | undefined> {
  const [row] = await db.query<Row>(
    `select ${COLUMNS} from exports f where f.merchant_id = $1 and f.id = $2`,
    [merchantId, id],
  )
  return row === undefined ? undefined : toExport(row)
}

/** The latest first. */
export async function listExports(
  db: Db,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly Export[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} from exports f where f.merchant_id = $1
     order by f.created_at desc, f.id limit $2`,
    [merchantId, limit],
  )
  return rows.map(toExport)
}

export type HeldExport = HeldFile & { readonly export: Export }

export async function claimExport(
  db: Db,
  node: NodeId,
  now: number,
): Promise<HeldExport | undefined> {
  const claimed = await claimFile<Row>(db, 'exports', COLUMNS, { node, now })
  return claimed && { ...claimed.held, export: toExport(claimed.row) }
}

export type ExportEnd =
  | { readonly state: 'COMPLETED'; readonly rows: number; readonly fileSize: number }
  | { readonly state: 'FAILED'; readonly failure: ExportFailure }

/** Ends an export, once. False when the node does not hold it any more. */
export async function endExport(
  db: Db,
  held: HeldExport,
  end: ExportEnd,
  now: number,
): Promise<boolean> {
  const file = end.state === 'COMPLETED' ? end : undefined
  const rows = await db.query(
    `update exports set state = $5, ended_at = to_timestamp($6::float8 / 1000), due_at = null,
       holder = ${UNHELD}, rows = coalesce($7, rows), file_size = $8, failure = $9,
       has_file = $8::bigint is not null
     where ${IS_HELD} returning 1`,
    [
      ...nameOf(held),
      end.state,
      now,
      file?.rows ?? null,
      file?.fileSize ?? null,
      end.state === 'FAILED' ? end.failure : null,
    ],
    'end-export',
  )
  return rows.length === 1
}
