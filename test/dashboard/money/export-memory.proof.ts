import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { signedIn } from '../../../harness/dashboard.ts'
import { cloneDatabase, eventually, startService } from '../../../harness/service.ts'
import { startDatabaseLink } from '../../support/database-link.ts'
import { writeMovements } from '../../support/movements.ts'

/** A tenth of a million rows in a tenth of what a million may take. */
const COUNT = 100_000
const MEGABYTE = 1024 * 1024
const ROOM = 20 * MEGABYTE
/** On paper fewer are listed; more end as too many. */
const ON_PAPER = 20_000

const link = await startDatabaseLink(await cloneDatabase('malipo_demo'))
const service = await startService({ DATABASE_URL: link.url })
after(async () => {
  await service.stop()
  await link.close()
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What is really in use; collected twice, because the first round is swept in the background. */
function inUse(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const DAY = 86_400_000
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

describe(`an export of ${COUNT} rows`, { timeout: 1_200_000 }, async () => {
  for (const table of ['payments', 'payment_events', 'transfers']) {
    await service.database.query(`alter table ${table} set (autovacuum_enabled = off)`)
  }
  await writeMovements(service.database, COUNT)
  const visitor = await signedIn(service, 'owner')
  const to = day(Date.now() + DAY)
  const statement = { kind: 'statement', wallet: 'ZMB-ZMW', to }

  type Ended = { readonly id: string; readonly state: string; readonly rows: number }
  const made = async (fields: Record<string, string>): Promise<Ended> => {
    await visitor.post('/dashboard/exports', fields)
    return eventually(async () => {
      const [one] = await service.database.query<Ended>(
        'select id, state, rows::int from exports order by created_at desc, id limit 1',
      )
      assert.ok(one !== undefined && one.state !== 'PROCESSING')
      return one
    }, 900_000)
  }

  /** Fails if more room is taken at any piece, or while the file is fetched. */
  const inLittleRoom = async (fields: Record<string, string>, least: number): Promise<void> => {
    const before = inUse()
    const taken: number[] = []
    let pieces = 0
    link.watch('add-export-piece', () => {
      if (pieces % 8 === 0) taken.push(inUse() - before)
      pieces += 1
    })
    const { id, state, rows } = await made(fields)
    assert.equal(state, 'COMPLETED')
    assert.ok(rows >= least, `${rows} rows`)
    const answer = await fetch(`${service.url}/dashboard/exports/${id}/file`, {
      headers: { cookie: visitor.cookie },
    })
    let bytes = 0
    for await (const chunk of answer.body ?? []) bytes += chunk.length
    taken.push(inUse() - before)
    const most = Math.max(...taken)
    assert.ok(most < ROOM, `${most / MEGABYTE} MB were taken for ${bytes} bytes`)
  }

  // What is loaded or compiled at the first use is not room that a file takes.
  for (const format of ['csv', 'csv.gz', 'pdf']) {
    await made({ ...statement, from: day(Date.now()), format })
  }
  await made({ list: 'deposits', query: `from=${day(Date.now())}`, format: 'csv' })

  const all = { ...statement, from: day(Date.now() - 60 * DAY) }
  for (const format of ['csv', 'csv.gz']) {
    it(`of a statement is written and fetched in little room: ${format}`, () =>
      inLittleRoom({ ...all, format }, COUNT))
  }

  it('of a list of payments is written and fetched in little room', () =>
    inLittleRoom({ list: 'deposits', query: '', format: 'csv' }, COUNT / 2))

  it('on paper is written and fetched in little room', () => {
    const from = day(Date.now() - Math.floor((ON_PAPER * 8000) / DAY) * DAY)
    return inLittleRoom({ ...statement, from, format: 'pdf' }, ON_PAPER / 2)
  })

  it('on paper ends with a word where there are too many', async () => {
    const { state } = await made({ ...all, format: 'pdf' })
    assert.equal(state, 'FAILED')
    const { text } = await visitor.get('/dashboard/exports')
    assert.match(text, /Too many movements for a PDF/)
  })
})
