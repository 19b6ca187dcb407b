import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { gunzipSync, inflateSync } from 'node:zlib'
import { signedIn, type Visitor } from '../../../harness/dashboard.ts'
import { payout, reachesPayout } from '../../../harness/payouts.ts'
import { completedDeposit } from '../../../harness/refunds.ts'
import { eventually, startService } from '../../../harness/service.ts'
import { parseCsv, rowsOf, units, walletBalance } from '../../../harness/statements.ts'
import type { Amount } from '../../../src/domain/amount.ts'
import { periodText } from '../../../src/web/dashboard/money/period-text.ts'
import { statementPdf } from '../../../src/web/dashboard/money/statement-pdf.ts'

const WALLET = 'ZMB-ZMW'
const WALLET_NAME = 'Zambia · ZMW · All providers'
const DAY = 86_400_000

const service = await startService()
after(() => service.stop())
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const now = (): number => service.node.ctx.clock.now()
/** A period that is over: nothing is added to it while it is compared. */
const period = { from: day(now() - 40 * DAY), to: day(now()) }
const STATEMENT = { kind: 'statement', wallet: WALLET, ...period }
const query = new URLSearchParams({ wallet: WALLET, ...period }).toString()

for (const amount of ['100.25', '20', '3.5']) {
  await completedDeposit(service, { amount, metadata: [{ who: 'Jane', isPII: true }] })
}
const { id: payoutId } = await payout(service, { amount: '12.5' })
await reachesPayout(service, payoutId, 'COMPLETED')

type Listed = { readonly row: string; readonly id: string | undefined }

/** The newest export, once it is not being written any more. */
function newest(visitor: Visitor): Promise<Listed> {
  return eventually(async () => {
    const { text } = await visitor.get('/dashboard/exports')
    const [row = ''] = /<tbody>[\s\S]*?<\/tr>/.exec(text) ?? []
    assert.ok(row !== '' && !row.includes('Being written'), text)
    return { row, id: /exports\/([0-9a-f-]{36})\/file/.exec(row)?.[1] }
  })
}

async function bytesOf(visitor: Visitor, id: string | undefined): Promise<Buffer> {
  const answer = await fetch(`${service.url}/dashboard/exports/${id}/file`, {
    headers: { cookie: visitor.cookie },
  })
  assert.equal(answer.status, 200)
  return Buffer.from(await answer.arrayBuffer())
}

async function made(visitor: Visitor, fields: Record<string, string>): Promise<Buffer> {
  const { status, location } = await visitor.post('/dashboard/exports', fields)
  assert.deepEqual([status, location], [303, '/dashboard/exports'])
  const { row, id } = await newest(visitor)
  assert.match(row, /Ready/)
  return bytesOf(visitor, id)
}

const actionsOf = async ({ email }: Visitor): Promise<readonly string[]> => {
  const entries = await service.database.query<{ action: string }>(
    `select action from audit_entries where actor = $1 and action <> 'signed in'`,
    [email],
  )
  return entries.map(({ action }) => action)
}

it('a period of whole days names its last day, and an hour says that its end is not in it', () => {
  const startAt = Date.parse('2026-11-19T22:00:00Z')
  const endAt = Date.parse('2026-11-28T22:00:00Z')
  const shown = (lang: 'en' | 'fr', zone: string): string =>
    periodText(lang, zone, { startAt, endAt })
  assert.equal(shown('en', 'Africa/Lusaka'), '20 Nov 2026 – 28 Nov 2026')
  assert.equal(
    shown('en', 'UTC'),
    'from 19 Nov 2026, 22:00:00 to just before 28 Nov 2026, 22:00:00',
  )
  assert.match(shown('fr', 'UTC'), /^du 19 nov\. 2026.* au 28 nov\. 2026.* \(exclu\)$/)
  assert.equal(periodText('en', 'Africa/Lusaka', { startAt, endAt: startAt + DAY }), '20 Nov 2026')
})

