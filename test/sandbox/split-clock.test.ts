import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { reachesOperator } from '../../harness/operator.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { callbacksWith, type Split, split, splitReaches } from '../../harness/splits.ts'

const HOUR = 3600
const slow = { MALIPO_SANDBOX_DELAY_MS: String(HOUR * 1000) }
const service = await startService(slow)
const second = await service.addNode(slow)
const nodes: readonly Service[] = [service, second]
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { splitPayment: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})

async function started(): Promise<readonly Split[]> {
  const splits = await Promise.all(nodes.map((node) => split(node)))
  for (const { id } of splits) await reachesOperator(service, id)
  return splits
}

describe('split payments on the test clock', { timeout: 540_000 }, () => {
  it('take the time of the deposit and then that of the payouts', async () => {
    const splits = await started()
    await service.advance(HOUR)
    for (const { id, parts } of splits) {
      await service.reaches(id, 'COMPLETED')
      for (const { payoutId } of parts) await reachesOperator(service, payoutId)
      await splitReaches(service, id, 'PROCESSING')
    }
    await second.advance(HOUR)
    for (const { id } of splits) {
      const record = await splitReaches(service, id, 'COMPLETED')
      await eventually(() =>
        assert.deepEqual(callbacksWith(receiver, 'splitPaymentId', id), [record]),
      )
    }
  })

  it('are gone when the clock goes back, and new ones begin on real time', async () => {
    const splits = await started()
    await service.advance(HOUR / 2)
    await service.post('/sandbox/clock/reset')
    for (const { id } of splits) {
      assert.equal((await service.get(`/v2/split-payments/${id}`)).body.status, 'NOT_FOUND')
    }
    const later = await split(service)
    await reachesOperator(service, later.id)
    await splitReaches(service, later.id, 'PROCESSING')
    await service.advance(HOUR)
    await service.reaches(later.id, 'COMPLETED')
    for (const { payoutId } of later.parts) await reachesOperator(service, payoutId)
    await service.advance(HOUR)
    await splitReaches(service, later.id, 'COMPLETED')
  })
})
