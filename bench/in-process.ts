import { randomUUID } from 'node:crypto'
import { boot } from '../src/node/boot.ts'
import { readConfig } from '../src/node/config.ts'
import { openDatabase } from '../src/store/engine/database.ts'
import { initiateDeposit } from '../src/usecases/payments/initiate-deposit.ts'

/** A node whose use case is called directly, as job queues are: no HTTP, no callback address. */
type Job = {
  readonly databaseUrl: string
  readonly work: 'enqueue' | 'work'
  readonly callers: number
  readonly seconds: number
  readonly warmUpSeconds: number
}

const job = JSON.parse(process.argv[2] ?? '{}') as Job
const config = readConfig({
  PORT: '0',
  DATABASE_URL: job.databaseUrl,
  MALIPO_SANDBOX_DELAY_MS: '0',
})
const database = openDatabase({ connectionString: job.databaseUrl }, config.databaseConnections)
const tell = (_: object, message: string): void => void process.stderr.write(`${message}\n`)
const node = await boot(config, database, {
  debug: () => {},
  info: () => {},
  warn: tell,
  error: tell,
})
const caller = await node.ctx.merchants.byToken(node.token ?? '')
if (caller === undefined) throw new Error('the demo merchant is missing')
const { merchant } = caller

async function accept(): Promise<void> {
  const result = await initiateDeposit(node.ctx, merchant, {
    generation: 'v2',
    idAsSent: randomUUID(),
    amount: '15',
    currency: 'ZMW',
    provider: 'MTN_MOMO_ZMB',
    phoneNumber: '260763456789',
    details: {
      customerMessage: 'Order 12345',
      clientReferenceId: 'INV-123456',
      metadata: [{ name: 'orderId', value: 'ORD-123456789', pii: false }],
    },
  })
  const isAccepted = 'initiation' in result && result.initiation.status === 'ACCEPTED'
  if (!isAccepted) throw new Error(JSON.stringify(result))
}

async function acceptFor(seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const drive = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      await accept()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: job.callers }, drive))
  return count
}

/** Every accepted payment is final and booked. */
async function drained(): Promise<void> {
  const isOpen = async (): Promise<boolean> =>
    (await database.query('select from payments where due_at is not null limit 1')).length > 0
  while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 20))
}

await acceptFor(job.warmUpSeconds)
await drained()
const startedAt = performance.now()
const jobs = await acceptFor(job.seconds)
if (job.work === 'work') await drained()
const seconds = (performance.now() - startedAt) / 1000
process.stdout.write(JSON.stringify({ jobs, seconds, perSecond: jobs / seconds }), () =>
  process.exit(0),
)
