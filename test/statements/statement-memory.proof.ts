import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { after, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGunzip } from 'node:zlib'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, eventually, startService } from '../../harness/service.ts'
import { askStatement, dayFromNow, units, walletBalance } from '../../harness/statements.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { writeMovements } from '../support/movements.ts'

const COUNT = 24_000
const MEGABYTE = 1024 * 1024
/** What a file of any size may take; the whole file, or all of its movements, is far more. */
const ROOM = 2 * MEGABYTE
/** How often the file is repeated where it must not fit into the buffers of sockets. */
const REPEATED = 6

const databaseUrl = await cloneDatabase('malipo_demo')
const link = await startDatabaseLink(databaseUrl)
const service = await startService({ DATABASE_URL: link.url })
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
  await link.close()
})

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * What is really in use. Collected twice: what the first round found is swept in the background,
 * and the second one waits for the end of that.
 */
function inUse(): number {
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Fails if more room is taken whenever the work has it measured, above what is in use before. */
async function inLittleRoom<T>(work: (measure: () => void) => Promise<T>): Promise<T> {
  const before = inUse()
  const taken: number[] = []
  const result = await work(() => taken.push(inUse() - before))
  const most = Math.max(...taken)
  assert.ok(taken.length > 1, `measured ${taken.length} times`)
  assert.ok(most < ROOM, `${most / MEGABYTE} MB were taken`)
  return result
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url), 'response')
  return response
}

/** Takes all that comes, keeping none of it. */
async function lengthOf(
  response: IncomingMessage,
  atEach = (_taken: number): void => {},
): Promise<number> {
  let taken = 0
  for await (const chunk of response) {
    taken += chunk.length
    atEach(taken)
  }
  return taken
}

/** Reads a file line by line, keeping none: no cell of these movements holds a line break. */
async function readLines(
  stream: AsyncIterable<Buffer>,
): Promise<{ lines: number; bytes: number; sum: bigint; last: string }> {
  let [lines, bytes, sum, rest, last] = [0, 0, 0n, '', '']
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    bytes += chunk.length
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\r\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      lines += 1
      const [, net] = /,ZMW,0\.00,(-?[\d.]+),/.exec(line) ?? []
      if (net !== undefined) sum += units(net)
      last = line
    }
  }
  assert.equal(rest, '')
  return { lines, bytes, sum, last }
}

describe(`a statement of ${COUNT} movements`, { timeout: 540_000 }, async () => {
  // Nobody counts these tables for the planner: the check of the books at the end must not need it.
  for (const table of ['payments', 'payment_events', 'transfers']) {
    await service.database.query(`alter table ${table} set (autovacuum_enabled = off)`)
  }
  await writeMovements(service.database, COUNT)
  const period = { startDate: dayFromNow(-30), endDate: dayFromNow(1), callbackUrl: receiver.url }

  const written = async (changes: Record<string, unknown>) => {
    const id = await askStatement(service, { ...period, ...changes })
    return eventually(() => {
      const received = receiver.received.map(({ body }) => JSON.parse(body))
      const record = received.find(({ statementId }) => statementId === id)
      assert.equal(record?.status, 'COMPLETED')
      return record
    }, 240_000)
  }

  // What is loaded or compiled at the first use is not room that a file takes.
  for (const compressed of [false, true]) {
    const { downloadUrl } = await written({ startDate: dayFromNow(-0.1), compressed })
    await lengthOf(await open(downloadUrl))
  }

  let plain = { statementId: '', fileSize: 0, downloadUrl: '' }
  for (const compressed of [false, true]) {
    it(`is written, ${compressed ? 'compressed' : 'plain'}, and read in little room`, async () => {
      const record = await inLittleRoom((measure) => {
        let pieces = 0
        // The first one shows what is read before, the later ones what is kept.
        link.watch('add-piece-of-statements', () => {
          if (pieces % 4 === 0) measure()
          pieces += 1
        })
        return written({ compressed })
      })
      if (!compressed) plain = record
      const size = await inLittleRoom(async (measure) => {
        let next = 0
        return lengthOf(await open(record.downloadUrl), (taken) => {
          if (taken < next) return
          measure()
          next += record.fileSize / 3
        })
      })
      assert.equal(size, record.fileSize)
      const bytes = await open(record.downloadUrl)
      const file = await readLines(compressed ? bytes.pipe(createGunzip()) : bytes)
      // Without this the bound would say nothing.
      assert.ok(file.bytes > 2 * ROOM, `the file has ${file.bytes} bytes`)
      const [stored] = await service.database.query<{ count: number }>(
        `select count(*)::int as count from transfers
         where merchant_id = 1 and 'wallet:ZMB:ZMW' in (debit, credit)`,
      )
      assert.equal(file.lines, 1 + (stored?.count ?? 0))
      assert.ok(file.lines > COUNT)
      assert.equal(units(record.openingBalance) + file.sum, units(record.closingBalance))
      assert.equal(record.closingBalance, await walletBalance(service))
      assert.ok(file.last.includes(`,${record.closingBalance},`))
    })
  }

  it('is read from the database no faster than the client downloads it', async () => {
    const { statementId, fileSize, downloadUrl } = plain
    const all = await repeatPieces(statementId)
    const before = link.sent('read-piece-of-statements')
    // This visitor takes nothing while another one takes the whole file: as much time as it needs.
    const response = await open(downloadUrl)
    await once(response, 'readable')
    assert.equal(await lengthOf(await open(downloadUrl)), fileSize * REPEATED)
    const ahead = link.sent('read-piece-of-statements') - before - all
    assert.ok(ahead > 0 && ahead < all / 2, `${ahead} of ${all} pieces were read`)
    assert.equal(await lengthOf(response), fileSize * REPEATED)
  })

  /**
   * The same file several times over; answers how many pieces that makes. Buffers of sockets hold
   * some megabytes: only a longer file shows that the sender waits.
   */
  const repeatPieces = async (id: string): Promise<number> => {
    await service.database.query('update statements set file_size = file_size * $2 where id = $1', [
      id,
      REPEATED,
    ])
    const added = await service.database.query(
      `insert into statement_pieces (merchant_id, statement_id, piece, bytes)
       select merchant_id, statement_id, round * (max(piece) over () + 1) + piece, bytes
       from statement_pieces, generate_series(1, $2::int - 1) as round
       where statement_id = $1 returning 1`,
      [id, REPEATED],
    )
    return (added.length / (REPEATED - 1)) * REPEATED
  }
})