describe('an export', () => {
  it('of a statement is the file of the same filter, plain and compressed', async () => {
    const visitor = await signedIn(service, 'finance')
    const { text } = await visitor.get(`/dashboard/statements.csv?${query}`)
    assert.equal((await made(visitor, { ...STATEMENT, format: 'csv' })).toString(), text)
    const zipped = await made(visitor, { ...STATEMENT, format: 'csv.gz' })
    assert.equal(gunzipSync(zipped).toString(), text)
    const { row } = await newest(visitor)
    assert.ok(row.includes(`statement-${WALLET}-${period.from}-${period.to}.csv.gz`))
    assert.ok(row.includes(visitor.email))
    assert.match(row, new RegExp(`data-label="Rows">${rowsOf(text).length}<`))
    const first = rowsOf(text)[0]
    assert.equal(first?.balanceAfter, await walletBalance(service))
  })

  it('of a list is the file of that list', async () => {
    const visitor = await signedIn(service, 'owner')
    const filter = 'status=COMPLETED&currency=ZMW'
    const { text } = await visitor.get(`/dashboard/deposits.csv?${filter}`)
    const file = await made(visitor, { list: 'deposits', query: filter, format: 'csv' })
    assert.equal(file.toString(), text)
    assert.equal(parseCsv(text).length, 1 + 3)
    assert.match((await newest(visitor)).row, /All time/)
    const { text: list } = await visitor.get(`/dashboard/deposits?${filter}`)
    assert.match(list, /action="\/dashboard\/exports"[\s\S]*value="csv.gz"/)
  })

  it('is refused where nothing sensible was asked for', async () => {
    const visitor = await signedIn(service, 'owner')
    for (const fields of [
      { ...STATEMENT, format: 'exe' },
      { ...STATEMENT, wallet: 'ZMB-USD', format: 'csv' },
      { ...STATEMENT, from: 'then', format: 'csv' },
      { list: 'users', format: 'csv' },
      { list: 'deposits', query: 'min=lots', format: 'csv' },
      { list: 'deposits', format: 'pdf' },
    ]) {
      const before = (await visitor.get('/dashboard/exports')).text.match(/<tr>/g)?.length
      await visitor.post('/dashboard/exports', fields)
      const { text } = await visitor.get('/dashboard/exports')
      assert.equal(text.match(/<tr>/g)?.length, before, JSON.stringify(fields))
    }
  })

  it('is fetched by people who could make it, and the audit log says by whom', async () => {
    const visitor = await signedIn(service, 'finance')
    await made(visitor, { ...STATEMENT, format: 'csv' })
    const { id } = await newest(visitor)
    const file = `/dashboard/exports/${id}/file`
    const stranger = await fetch(service.url + file, { redirect: 'manual' })
    assert.equal(stranger.status, 303)
    for (const [role, countries, status] of [
      ['developer', [], 403],
      ['finance', ['UGA'], 404],
      ['finance', ['ZMB'], 200],
      ['owner', [], 200],
    ] as const) {
      const other = await signedIn(service, role, { countries: [...countries] })
      const { text } = await other.get('/dashboard/exports')
      assert.equal(text.includes(file), status === 200, `${role} ${countries}`)
      assert.equal((await other.get(file)).status, status, `${role} ${countries}`)
      assert.deepEqual(
        await actionsOf(other),
        status === 200 ? ['export downloaded'] : [],
        `${role} ${countries}`,
      )
    }
    assert.deepEqual(await actionsOf(visitor), ['export made'])
  })

  it('of all countries is not for those who see some, and says what it is about', async () => {
    const visitor = await signedIn(service, 'owner')
    const ask = (filter: string, more = {}) =>
      made(visitor, { list: 'deposits', query: filter, format: 'csv', ...more })
    await ask('status=FAILED,COMPLETED&provider=MTN_MOMO_ZMB&min=5&phone=0763456789&order=oldest')
    const { row, id } = await newest(visitor)
    assert.match(
      row,
      /Status: Failed, Completed; Provider: MTN[^;]*; Amount from: 5; Phone number: 076\*+789; Oldest first</,
    )
    const limited = await signedIn(service, 'finance', { countries: ['ZMB'] })
    assert.ok(!(await limited.get('/dashboard/exports')).text.includes(id ?? assert.fail()))
    assert.equal((await limited.get(`/dashboard/exports/${id}/file`)).status, 404)
    await ask('clientReferenceId=A-1&meta.order=7', { mode: 'spreadsheet', separator: ';' })
    const { text: french } = await visitor.get('/dashboard/exports?lang=fr')
    const text = french.replaceAll(/[\u00a0\u202f]/g, ' ')
    assert.match(
      text,
      /Référence client : A-1 ; Métadonnées order : 7 ; CSV pour tableur, avec points-virgules</,
    )
    assert.match(text, /90 jours/)
    await ask('all')
    assert.match((await newest(visitor)).row, /data-label="Filter">None</)
  })

  it('masks phone numbers and personal data for who may not see them', async () => {
    const visitor = await signedIn(service, 'finance')
    await made(visitor, { ...STATEMENT, format: 'csv' })
    const { id } = await newest(visitor)
    // No role sees money without personal data today; a file that was made so stays so.
    await service.database.query(
      `update exports set shows_pii = false, state = 'PROCESSING', file_size = null, ended_at = null,
         has_file = false, due_at = to_timestamp($2::float8 / 1000) where id = $1`,
      [id, now()],
    )
    const rows = rowsOf((await bytesOf(visitor, (await newest(visitor)).id)).toString())
    const deposits = rows.filter(({ type }) => type === 'DEPOSIT')
    assert.equal(deposits.length, 3)
    for (const row of deposits) {
      assert.equal(row.phoneNumber, '260******789')
      assert.deepEqual(JSON.parse(row.metadata), { who: '***' })
    }
  })

  it('is written again where the node that held it is gone, once', async () => {
    const visitor = await signedIn(service, 'finance')
    await made(visitor, { ...STATEMENT, format: 'csv' })
    const { id } = await newest(visitor)
    const before = await bytesOf(visitor, id)
    // As a kill leaves it: held by a node that does not exist, with a part of the file.
    await service.database.query(
      `update exports set state = 'PROCESSING', file_size = null, ended_at = null, has_file = false,
         rows = 1, holder = 999999, due_at = to_timestamp($2::float8 / 1000) where id = $1`,
      [id, now()],
    )
    const { text } = await visitor.get('/dashboard/exports')
    assert.match(text, /data-refresh[\s\S]*Being written[\s\S]*|Ready/)
    assert.deepEqual(await bytesOf(visitor, (await newest(visitor)).id), before)
    const [stored] = await service.database.query(
      'select attempts, (select count(*)::int from export_pieces p where p.export_id = e.id) as pieces from exports e where id = $1',
      [id],
    )
    assert.deepEqual(stored, { attempts: 2, pieces: 1 })
  })
})

