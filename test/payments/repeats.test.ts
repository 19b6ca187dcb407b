import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { chanceOf } from '../../harness/random/chance.ts'
import { remittanceOf } from '../../harness/random/requests.ts'
import { payer, startService } from '../../harness/service.ts'

const service = await startService()
const second = await service.addNode()
after(async () => {
  await second.stop()
  await service.stop()
})

const account = payer('260763456789', 'MTN_MOMO_ZMB')
const common = { amount: '15', currency: 'ZMW' }

/** A request of each kind that draws on money or consists of parts. */
const REQUESTS = [
  ['payouts', async () => ({ payoutId: randomUUID(), ...common, recipient: account })],
  ['remittances', async () => remittanceOf(chanceOf(1), randomUUID())],
  ['refunds', async () => ({ refundId: randomUUID(), depositId: await completedDeposit() })],
  [
    'split-payments',
    async () => ({
      splitPaymentId: randomUUID(),
      ...common,
      payer: account,
      splits: [{ payoutId: randomUUID(), amount: '10', recipient: account }],
    }),
  ],
] as const

async function completedDeposit(): Promise<string> {
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  return id
}

describe('of equal requests at once, on one node as on two', { timeout: 540_000 }, () => {
  for (const [kind, request] of REQUESTS) {
    it(`one is accepted and all others are repeats: ${kind}`, async () => {
      for (const nodes of [
        [service, service],
        [service, second],
      ] as const) {
        const body = await request()
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, at) =>
            nodes[at % 2 === 0 ? 0 : 1].post(`/v2/${kind}`, body),
          ),
        )
        const statuses = answers.map((answer) => `${answer.status} ${answer.body.status}`)
        assert.deepEqual(statuses.toSorted(), [
          '200 ACCEPTED',
          ...Array.from({ length: 11 }, () => '200 DUPLICATE_IGNORED'),
        ])
        assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)
      }
    })
  }
})
