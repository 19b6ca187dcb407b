import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { after, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGunzip } from 'node:zlib'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'
import { askStatement, dayFromNow, units, walletBalance } from '../../harness/statements.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { writeMovements } from '../support/movements.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

const COUNT = 200_000
const MEGABYTE = 1024 * 1024
/** What a file of any size may take; the whole file, or all of its movements, is far more. */
const ROOM = 20 * MEGABYTE

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

/** Fails if more room is taken while the work goes on, above what is in use before. */
async function inLittleRoom<T>(work: () => Promise<T>): Promise<T> {
  const before = inUse()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, inUse())
  }, 1000)
  const result = await work()
  clearInterval(timer)
  const taken = (most - before) / MEGABYTE
  assert.ok(most - before < ROOM, `${taken} MB were taken`)
  return result
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = await once(get(url), 'response')
  return response
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

  const written = async (compressed: boolean) => {
    const id = await askStatement(service, { ...period, compressed })
    return eventually(() => {
      const told = receiver.received.map(({ body }) => JSON.parse(body))
      const record = told.find(({ statementId }) => statementId === id)
      assert.equal(record?.status, 'COMPLETED')
      return record
    }, 240_000)
  }

  for (const compressed of [false, true]) {
    it(`is written, ${compressed ? 'compressed' : 'plain'}, and read in little room`, async () => {
      const record = await inLittleRoom(() => written(compressed))
      const size = await inLittleRoom(async () => {
        let sum = 0
        for await (const chunk of await open(record.downloadUrl)) sum += chunk.length
        return sum
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

  it('is read from the database no faster than the visitor takes it', async () => {
    const link = await startDatabaseLink(service.databaseUrl)
    const node = await service.addNode({ DATABASE_URL: link.url })
    const [record] = receiver.received.map(({ body }) => JSON.parse(body))
    const url = node.url + new URL(record.downloadUrl).pathname
    const whole = async () => readLines(Readable.from(await open(url)))
    await whole()
    const all = link.sent('read-piece')
    // This visitor takes nothing while another one takes the whole file: as much time as it needs.
    const response = await open(url)
    await once(response, 'readable')
    await whole()
    const ahead = link.sent('read-piece') - 2 * all
    assert.ok(ahead > 0 && ahead < all / 2, `${ahead} of ${all} pieces were read`)
    const { bytes } = await readLines(Readable.from(response))
    assert.equal(bytes, record.fileSize)
    await node.stop()
    await link.close()
  })
})
