import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually } from '../../harness/service.ts'
import { createThreadedDispatch } from '../../src/callbacks/threaded-dispatch.ts'
import { ADDRESS_POLICIES } from '../../src/outbound/address-guard.ts'

const workers: Worker[] = []
const keep = (worker: Worker): void => void workers.push(worker)
process.on('worker', keep)
const receiver = await startReceiver()
let faults = 0
const dispatch = createThreadedDispatch({ policy: ADDRESS_POLICIES.sandbox }, () => {
  faults += 1
})
after(async () => {
  process.off('worker', keep)
  await dispatch.close()
  await receiver.close()
})

const INTERRUPTED = {
  durationMs: 0,
  reason: 'the attempt was interrupted by a fault',
  fault: 'UNKNOWN',
}
const send = (body: string) =>
  dispatch.send({ url: receiver.url, body, signing: undefined, isSetToFail: false })
/** Again if the machine stood still before it was sent, as the caller does. */
const delivered = (body: string) =>
  eventually(async () => assert.equal((await send(body)).httpStatus, 200))
const bodies = () => receiver.received.map(({ body }) => body)

/** A request that the receiver has and does not answer. */
async function hanging(body: string) {
  receiver.answer(() => {})
  return eventually(async () => {
    const count = receiver.received.length
    const sending = send(body)
    const arriving = eventually(() => assert.ok(receiver.received.length > count))
    await Promise.race([arriving, sending.then(({ reason }) => assert.fail(reason))])
    return { sending }
  })
}

it('when the thread ends, what it had fails, what had not crossed is not sent, the next is', async () => {
  await delivered('first')
  const { sending } = await hanging('under way')
  const [worker] = workers
  assert.ok(worker !== undefined)
  const uncrossed = new Promise((resolve) => {
    // Before the end is noticed, in the same turn: it waits for the next one to cross.
    worker.prependListener('exit', () => resolve(send('not crossed')))
  })
  await worker.terminate()
  assert.deepEqual(await Promise.all([sending, uncrossed]), [INTERRUPTED, INTERRUPTED])
  receiver.answer(200)
  await delivered('next')
  assert.deepEqual([workers.length, faults], [2, 1])
  assert.deepEqual(new Set(bodies()), new Set(['first', 'under way', 'next']))
})

it('what a node cuts off when it stops says nothing about the receiver', async () => {
  const { sending } = await hanging('cut off')
  dispatch.cutOff()
  const { reason, fault } = await sending
  assert.deepEqual({ reason, fault }, { reason: 'the service is shutting down', fault: 'UNKNOWN' })
})

it('a thread that hangs is ended, and the next callback starts another', async () => {
  const errors: unknown[] = []
  // For this watch, waiting for a receiver is as good as hanging.
  const watched = createThreadedDispatch(
    { policy: ADDRESS_POLICIES.sandbox, totalTimeoutMs: 600_000 },
    (error) => errors.push(error),
    { everyMs: 100, looks: 30 },
  )
  after(() => watched.close())
  const before = workers.length
  receiver.answer(() => {})
  const job = { url: receiver.url, signing: undefined, isSetToFail: false }
  // Again if the machine stood still before it was sent.
  await eventually(async () => {
    assert.deepEqual(await watched.send({ ...job, body: 'hanging' }), INTERRUPTED)
  })
  assert.match(String(errors[0]), /the thread hung/)
  receiver.answer(200)
  await eventually(async () => {
    assert.equal((await watched.send({ ...job, body: 'after it' })).httpStatus, 200)
  })
  assert.ok(workers.length > before)
})
