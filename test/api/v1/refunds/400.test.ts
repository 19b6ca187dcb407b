import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { completedDeposit } from '../../../../harness/refunds.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertLegacyError } from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)
const depositId = await completedDeposit(service)

/** How a request is broken, and what the message says. */
const BROKEN: readonly (readonly [change: object, says: RegExp])[] = [
  ...[undefined, null].flatMap((none) => [
    [{ refundId: none }, /^The parameter 'refundId' is required/] as const,
    [{ depositId: none }, /^The parameter 'depositId' is required/] as const,
  ]),
  ...['', 'order-17', '00000000-0000-0000-0000-000000000000', 17].flatMap((id) => [
    [{ refundId: id }, /^The parameter 'refundId' is not valid/] as const,
    [{ depositId: id }, /^The parameter 'depositId' is not valid/] as const,
  ]),
  ...['5.', '.5', '-5.5', '00.5', 'NaN', -1, 1e21, 0.1 + 0.2, true, [], {}].map(
    (amount) => [{ amount }, /^The parameter 'amount' is not valid/] as const,
  ),
  ...['currency', 'customerTimestamp', 'statementDescription', 'clientReferenceId', 'payoutId'].map(
    (name) => [{ [name]: '1' }, new RegExp(`^The parameter '${name}' is not known`)] as const,
  ),
  [{ metadata: 'text' }, /^The parameter 'metadata' is not valid/],
  [{ metadata: pairs(11) }, /^The parameter 'metadata' is not valid.*at most 10/],
  [{ metadata: [{ fieldName: 'a' }] }, /^The parameter 'fieldValue' is required/],
  [{ metadata: [{ orderId: '1' }] }, /^The parameter 'orderId' is not known/],
  [{ metadata: [...pairs(1), ...pairs(1)] }, /^The parameter 'metadata' holds the name/],
]

describe('400 with error code 1 names what is wrong:', () => {
  for (const [change, says] of BROKEN) {
    it(`${Object.keys(change)} in ${JSON.stringify(change).slice(0, 60)}`, async () => {
      const body = { refundId: randomUUID(), depositId, ...change }
      const answer = await service.post('/refunds', body)
      assertLegacyError(service, answer, 400, says)
    })
  }

  for (const body of [undefined, '{', '{"amount":NaN}', 'null', '[]', '"text"']) {
    it(`a refund that is ${body}`, async () => {
      const answer = await service.post('/refunds', body)
      assertLegacyError(service, answer, 400, /could not be parsed|'body'.*an object/)
    })
  }

  for (const path of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20']) {
    it(`a status check of ${path}`, async () => {
      const answer = await service.get(`/refunds/${path}`)
      assertLegacyError(service, answer, 400, /'refundId'.*must be a UUID, such as/)
    })
  }
})

it('none of these requests stored anything', async () => {
  const rows = await service.database.query(
    `select id from payments where merchant_id = $1 and kind = 'refund'`,
    [service.merchantId],
  )
  assert.deepEqual(rows, [])
})

function pairs(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ fieldName: `name ${at}`, fieldValue: 'a' }))
}
