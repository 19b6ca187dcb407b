import { randomUUID } from 'node:crypto'
import { DBOS, DBOSClient } from '@dbos-inc/dbos-sdk'
import pg from 'pg'
import { answer, callers, job, payload, timed, until, warmUp } from './common.mjs'

/** DBOS: workflows on a queue, and workflows of two steps that begin at once. */
const QUEUE = 'noop'
const NAME = 'bench'
let handled = 0

const noop = DBOS.registerWorkflow(
  async () => {
    handled += 1
  },
  { name: 'noop' },
)

const twoSteps = DBOS.registerWorkflow(
  async (order) => {
    const reference = await DBOS.runStep(async () => order.depositId, { name: 'submit' })
    return DBOS.runStep(async () => ({ reference, state: 'COMPLETED' }), { name: 'settle' })
  },
  { name: 'twoSteps' },
)

async function launch(listenQueues) {
  const { pool, minPollingIntervalMs, workerConcurrency } = job.settings
  DBOS.setConfig({
    name: NAME,
    systemDatabaseUrl: job.databaseUrl,
    systemDatabasePoolSize: pool,
    logLevel: 'error',
    listenQueues,
  })
  await DBOS.launch()
  await DBOS.registerQueue(QUEUE, {
    ...(minPollingIntervalMs === undefined ? {} : { minPollingIntervalMs }),
    ...(workerConcurrency === undefined ? {} : { workerConcurrency }),
  })
}

const enqueue = () => DBOS.startWorkflow(noop, { queueName: QUEUE })(payload(randomUUID()))

const works = {
  enqueue: async () => {
    // A launch creates the schema; the measure uses the client, which runs no workflows.
    await launch(['no-such-queue'])
    await DBOS.shutdown()
    const client = await DBOSClient.create({
      systemDatabaseUrl: job.databaseUrl,
      systemDatabasePoolSize: job.settings.pool,
      applicationName: NAME,
    })
    const options = { queueName: QUEUE, workflowName: 'noop' }
    const enqueueByClient = () => client.enqueue(options, payload(randomUUID()))
    await warmUp(enqueueByClient)
    return timed(() => callers(job.callers, enqueueByClient))
  },

  work: async () => {
    await launch([QUEUE])
    const pool = new pg.Pool({ connectionString: job.databaseUrl, max: 1 })
    const warm = await warmUp(enqueue)
    await until(() => handled >= warm)
    return timed(async () => {
      const jobs = await callers(job.callers, enqueue)
      await until(() => handled >= warm + jobs)
      await until(async () => (await open(pool)) === 0)
      return jobs
    })
  },

  steps: async () => {
    await launch(['no-such-queue'])
    const live = async () => {
      const handle = await DBOS.startWorkflow(twoSteps)(payload(randomUUID()))
      await handle.getResult()
    }
    await warmUp(live)
    return timed(() => callers(job.callers, live))
  },
}

async function open(pool) {
  const { rows } = await pool.query(
    `select from dbos.workflow_status where status in ('ENQUEUED', 'PENDING') limit 1`,
  )
  return rows.length
}

answer(await works[job.work]())
