import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { shareService } from '../../../../harness/share.ts'
import { dayFromNow, ended, statementBody } from '../../../../harness/statements.ts'
import { assertAnswer, SECONDS, UUID } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const ACCEPTED = { statementId: UUID, status: 'ACCEPTED', created: SECONDS }

/** Requests that are taken, and what the record repeats of them. */
const REQUESTS: readonly (readonly [
  what: string,
  changes: Record<string, unknown>,
  record: Record<string, unknown>,
])[] = [
  ['a plain one', {}, { compressed: false, wallet: { country: 'ZMB', currency: 'ZMW' } }],
  ['compressed', { compressed: true }, { compressed: true }],
  ['null for what is optional', { compressed: null }, { compressed: false }],
  [
    'an empty provider, as the balances print it',
    { wallet: { country: 'ZMB', currency: 'ZMW', provider: '' } },
    { wallet: { country: 'ZMB', currency: 'ZMW' } },
  ],
  [
    'dates with a Z',
    { startDate: '2025-05-10T10:00:00Z', endDate: '2025-05-10T10:00:01Z' },
    { startDate: '2025-05-10T10:00:00', endDate: '2025-05-10T10:00:01' },
  ],
  [
    'dates with parts of a second',
    { startDate: '2025-05-10T10:00:00.000Z', endDate: '2025-05-10T10:00:00.5' },
    { startDate: '2025-05-10T10:00:00', endDate: '2025-05-10T10:00:00.500' },
  ],
  [
    'exactly 31 days',
    { startDate: '2024-02-01T00:00:00', endDate: '2024-03-03T00:00:00' },
    { startDate: '2024-02-01T00:00:00', endDate: '2024-03-03T00:00:00' },
  ],
  ['a leap day', { startDate: '2024-02-29T00:00:00', endDate: '2024-03-01T00:00:00' }, {}],
  ['a period that lies ahead', { startDate: dayFromNow(2), endDate: dayFromNow(9) }, {}],
  ['a callback to https', { callbackUrl: 'https://shop.example/statements?of=us' }, {}],
]

describe('a statement is accepted and written:', () => {
  for (const [what, changes, expected] of REQUESTS) {
    it(what, async () => {
      const answer = await service.post('/v2/statements', statementBody(changes))
      assertAnswer(answer, 200, ACCEPTED)
      const record = await ended(service, answer.body.statementId)
      assert.equal(record.status, 'COMPLETED')
      assert.equal(record.created, answer.body.created)
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(record[name], value)
    })
  }
})

it('every request makes a statement of its own', async () => {
  const body = statementBody()
  const answers = await Promise.all([1, 2, 3].map(() => service.post('/v2/statements', body)))
  assert.equal(new Set(answers.map((one) => one.body.statementId)).size, 3)
  for (const { body } of answers) {
    assert.equal((await ended(service, body.statementId)).status, 'COMPLETED')
  }
})
