import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { advanceUntil, reachesOperator } from '../../../harness/operator.ts'
import { payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, assertEmpty, reason } from '../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

const put = (number: string, body: unknown) => service.put(`/sandbox/phones/${number}`, body)
const depositFrom = async (number: string): Promise<string> => {
  const { id, body } = await service.deposit({ payer: payer(number, 'MTN_MOMO_ZMB') })
  assert.equal(body.status, 'ACCEPTED')
  return id
}

/** A script, and the states of a deposit: each is reached after that many more seconds. */
const STORIES: readonly (readonly [
  what: string,
  script: readonly object[],
  states: readonly (readonly [seconds: number, state: string])[],
])[] = [
  ['done at once', [{ afterSeconds: 0, answer: 'done' }], [[0, 'COMPLETED']]],
  [
    'pending, then done',
    [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 90, answer: 'done' },
    ],
    [
      [0, 'PROCESSING'],
      [90, 'COMPLETED'],
    ],
  ],
  [
    'nothing answered at first is pending',
    [{ afterSeconds: 30, answer: 'done' }],
    [
      [0, 'PROCESSING'],
      [30, 'COMPLETED'],
    ],
  ],
  [
    'steps in any order',
    [
      { afterSeconds: 90, answer: 'failed', failureCode: 'PAYER_LIMIT_REACHED' },
      { afterSeconds: 0, answer: 'pending' },
    ],
    [
      [0, 'PROCESSING'],
      [90, 'FAILED PAYER_LIMIT_REACHED'],
    ],
  ],
  [
    'failed without a code',
    [{ afterSeconds: 0, answer: 'failed' }],
    [[0, 'FAILED UNSPECIFIED_FAILURE']],
  ],
  [
    'an outcome reported twice is sent once',
    [{ afterSeconds: 20, answer: 'duplicate' }],
    [
      [0, 'PROCESSING'],
      [20, 'COMPLETED'],
    ],
  ],
  [
    'a failure reported twice',
    [{ afterSeconds: 0, answer: 'duplicate', failureCode: 'PAYER_NOT_FOUND' }],
    [[0, 'FAILED PAYER_NOT_FOUND']],
  ],
  [
    'done and then its opposite: the first word stands',
    [{ afterSeconds: 0, answer: 'contradict' }],
    [
      [0, 'COMPLETED'],
      [100, 'COMPLETED'],
    ],
  ],
  [
    'failed and then its opposite: the first word stands',
    [{ afterSeconds: 0, answer: 'contradict', failureCode: 'PAYMENT_NOT_APPROVED' }],
    [
      [0, 'FAILED PAYMENT_NOT_APPROVED'],
      [100, 'FAILED PAYMENT_NOT_APPROVED'],
    ],
  ],
  [
    'pending for days stays PROCESSING',
    [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 200_000, answer: 'done' },
    ],
    [
      [0, 'PROCESSING'],
      [90_000, 'PROCESSING'],
      [110_000, 'COMPLETED'],
    ],
  ],
  [
    'the answer to the submission is lost, look-ups work',
    [
      { afterSeconds: 0, answer: 'unknown' },
      { afterSeconds: 120, answer: 'done' },
    ],
    [
      [0, 'PROCESSING'],
      [100, 'PROCESSING'],
      [20, 'COMPLETED'],
    ],
  ],
  [
    'a short silence causes no callback',
    [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 30, answer: 'done' },
    ],
    [
      [0, 'PROCESSING'],
      [31, 'COMPLETED'],
    ],
  ],
]

describe('a number follows its script:', () => {
  for (const [index, [what, script, states]] of STORIES.entries()) {
    it(what, async () => {
      const number = `2607634500${String(index).padStart(2, '0')}`
      assertEmpty(await put(number, { mode: 'auto', script }))
      const id = await depositFrom(number)
      await reachesOperator(service, id)
      for (const [seconds, expected] of states) {
        await service.advance(seconds)
        const [state = '', code] = expected.split(' ')
        const record = await service.reaches(id, state)
        assert.equal((record.failureReason as { failureCode?: string })?.failureCode, code)
      }
    })
  }
})

/** The outcome that is learnt after a long silence. */
const AFTER_SILENCE: readonly (readonly [answer: object, state: string])[] = [
  [{ answer: 'done' }, 'COMPLETED'],
  [{ answer: 'failed', failureCode: 'PAYMENT_NOT_APPROVED' }, 'FAILED'],
]

describe('a long silence is shown as IN_RECONCILIATION until the outcome is known:', () => {
  for (const [answer, state] of AFTER_SILENCE) {
    it(state, async () => {
      const script = [
        { afterSeconds: 0, answer: 'silent' },
        { afterSeconds: 100_000, ...answer },
      ]
      assertEmpty(await put('260763453000', { script }))
      const id = await depositFrom('260763453000')
      await service.reaches(id, 'PROCESSING')
      await advanceUntil(service, id, 'IN_RECONCILIATION')
      await service.advance(100_000)
      await service.reaches(id, state)
    })
  }
})

