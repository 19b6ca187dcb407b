import assert from 'node:assert/strict'
import { STATEMENT_COLUMNS } from '../src/domain/statements/statement-file.ts'
import { eventually, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
export type Row = Readonly<Record<(typeof STATEMENT_COLUMNS)[number], string>>

export const ZAMBIA = { country: 'ZMB', currency: 'ZMW' }
/** Nothing listens there; these callbacks are not checked. */
export const NOBODY = 'http://127.0.0.1:9/statements'

export const dayFromNow = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)

/** A request that can be accepted: the wallet of Zambia, yesterday to tomorrow. */
export function statementBody(changes: Record<string, unknown> = {}): Json {
  return {
    wallet: ZAMBIA,
    callbackUrl: NOBODY,
    startDate: dayFromNow(-1),
    endDate: dayFromNow(1),
    ...changes,
  }
}

type Caller = Pick<Service, 'call'>

export async function askStatement(
  service: Caller,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const { body } = await service.call('POST', '/v2/statements', statementBody(changes))
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  return body.statementId
}

/** The record, once the statement is final. */
export function ended(service: Caller, id: string, withinMs?: number): Promise<Json> {
  return eventually(async () => {
    const { body } = await service.call('GET', `/v2/statements/${id}`)
    assert.notEqual(body.data.status, 'PROCESSING')
    return body.data
  }, withinMs)
}

/** Asks for a statement and reads its file, which must add up. */
export async function statementOf(
  service: Caller,
  changes: Record<string, unknown> = {},
): Promise<{ readonly record: Json; readonly rows: readonly Row[] }> {
  const record = await ended(service, await askStatement(service, changes))
  assert.equal(record.status, 'COMPLETED', JSON.stringify(record))
  const rows = rowsOf(await (await fetch(record.downloadUrl)).text())
  assertAddsUp(record, rows)
  return { record, rows }
}

/** Opening balance, each movement, closing balance: every line follows from the one before. */
export function assertAddsUp(record: Json, rows: readonly Row[]): void {
  let balance = units(record.openingBalance)
  for (const row of rows) {
    assert.equal(
      units(row.net),
      row.direction === 'CREDIT' ? units(row.amount) : -units(row.amount),
    )
    balance += units(row.net)
    assert.equal(units(row.balanceAfter), balance)
  }
  assert.equal(units(record.closingBalance), balance)
}

/** Counted in ten-thousandths, so that nothing is rounded. */
export function units(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d{2,4})$/.exec(text) ?? []
  assert.notEqual(whole, '', `'${text}' is not an amount`)
  return BigInt(sign + whole + fraction.padEnd(4, '0'))
}

export async function walletBalance(service: Caller, country = 'ZMB'): Promise<string> {
  const { body } = await service.call('GET', `/v2/wallet-balances?country=${country}`)
  return body.balances[0].balance
}

export function rowsOf(file: string): readonly Row[] {
  const [header, ...lines] = parseCsv(file)
  assert.deepEqual(header, [...STATEMENT_COLUMNS])
  return lines.map((cells) => {
    assert.equal(cells.length, STATEMENT_COLUMNS.length)
    return Object.fromEntries(STATEMENT_COLUMNS.map((name, at) => [name, cells[at]])) as Row
  })
}

/** A reader of RFC 4180, independent of the writer. Every record must end with CR LF. */
export function parseCsv(file: string): readonly (readonly string[])[] {
  const records: string[][] = []
  let at = 0
  while (at < file.length) {
    const record: string[] = []
    for (;;) {
      const cell = /"((?:[^"]|"")*)"|([^",\r\n]*)/y
      cell.lastIndex = at
      const [whole = '', inQuotes, plain] = cell.exec(file) ?? []
      record.push(inQuotes?.replaceAll('""', '"') ?? plain ?? '')
      at += whole.length
      if (file[at] === ',') {
        at += 1
        continue
      }
      assert.equal(file.slice(at, at + 2), '\r\n', `a record does not end at ${at}`)
      at += 2
      break
    }
    records.push(record)
  }
  return records
}
