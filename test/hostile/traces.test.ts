import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tracesOf } from '../../proof/fuzz/controls.ts'
import { replayOf, withPlaceholders } from '../../proof/fuzz/replay.ts'
import type { FuzzRequest } from '../../proof/fuzz/requests.ts'
import { acceptedName, newTally, note } from '../../proof/fuzz/tally.ts'
import type { WireAnswer } from '../../proof/fuzz/wire.ts'
import type { Stage } from '../../proof/hostile/stage.ts'
import { answer, REFUSAL, request, target } from './forged.ts'

describe('what was accepted', () => {
  const sentBy = (token: string, changes: Partial<FuzzRequest> = {}): FuzzRequest =>
    request({ head: `POST / HTTP/1.1\r\nAuthorization: ${token}\r\n\r\n`, ...changes })
  const answered = (field: string, id: string, status: string, more: object = {}) =>
    answer(200, JSON.stringify({ [field]: id, status, ...more }))
  const earlier = sentBy('bearer  A ', { target: target({ generation: 'earlier' }) })
  const refund = answered('refundId', 'x', 'ACCEPTED')
  const link = { redirectUrl: 'http://x/checkout/c' }

  const cases: readonly (readonly [
    string,
    readonly (readonly [FuzzRequest, WireAnswer])[],
    string,
  ])[] = [
    [
      'twice, in another case and the other generation, is found',
      [
        [sentBy('Bearer A'), answered('depositId', 'ab', 'ACCEPTED')],
        [earlier, answered('depositId', 'AB', 'ACCEPTED')],
      ],
      'deposit/ab was accepted twice',
    ],
    [
      'and then enqueued is found',
      [
        [sentBy('Bearer A'), answered('payoutId', 'x', 'ACCEPTED')],
        [earlier, answered('payoutId', 'x', 'ENQUEUED')],
      ],
      'payout/x was accepted twice',
    ],
    [
      'twice in one answer is found',
      [[sentBy('Bearer A'), answer(200, `[${refund.body},${refund.body}]`)]],
      'refund/x was accepted twice',
    ],
    [
      'before the run is found',
      [[sentBy('Bearer A'), answered('depositId', 'before', 'ACCEPTED')]],
      'deposit/before was accepted twice',
    ],
    [
      'and then answered as a duplicate is fine',
      [
        [sentBy('Bearer A'), answered('checkoutId', 'x', 'ACCEPTED', link)],
        [sentBy('Bearer A'), answered('checkoutId', 'x', 'DUPLICATE_IGNORED', link)],
      ],
      '',
    ],
    [
      'of another kind or merchant is fine',
      [
        [sentBy('Bearer A'), answered('depositId', 'x', 'ACCEPTED')],
        [sentBy('Bearer A'), refund],
        [sentBy('Bearer B'), answered('depositId', 'x', 'ACCEPTED')],
      ],
      '',
    ],
  ]
  for (const [name, exchanges, expected] of cases) {
    it(name, () => {
      const tally = newTally([], [acceptedName('A', 'deposit/before')])
      for (const [sent, came] of exchanges) note(sent, came, tally)
      assert.equal(tally.faults.map(({ what }) => what).join(), expected)
    })
  }
})

describe('a control', () => {
  const asked = async (status: number, prints: readonly string[]) => {
    const looks = prints.values()
    return tracesOf(
      prints.slice(1).map((_, number) => request({ number, address: '/sandbox/phones/1' })),
      async () => answer(status, REFUSAL),
      async () => new Map([['sandbox_phones', looks.next().value ?? '']]),
    )
  }

  it('that is refused and changes something is found', async () => {
    const { refused, faults } = await asked(400, ['0 rows', '0 rows', '1 rows', '1 rows'])
    assert.equal(refused, 3)
    assert.deepEqual(
      faults.map(({ what }) => what),
      ['control 1: it was refused with 400, and sandbox_phones has changed: 0 rows, now 1 rows'],
    )
  })

  it('that is granted may change something', async () => {
    const { refused, changed, faults } = await asked(200, ['0 rows', '1 rows', '1 rows'])
    assert.deepEqual([refused, changed, faults], [0, 1, []])
  })
})

describe('a request that is printed', () => {
  const stage = {
    world: {
      host: '127.0.0.1:4711',
      token: 'mine-1',
      controlToken: 'control-1',
      session: 'malipo_sandbox=1',
      signedToken: 'signed-1',
      powerlessToken: 'powerless-1',
    },
    lone: { merchantId: 1, token: 'lone-1', session: 'malipo_sandbox=2' },
  } as unknown as Stage
  const head =
    'POST /v2/deposits HTTP/1.1\r\nHost: 127.0.0.1:4711\r\nAuthorization: Bearer mine-1\r\n\r\n'
  const printed = (body: Buffer): string =>
    withPlaceholders(replayOf(request({ head, body })), stage)

  it('names no service or token that no longer exists', () => {
    assert.equal(
      printed(Buffer.from('{}')),
      "curl -gi --path-as-is -X POST 'http://HOST/v2/deposits'" +
        " -H 'Authorization: Bearer TOKEN' --data-binary '{}'",
    )
  })

  it('has a readable head even if its body is not', () => {
    const text = printed(Buffer.from([0, 255]))
    assert.match(
      text,
      /^POST \/v2\/deposits HTTP\/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN/,
    )
    assert.match(text, /body in hex: 00ff$/)
  })
})