describe('every code with which a payment can fail can be scripted:', () => {
  for (const failureCode of [
    'PAYMENT_NOT_APPROVED',
    'INSUFFICIENT_BALANCE',
    'PAYMENT_IN_PROGRESS',
    'PAYER_NOT_FOUND',
    'PAYER_LIMIT_REACHED',
    'TRANSACTION_ALREADY_IN_PROCESS',
    'WALLET_LIMIT_REACHED',
    'UNSPECIFIED_FAILURE',
    'OTHER_ERROR',
    'UNKNOWN_ERROR',
  ]) {
    it(failureCode, async () => {
      const script = [{ afterSeconds: 0, answer: 'failed', failureCode }]
      assertEmpty(await put('260763451000', { script }))
      const { failureReason } = await service.reaches(await depositFrom('260763451000'), 'FAILED')
      assert.equal((failureReason as { failureCode: string }).failureCode, failureCode)
    })
  }
})

it('a script overrides what the number says by itself, until it is taken off', async () => {
  const listed = '260763456039'
  const script = [{ afterSeconds: 0, answer: 'done' }]
  for (const [body, state] of [
    [{ script }, 'COMPLETED'],
    [{ script: [] }, 'FAILED'],
    [{ script }, 'COMPLETED'],
    [{}, 'FAILED'],
    [{ script }, 'COMPLETED'],
    [{ mode: 'auto', script: null }, 'FAILED'],
  ] as const) {
    assertEmpty(await put(listed, body))
    await service.reaches(await depositFrom(listed), state)
  }
})

it('a script overrides a one-time code as well', async () => {
  assertEmpty(await put('22607345678', { script: [{ afterSeconds: 0, answer: 'done' }] }))
  const { id } = await service.deposit({
    amount: '100',
    currency: 'XOF',
    payer: payer('22607345678', 'ORANGE_BFA'),
    preAuthorisationCode: '000000',
  })
  await service.reaches(id, 'COMPLETED')
})

it('a payment keeps the script with which it was submitted', async () => {
  const number = '260763452000'
  await put(number, { script: [{ afterSeconds: 60, answer: 'done' }] })
  const id = await depositFrom(number)
  await reachesOperator(service, id)
  await put(number, { script: [{ afterSeconds: 0, answer: 'failed' }] })
  await service.advance(60)
  await service.reaches(id, 'COMPLETED')
})

/** What cannot be scripted, with the code and the field that the message names. */
const REFUSED: readonly (readonly [number: string, body: unknown, code: string, says: RegExp])[] = [
  ['abc', {}, 'INVALID_PARAMETER', /'msisdn'.*digits/],
  ['+260763456789', {}, 'INVALID_PARAMETER', /'msisdn'/],
  ['1'.repeat(33), {}, 'INVALID_PARAMETER', /'msisdn'/],
  ['1', { mode: 'magic' }, 'INVALID_PARAMETER', /'mode'/],
  ['1', { script: 'done' }, 'INVALID_PARAMETER', /'script'/],
  ['1', { script: [{}] }, 'MISSING_PARAMETER', /'afterSeconds'/],
  ['1', { script: [{ afterSeconds: 1 }] }, 'MISSING_PARAMETER', /'answer'/],
  ['1', { script: [{ afterSeconds: -1, answer: 'done' }] }, 'INVALID_PARAMETER', /'afterSeconds'/],
  ['1', { script: [{ afterSeconds: '1', answer: 'done' }] }, 'INVALID_PARAMETER', /'afterSeconds'/],
  [
    '1',
    { script: [{ afterSeconds: 1, answer: 'maybe' }] },
    'INVALID_PARAMETER',
    /'answer'.*'done'.*'duplicate'.*'contradict'/,
  ],
  ['1', { script: [{ answer: 'duplicate' }] }, 'MISSING_PARAMETER', /'afterSeconds'/],
  ['1', { script: [{ answer: 'contradict' }] }, 'MISSING_PARAMETER', /'afterSeconds'/],
  ['1', { script: [{ afterSeconds: 0, answer: 'Duplicate' }] }, 'INVALID_PARAMETER', /'answer'/],
  [
    '1',
    { script: [{ afterSeconds: 0, answer: 'duplicate', failureCode: 'INVALID_AMOUNT' }] },
    'INVALID_PARAMETER',
    /'failureCode'.*'INVALID_AMOUNT'/,
  ],
  [
    '1',
    { script: [{ afterSeconds: 0, answer: 'contradict', failureCode: 'NOT_A_CODE' }] },
    'INVALID_PARAMETER',
    /'failureCode'.*'NOT_A_CODE'/,
  ],
  [
    '1',
    { script: [{ afterSeconds: 0, answer: 'contradict', failureCode: true }] },
    'INVALID_PARAMETER',
    /'failureCode'/,
  ],
  ['1', { script: [{ after: 1 }] }, 'UNSUPPORTED_PARAMETER', /'after'/],
  [
    '1',
    { script: [{ afterSeconds: 0, answer: 'failed', failureCode: 'INVALID_AMOUNT' }] },
    'INVALID_PARAMETER',
    /'failureCode'.*'INVALID_AMOUNT'/,
  ],
  [
    '1',
    { script: Array(21).fill({ afterSeconds: 0, answer: 'done' }) },
    'INVALID_PARAMETER',
    /'script'.*at most 20/,
  ],
  ['1', { number: '1' }, 'UNSUPPORTED_PARAMETER', /'number'/],
]

describe('400 for what cannot be scripted:', () => {
  for (const [number, body, code, says] of REFUSED) {
    it(`${number.slice(0, 20)} ${JSON.stringify(body).slice(0, 70)}`, async () => {
      assertAnswer(await put(encodeURIComponent(number), body), 400, reason(code, says))
    })
  }
})