/** The text of all pages, as a reader would select it. */
function textOf(pdf: Buffer): string {
  const pages: string[] = []
  let at = 0
  for (;;) {
    const start = pdf.indexOf('stream\n', at)
    if (start < 0) return pages.join('\n')
    const end = pdf.indexOf('\nendstream', start)
    at = end + 10
    const bytes = inflateSync(pdf.subarray(start + 7, end)).toString('latin1')
    pages.push(
      [...bytes.matchAll(/\[([^\]]*)\] TJ/g)]
        .map(([, parts = '']) =>
          [...parts.matchAll(/<([0-9a-f]*)>/g)]
            .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
            .join(''),
        )
        .join('\n'),
    )
  }
}

describe('a statement on paper', () => {
  it('has the merchant, the wallet, each movement and the balances to the last digit', async () => {
    const visitor = await signedIn(service, 'finance')
    const pdf = await made(visitor, { ...STATEMENT, format: 'pdf' })
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-')
    assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 595.28 841.89\]/)
    const text = textOf(pdf).replaceAll('\u00a0', ' ')
    const lines = text.split('\n')
    for (const part of ['Statement of account', 'Demo Merchant', WALLET_NAME, 'Page 1']) {
      assert.ok(text.includes(part), `${part} in ${text}`)
    }
    assert.ok(!text.includes(WALLET), 'no codes')
    const amount = (line = ''): bigint => units(line.replaceAll(',', '').replace(' ZMW', ''))
    const after = (label: string): string[] =>
      lines.flatMap((line, place) => (line === label ? [lines[place + 1] ?? ''] : []))
    const closing = after('Closing balance').map(amount)
    assert.deepEqual(new Set(closing), new Set([units(await walletBalance(service))]))
    const opening = after('Opening balance').map(amount)
    const { text: csv } = await visitor.get(`/dashboard/statements.csv?${query}`)
    const sum = rowsOf(csv).reduce((total, row) => total + units(row.net), 0n)
    assert.equal((opening[0] ?? 0n) + sum, closing[0])
    for (const { transactionId } of rowsOf(csv)) assert.ok(text.includes(transactionId))
    const totals = lines.slice(lines.indexOf('Totals by type'))
    assert.ok(totals.includes('Deposit') && totals.includes('Payout'))
  })

  it('has letters that the font knows as they are, and no wrong ones for others', async () => {
    const nothing = 0n as Amount
    const pieces: Buffer[] = []
    const wallet = { country: 'ZMB', currency: 'ZMW' }
    const csv = { isForSpreadsheets: false, separator: ',' } as const
    const period = { startAt: 0, endAt: 1, timeZone: 'UTC', language: 'en' } as const
    const pdf = statementPdf(
      {
        subject: { kind: 'statement', name: 'x', csv, wallet, ...period },
        merchantName: 'Café Ɛdwuma 😀',
        merchantSlug: 'edwuma',
        country: undefined,
        provider: undefined,
        opening: nothing,
        closing: nothing,
        madeAt: 0,
      },
      (async function* () {})(),
    )
    for await (const piece of pdf) pieces.push(piece)
    const text = textOf(Buffer.concat(pieces))
    assert.match(text, /from 01 Jan 1970, 00:00:00 to just before 01 Jan 1970, 00:00:00 \(UTC\)/)
    assert.match(text, /^Café \?dwuma \? \(edwuma\)$/m)
    assert.match(text, /^ZMB · ZMW · All providers$/m, 'a country that is not known any more')
  })

  it('is written in French for who reads French', async () => {
    const visitor = await signedIn(service, 'finance')
    await service.database.query("update users set language = 'fr' where user_id = $1", [
      visitor.userId,
    ])
    await visitor.post('/dashboard/exports', { ...STATEMENT, format: 'pdf' })
    const id = await eventually(async () => {
      const { text } = await visitor.get('/dashboard/exports')
      const [row = ''] = /<tbody>[\s\S]*?<\/tr>/.exec(text) ?? []
      const found = /exports\/([0-9a-f-]{36})\/file/.exec(row)?.[1]
      assert.ok(found !== undefined && row.includes(visitor.email))
      return found
    })
    const text = textOf(await bytesOf(visitor, id))
    assert.match(text, /Relevé de compte[\s\S]*Solde initial[\s\S]*Solde final/)
    assert.match(text, /^Zambie · ZMW · Tous les opérateurs$/m)
    assert.ok(!text.includes('?'), text)
  })
})

