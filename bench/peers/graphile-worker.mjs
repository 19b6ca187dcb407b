import { randomUUID } from 'node:crypto'
import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import { answer, callers, job, payload, timed, until, warmUp } from './common.mjs'

/** graphile-worker: addJob, addJobs, and a worker with the settings of its page on performance. */
const logger = new Logger(() => () => {})
const connectionString = job.databaseUrl
const utils = await makeWorkerUtils({
  preset: { worker: { connectionString, maxPoolSize: job.settings.pool, logger } },
})
await utils.migrate()

const add = () => utils.addJob('noop', payload(randomUUID()))

const works = {
  enqueue: async () => {
    await warmUp(add)
    return timed(() => callers(job.callers, add))
  },

  bulk: async () => {
    const { callers: count, jobsPerCall } = job.settings
    const one = () => ({ identifier: 'noop', payload: payload(randomUUID()) })
    const addMany = () => utils.addJobs(Array.from({ length: jobsPerCall }, one))
    await addMany()
    return timed(async () => (await callers(count, addMany)) * jobsPerCall)
  },

  work: async () => {
    let handled = 0
    const noop = async () => {
      handled += 1
    }
    const { concurrentJobs, localQueue, completeJobBatchDelay } = job.settings
    const worker = {
      connectionString,
      concurrentJobs,
      maxPoolSize: concurrentJobs + 1,
      localQueue: { size: localQueue },
      completeJobBatchDelay,
      failJobBatchDelay: completeJobBatchDelay,
      logger,
    }
    await run({ preset: { worker }, taskList: { noop }, noHandleSignals: true })
    const warm = await warmUp(add)
    await until(() => handled >= warm)
    return timed(async () => {
      const jobs = await callers(job.callers, add)
      await until(() => handled >= warm + jobs)
      // A finished job is deleted.
      await until(async () => (await open()) === 0)
      return jobs
    })
  },
}

const open = () =>
  utils.withPgClient(async (client) => {
    const { rows } = await client.query('select from graphile_worker._private_jobs limit 1')
    return rows.length
  })

answer(await works[job.work]())
