import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rowsOf } from '../../harness/statements.ts'
import { type Amount, formatBalance } from '../../src/domain/amount.ts'
import { momentText, periodRefusal } from '../../src/domain/statements/statement.ts'
import {
  type MovedPayment,
  type Movement,
  type MovementType,
  movementLine,
  movementType,
  STATEMENT_COLUMNS,
  statementHeader,
} from '../../src/domain/statements/statement-file.ts'

const PAYMENT: MovedPayment = {
  kind: 'payout',
  idAsSent: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639',
  state: 'COMPLETED',
  phoneNumber: '260763456789',
  provider: 'MTN_MOMO_ZMB',
  country: 'ZMB',
}
const MOVEMENT: Movement = {
  key: '01985d1e-0000-7000-8000-000000000000',
  cause: 'ACCEPTED',
  at: Date.UTC(2026, 10, 15, 10, 14, 0, 7),
  amount: 150_000n as Amount,
  isCredit: false,
  payment: PAYMENT,
}
const STATEMENT = { wallet: { country: 'ZMB', currency: 'ZMW' }, showsPii: false }

const rowOf = (movement: Movement, balance = 0n) =>
  rowsOf(statementHeader() + movementLine(movement, STATEMENT, balance as Amount))[0]

const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const awkward = fc
  .array(
    fc.constantFrom('"', ',', '\r', '\n', '\r\n', '=', '+', '-', '@', '\t', "'", ' ', 'é', '😀'),
  )
  .map((parts) => parts.join(''))
const anyText = fc.oneof(text, awkward)

it('whatever a merchant wrote comes back from the file as it was', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      fc.uniqueArray(fc.tuple(anyText, anyText, fc.boolean()), { selector: ([name]) => name }),
      (clientReferenceId, customerMessage, entries) => {
        const metadata = entries.map(([name, value, pii]) => ({ name, value, pii }))
        const payment = { ...PAYMENT, clientReferenceId, customerMessage, metadata }
        const row = rowOf({ ...MOVEMENT, payment })
        assert.equal(row?.clientReferenceId, clientReferenceId)
        assert.equal(row?.customerMessage, customerMessage)
        const shown = entries.map(([name, value, pii]) => [name, pii ? '***' : value])
        assert.deepEqual(
          row?.metadata === '' ? {} : JSON.parse(row?.metadata ?? ''),
          JSON.parse(JSON.stringify(Object.fromEntries(shown))),
        )
      },
    ),
  )
})

it('amounts have two decimals at least and keep the others', () => {
  for (const [units, shown] of [
    [150_000n, '15.00'],
    [1n, '0.0001'],
    [5000n, '0.50'],
    [12_345_678n, '1234.5678'],
    [10n ** 22n, '1000000000000000000.00'],
  ] as const) {
    const amount = units as Amount
    assert.equal(rowOf({ ...MOVEMENT, amount })?.amount, shown)
    assert.equal(rowOf({ ...MOVEMENT, amount })?.net, `-${shown}`)
    assert.equal(rowOf({ ...MOVEMENT, amount, isCredit: true })?.net, shown)
    assert.equal(rowOf(MOVEMENT, units)?.balanceAfter, formatBalance(amount))
  }
})

it('a line has as many cells as there are columns, and ends as RFC 4180 says', () => {
  assert.equal(statementHeader(), `${STATEMENT_COLUMNS.join(',')}\r\n`)
  const line = movementLine(MOVEMENT, STATEMENT, 0n as Amount)
  assert.equal(line.split(',').length, STATEMENT_COLUMNS.length)
  assert.ok(line.startsWith('2026-11-15T10:14:00.007Z,,ZMB,ZMW,,PAYOUT,DEBIT,'))
  assert.ok(line.endsWith('\r\n'))
})

/** What a movement is called, by what caused it. */
const TYPES: readonly (readonly [MovementType, Partial<MovedPayment> | undefined, string])[] = [
  ['DEPOSIT', { kind: 'deposit' }, 'COMPLETED'],
  ['PAYOUT', { kind: 'payout' }, 'ACCEPTED'],
  ['REFUND', { kind: 'refund' }, 'ACCEPTED'],
  ['REMITTANCE', { kind: 'remittance' }, 'ACCEPTED'],
  ['SPLIT_DEPOSIT', { kind: 'deposit', splitId: 'x' }, 'COMPLETED'],
  ['SPLIT_PAYOUT', { kind: 'payout', splitId: 'x' }, 'ACCEPTED'],
  ['REVERSAL', { kind: 'payout' }, 'FAILED'],
  ['REVERSAL', { kind: 'payout', splitId: 'x' }, 'FAILED'],
  ['REVERSAL', { kind: 'refund' }, 'FAILED'],
  ['ADJUSTMENT', { kind: 'deposit' }, 'CORRECTION'],
  ['ADJUSTMENT', undefined, 'ADJUSTMENT'],
]

describe('the type of a movement', () => {
  for (const [type, changes, cause] of TYPES) {
    it(`${cause} of ${JSON.stringify(changes)} is ${type}`, () => {
      const { payment: _, ...rest } = { ...MOVEMENT, cause }
      const movement =
        changes === undefined ? rest : { ...rest, payment: { ...PAYMENT, ...changes } }
      assert.equal(movementType(movement), type)
    })
  }
})

it('a period has an end after its start, and at most 31 days', () => {
  const start = Date.UTC(2024, 1, 1)
  const day = 86_400_000
  assert.equal(periodRefusal(start, start + 1), undefined)
  assert.equal(periodRefusal(start, start + 31 * day), undefined)
  for (const end of [start - 1, start, start + 31 * day + 1]) {
    assert.equal(periodRefusal(start, end)?.code, 'INVALID_DATE_RANGE')
  }
})

it('a moment is written without a zone, and with parts of a second only where there are any', () => {
  assert.equal(momentText(Date.UTC(2026, 10, 1)), '2026-11-01T00:00:00')
  assert.equal(momentText(Date.UTC(2026, 10, 1, 0, 0, 0, 70)), '2026-11-01T00:00:00.070')
})