// Last: it moves the clock.
describe('the file of an export', () => {
  it('can be fetched as long as it is kept, ninety days; then it can be made again', async () => {
    const pieces = async (): Promise<number> => {
      const rows = await service.database.query('select 1 from export_pieces')
      return rows.length
    }
    const visitor = await signedIn(service, 'finance')
    const file = await made(visitor, { ...STATEMENT, format: 'csv' })
    const { id } = await newest(visitor)
    await service.advance(89 * 86_400)
    assert.match((await newest(visitor)).row, /Ready/)
    assert.deepEqual(await bytesOf(visitor, id), file)
    await service.advance(2 * 86_400)
    await eventually(async () => assert.equal(await pieces(), 0))
    const late = await visitor.get(`/dashboard/exports/${id}/file`)
    assert.deepEqual([late.status, late.location], [303, '/dashboard/exports'])
    const { row } = await newest(visitor)
    assert.match(row, /Expired/)
    assert.ok(!row.includes('/file'))
    assert.equal((await visitor.post(`/dashboard/exports/${id}/repeat`)).status, 303)
    const { id: again } = await newest(visitor)
    assert.notEqual(again, id)
    assert.deepEqual(await bytesOf(visitor, again), file)
    assert.equal((await visitor.post('/dashboard/exports/x/repeat')).status, 404)
  })
})
