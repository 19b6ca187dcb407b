import { Readable } from 'node:stream'
import { parsePaymentId } from '../domain/ids.ts'
import { momentText, type Statement } from '../domain/statements/statement.ts'
import type { StatementContext } from '../usecases/statements/context.ts'
import { downloadStatement } from '../usecases/statements/download-statement.ts'
import type { Page, PageRoute } from './pages.ts'

/** The file of a statement. The link alone opens it, so it must not stay in any cache. */
export function statementDownloadRoute(ctx: StatementContext): PageRoute {
  return {
    path: '/statements/:statementId/:token',
    render: async ({ params }) => {
      const id = parsePaymentId(params.statementId ?? '')
      if (id === undefined) return NOT_FOUND
      const download = await downloadStatement(ctx, id, params.token ?? '')
      if (download.result === 'NOT_FOUND') return NOT_FOUND
      if (download.result === 'EXPIRED') return EXPIRED
      const { statement, size, pieces } = download
      return {
        headers: {
          ...PRIVATE,
          'content-type': statement.compressed ? 'application/gzip' : 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${fileName(statement)}"`,
          'content-length': String(size),
        },
        body: Readable.from(pieces, { objectMode: false }),
      }
    },
  }
}

const PRIVATE = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const refusal = (status: number, text: string): Page => ({
  status,
  headers: { ...PRIVATE, 'content-type': 'text/plain; charset=utf-8' },
  body: `${text}\n`,
})

const NOT_FOUND = refusal(
  404,
  'There is no statement behind this link. Check that the link is complete.',
)
const EXPIRED = refusal(
  410,
  'This link has expired: it works for one day. Ask for the statement again to get a new one.',
)

function fileName({ wallet, startAt, endAt, compressed }: Statement): string {
  const whose = [wallet.country, wallet.currency, wallet.provider].filter(Boolean).join('-')
  const [from, to] = [startAt, endAt].map((at) => momentText(at).slice(0, 10))
  return `statement-${whose}-${from}-${to}.csv${compressed ? '.gz' : ''}`
}
