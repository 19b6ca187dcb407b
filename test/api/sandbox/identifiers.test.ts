import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { checkoutBody } from '../../../harness/hosted.ts'
import { payoutBody } from '../../../harness/payouts.ts'
import { completedDeposit } from '../../../harness/refunds.ts'
import { remittanceBody } from '../../../harness/remittances.ts'
import { depositBody } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { part, splitBody } from '../../../harness/splits.ts'
import { legacyDeposit, legacyPayout } from '../../support/legacy-payments.ts'
import { assertAnswer, assertEmpty, refused } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const allow = (anyUuid: unknown) => service.put('/sandbox/identifiers', { anyUuid })
const version = (digit: string): string => {
  const id = randomUUID()
  return id.slice(0, 14) + digit + id.slice(15)
}

/** Every request that brings identifiers, with all of them of one version. */
const REQUESTS: readonly (readonly [path: string, body: (id: () => string) => unknown])[] = [
  ['/v2/deposits', (id) => depositBody({ depositId: id() })],
  ['/v2/payouts', (id) => payoutBody({ payoutId: id() })],
  ['/v2/payouts/bulk', (id) => [payoutBody({ payoutId: id() })]],
  ['/v2/remittances', (id) => remittanceBody({ remittanceId: id() })],
  ['/v2/remittances/bulk', (id) => [remittanceBody({ remittanceId: id() })]],
  [
    '/v2/split-payments',
    (id) => splitBody({ splitPaymentId: id(), splits: [{ ...part('5'), payoutId: id() }] }),
  ],
  ['/v2/checkouts', (id) => checkoutBody({ checkoutId: id() })],
  ['/v2/paymentpage', (id) => ({ depositId: id(), returnUrl: 'https://shop.example' })],
  ['/v1/widget/sessions', (id) => ({ depositId: id(), returnUrl: 'https://shop.example' })],
  ['/deposits', (id) => legacyDeposit({ depositId: id() })],
  ['/deposits/bulk', (id) => [legacyDeposit({ depositId: id() })]],
  ['/payouts', (id) => legacyPayout({ payoutId: id() })],
  ['/payouts/bulk', (id) => [legacyPayout({ payoutId: id() })]],
]

const statusIn = (body: { status?: string; redirectUrl?: string }[] | never): unknown =>
  [body].flat().map((one) => one.status ?? one.redirectUrl)[0]

describe('version 4 is the rule, and a refusal of another one names the setting:', () => {
  const says = /is a UUID version 7, .* version 4, such as [0-9a-f-]{36}\. .*--any-uuid on/
  for (const [path, body] of REQUESTS) {
    it(path, async () => {
      const answer = await service.post(
        path,
        body(() => version('7')),
      )
      assert.equal(answer.status, 400)
      const { failureReason, errorMessage } = answer.body
      assert.match(failureReason?.failureMessage ?? errorMessage, says)
    })
  }

  it('what is not a UUID is refused with an example, and without naming the setting', async () => {
    for (const depositId of ['order-17', '', '00000000-0000-0000-0000-000000000000']) {
      const answer = await service.post('/v2/deposits', depositBody({ depositId }))
      const expected =
        /'depositId' is not valid: it must be a UUID version 4, such as [0-9a-f-]{36}\.$/
      assertAnswer(answer, 400, refused('INVALID_PARAMETER', expected, { depositId }))
    }
  })
})

describe('with the setting every version is accepted:', () => {
  before(async () => assertEmpty(await allow(true)))

  for (const [path, body] of REQUESTS) {
    it(path, async () => {
      for (const digit of ['1', '4', '5', '7']) {
        const request = body(() => version(digit))
        const { body: answer } = await service.post(path, request)
        assert.match(String(statusIn(answer)), /^(ACCEPTED|http:)/, JSON.stringify(answer))
      }
    })
  }

  it('a repeat is a duplicate, and the refund of such a deposit is accepted', async () => {
    const depositId = version('5')
    await completedDeposit(service, { depositId })
    const again = await service.post('/v2/deposits', depositBody({ depositId }))
    assert.equal(again.body.status, 'DUPLICATE_IGNORED')
    const refund = await service.post('/v2/refunds', { refundId: version('7'), depositId })
    assert.equal(refund.body.status, 'ACCEPTED')
  })

  it('what is not a UUID of any version is still refused', async () => {
    for (const depositId of ['order-17', '00000000-0000-0000-0000-000000000000', version('9')]) {
      const answer = await service.post('/v2/deposits', depositBody({ depositId }))
      const expected = /it must be a UUID, such as [0-9a-f-]{36}\.$/
      assertAnswer(answer, 400, refused('INVALID_PARAMETER', expected, { depositId }))
    }
  })
})

it('the setting can be undone, and accepts only true and false', async () => {
  assertEmpty(await allow(false))
  const answer = await service.post('/v2/deposits', depositBody({ depositId: version('7') }))
  assert.equal(answer.status, 400)
  for (const wrong of ['on', 1, null]) assert.equal((await allow(wrong)).status, 400)
})
