/** Shared by the programs in this folder: the job they are given, callers, the clock. */
export const job = JSON.parse(process.argv[2] ?? '{}')

/** The same fields that a deposit of the other measures carries. */
export const payload = (id) => ({
  depositId: id,
  amount: '15',
  currency: 'ZMW',
  provider: 'MTN_MOMO_ZMB',
  phoneNumber: '260763456789',
  customerMessage: 'Order 12345',
  clientReferenceId: 'INV-123456',
  metadata: [{ name: 'orderId', value: 'ORD-123456789', pii: false }],
})

/** Several callers, each with one call in flight, for a given time. Returns the number of calls. */
export async function callers(count, call, seconds = job.seconds) {
  const endsAt = performance.now() + seconds * 1000
  let calls = 0
  const drive = async () => {
    while (performance.now() < endsAt) {
      await call()
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: count }, drive))
  return calls
}

/** Warm-up for connections and the compiler; nothing of it is counted. */
export const warmUp = (call) => callers(job.callers, call, job.warmUpSeconds)

/** Jobs per second from the first call until all are done. */
export async function timed(measure) {
  const startedAt = performance.now()
  const jobs = await measure()
  const seconds = (performance.now() - startedAt) / 1000
  return { jobs, seconds, perSecond: jobs / seconds }
}

const DRAINED_WITHIN_MS = 300_000

/** Waits until the condition holds; polls often enough for the precision needed. */
export async function until(condition) {
  const deadline = performance.now() + DRAINED_WITHIN_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('the queue was not worked off in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Nothing that the library leaves running may delay the result. */
export function answer(result) {
  process.stdout.write(JSON.stringify(result), () => process.exit(0))
}
