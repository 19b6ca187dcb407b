import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { type Answer, startService } from '../../../../harness/service.ts'
import { splitBody } from '../../../../harness/splits.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await startService()
after(service.stop)

const body = splitBody()
const { splitPaymentId } = body

/** Ways to come without a valid token, and what the message says. */
const TOKENS: readonly (readonly [what: string, header: string | undefined, says: RegExp])[] = [
  ['no header', undefined, /has no API token/],
  ['a scheme without token', 'Bearer', /not of the form/],
  ['an unknown token', 'Bearer mlp_sbx_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
  ['a token of production', 'Bearer mlp_live_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', /not valid here/],
]

/** Calls of the split payment part, and what stands in their refusal beside the reason. */
const CALLS: readonly (readonly [method: string, path: string, body: unknown, id: object])[] = [
  ['POST', '/v2/split-payments', body, { splitPaymentId }],
  ['POST', '/v2/split-payments', { splitPaymentId: 'ORDER', amnt: 1 }, { splitPaymentId: 'ORDER' }],
  ['POST', '/v2/split-payments', { splitPaymentId: 17 }, {}],
  ['GET', `/v2/split-payments/${splitPaymentId}`, undefined, {}],
]

describe('401 AUTHENTICATION_ERROR', () => {
  for (const [method, path, sent, id] of CALLS) {
    for (const [what, header, says] of TOKENS) {
      const name = `${method} ${path.replace(splitPaymentId, '{id}')} ${JSON.stringify(id).slice(0, 30)}`
      it(`${name} with ${what}`, async () => {
        const answer = await callWith(header, method, path, sent)
        assertAnswer(answer, 401, refused('AUTHENTICATION_ERROR', says, id))
      })
    }
  }
})

it('of all these requests nothing was stored', async () => {
  const rows = await service.database.query('select id from payments')
  assert.deepEqual(rows, [])
})

async function callWith(
  header: string | undefined,
  method: string,
  path: string,
  sent: unknown,
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method,
    ...(header === undefined ? {} : { headers: { authorization: header } }),
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
