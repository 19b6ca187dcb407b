import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { CATALOG_FILE } from '../src/package-root.ts'
import { readCatalog } from '../src/providers/catalog.ts'
import { type Database, openDatabase } from '../src/store/engine/database.ts'
import { createMerchant } from '../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../src/usecases/accounts/manage-tokens.ts'
import type { Bench } from './bench.ts'
import type { Storm, StormEnd } from './endpoint-receiver.ts'
import { openConnection, paymentRequest } from './http-client.ts'
import { besides, type Row } from './results.ts'
import { type BenchService, drained, ROOT } from './service.ts'

/** P5: a storm of callbacks to a hundred endpoints, and the same while one of them hangs. */
const ENDPOINTS = 100
const CONNECTIONS = 32
const PORT = 19_412
const ARRIVED_WITHIN_MS = 180_000

export async function measureEndpoints(
  service: BenchService,
  bench: Bench,
): Promise<readonly Row[]> {
  const { storms, callbacksEach } = bench.effort
  const database = openDatabase({ connectionString: service.databaseUrl }, 4)
  const receiver = fork(join(ROOT, 'dist', 'bench', 'endpoint-receiver.js'), [String(PORT)])
  const killReceiver = (): boolean => receiver.kill()
  process.once('exit', killReceiver)
  try {
    await word(receiver)
    bench.note(`${ENDPOINTS} merchants, ${callbacksEach} payments each`)
    const tokens = await makeMerchants(database)
    await pay(service, tokens, callbacksEach)
    await drained(service, 120)
    await setAddresses(service, tokens)
    const expected = (ENDPOINTS - 1) * callbacksEach
    const run = (hangs: boolean) => storm(database, receiver, { expected, hangs })
    await run(false)
    const [free, disturbed]: [number[], number[]] = [[], []]
    for (let round = 1; round <= storms; round += 1) {
      const all = await run(false)
      const others = await run(true)
      bench.note(
        `round ${round} of ${storms}: ${all.toFixed(0)}/s, ${others.toFixed(0)}/s while one hangs`,
      )
      free.push(all)
      disturbed.push(others)
    }
    return [rowOf(disturbed, free)]
  } finally {
    killReceiver()
    process.off('exit', killReceiver)
    await settle(database)
    await database.close()
  }
}

function rowOf(disturbed: readonly number[], free: readonly number[]): Row {
  const { value, beside, ratio, rounds } = besides(disturbed, free)
  return {
    id: 'P5',
    measure: `signed callbacks per second to ${ENDPOINTS - 1} endpoints while 1 of ${ENDPOINTS} hangs`,
    figures: [{ name: '', value, unit: '/s' }],
    beside: { name: 'while none hangs', value: beside, unit: '/s' },
    ratio,
    bar: 'at least 0.95',
    met: ratio >= 0.95,
    rounds,
  }
}

async function makeMerchants(database: Database): Promise<readonly string[]> {
  const providers = readCatalog(CATALOG_FILE).all.filter(({ code }) => code === 'MTN_MOMO_ZMB')
  const tokens: string[] = []
  for (let at = 0; at < ENDPOINTS; at += 1) {
    const slug = `endpoint-${at}`
    const now = Date.now()
    const merchantId = await createMerchant(database, { slug, name: slug, providers, now })
    if (merchantId === undefined) throw new Error(`${slug} exists already`)
    const token = { environment: 'sandbox', label: 'bench', scopes: ['*'], now } as const
    tokens.push((await createToken(database, { ...token, merchantId })).token)
  }
  return tokens
}

async function pay(service: BenchService, tokens: readonly string[], each: number): Promise<void> {
  const owners = Array.from({ length: each }, () => tokens).flat()
  const drive = async (): Promise<void> => {
    const connection = await openConnection(service.port)
    for (let token = owners.pop(); token !== undefined; token = owners.pop()) {
      const request = paymentRequest(service.port, token, 'deposit', randomUUID())
      const answer = await connection.send(request)
      if (!answer.includes('"ACCEPTED"')) throw new Error(answer)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, drive))
}

async function setAddresses(service: BenchService, tokens: readonly string[]): Promise<void> {
  for (const [at, token] of tokens.entries()) {
    const response = await fetch(`http://127.0.0.1:${service.port}/sandbox/callbacks`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ deposit: `http://127.0.0.1:${PORT}/e/${at}` }),
    })
    if (!response.ok) throw new Error(`no callback address: ${response.status}`)
  }
}

/** Makes all callbacks due at once; returns how many per second reached all but the first endpoint. */
async function storm(database: Database, receiver: ChildProcess, job: Storm): Promise<number> {
  await settle(database)
  receiver.send(job)
  const ended = word(receiver)
  await database.query(
    `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
       holder, due_at, round_started_at, tries, attempts, resend)
     select p.merchant_id, p.key, p.state, p.kind, p.id, now(), 'PENDING', 0, now(), now(), 0, 0,
       false
     from payments p join merchants m using (merchant_id)
     where m.slug like 'endpoint-%' and p.state = 'COMPLETED'
     order by p.key
     on conflict (merchant_id, payment_key, state) do update
     set status = 'PENDING', holder = 0, due_at = excluded.due_at, tries = 0,
         round_started_at = excluded.round_started_at`,
  )
  const { perSecond } = await ended
  // The last results are still being stored; they do not belong to the next storm.
  while (await isWorking(database)) await new Promise((resolve) => setTimeout(resolve, 100))
  return perSecond
}

/** The next message of the receiver; without one the measure fails and does not hang. */
async function word(receiver: ChildProcess): Promise<StormEnd> {
  const over = new AbortController()
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(ARRIVED_WITHIN_MS)])
  const ended = once(receiver, 'exit', { signal }).then(() => {
    throw new Error(`the receiver of callbacks on port ${PORT} ended`)
  })
  try {
    const [message] = await Promise.race([once(receiver, 'message', { signal }), ended])
    return message as StormEnd
  } finally {
    over.abort()
  }
}

async function isWorking(database: Database): Promise<boolean> {
  const rows = await database.query(
    `select 1 from callbacks c join merchants m using (merchant_id)
     where c.due_at is not null and m.slug <> 'endpoint-0' limit 1`,
  )
  return rows.length > 0
}

/** Callbacks to the endpoint that hung are not part of the next storm. */
async function settle(database: Database): Promise<void> {
  await database.query(
    `update callbacks set status = 'DELIVERED', due_at = null, holder = 0 where due_at is not null`,
  )
}
