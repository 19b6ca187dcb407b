import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { answer, callers, job, payload, timed, until, warmUp } from './common.mjs'

/** pg-boss: send, insert, and workers that fetch batches, without a pause after a full one. */
const QUEUE = 'noop'
const boss = new PgBoss({ connectionString: job.databaseUrl, max: job.settings.pool })
boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
await boss.start()
await boss.createQueue(QUEUE)

const send = () => boss.send(QUEUE, payload(randomUUID()))

const works = {
  enqueue: async () => {
    await warmUp(send)
    return timed(() => callers(job.callers, send))
  },

  bulk: async () => {
    const { callers: count, jobsPerCall } = job.settings
    const one = () => ({ data: payload(randomUUID()) })
    const insert = () => boss.insert(QUEUE, Array.from({ length: jobsPerCall }, one))
    await insert()
    return timed(async () => (await callers(count, insert)) * jobsPerCall)
  },

  work: async () => {
    let handled = 0
    const { batchSize, localConcurrency, pollingIntervalSeconds } = job.settings
    const options = {
      batchSize,
      localConcurrency,
      pollingIntervalSeconds,
      burstWhenBatchFull: true,
    }
    await boss.work(QUEUE, options, async (jobs) => {
      handled += jobs.length
    })
    const pool = new pg.Pool({ connectionString: job.databaseUrl, max: 1 })
    const warm = await warmUp(send)
    await until(() => handled >= warm)
    return timed(async () => {
      const jobs = await callers(job.callers, send)
      await until(() => handled >= warm + jobs)
      await until(async () => (await open(pool)) === 0)
      return jobs
    })
  },
}

async function open(pool) {
  const { rows } = await pool.query(
    `select from pgboss.job where name = $1 and state < 'completed' limit 1`,
    [QUEUE],
  )
  return rows.length
}

answer(await works[job.work]())
