import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { FAILURE_CODES, type FailureCode, occursIn } from '../../src/domain/failure.ts'
import type { PaymentState } from '../../src/domain/payments/payment-state.ts'
import { replacements } from '../../src/http/v1/endpoints.ts'
import { FIELD_RULES } from '../../src/wire/v1/migration.ts'
import { STATES } from '../../src/wire/v1/payment-parts.ts'
import { toCurrentCalls } from '../../src/wire/v1/translate.ts'
import { failureCodeOf, rejectionOf } from '../../src/wire/v1/words.ts'
import { ROOT } from '../node/program.ts'

const text = readFileSync(join(ROOT, 'docs/earlier-generation.md'), 'utf8')

/** The rows of the table whose head begins with this cell. */
function table(head: string): readonly (readonly [string, string])[] {
  const start = text.indexOf(`\n| ${head}`)
  assert.ok(start >= 0, head)
  const [block = ''] = text.slice(start + 1).split('\n\n', 1)
  return block
    .split('\n')
    .slice(2)
    .map((line) => {
      const [first = '', second = ''] = line.slice(1, -1).split(' | ')
      return [first.trim().replaceAll('`', ''), second.trim()]
    })
}

const plain = (cell: string): string => cell.replaceAll('`', '')

it('the page of the earlier generation names every call with what takes its place', () => {
  const rows = table('Call ').map(([call, instead]) => [call, plain(instead)])
  assert.deepEqual(rows, [...replacements()])
})

it('it has the rules for fields as the report gives them', () => {
  const rules = FIELD_RULES.map(({ field, rule }) => [field, rule])
  assert.deepEqual(table('Field '), rules)
})

it('it has the names of states as records show them', () => {
  // A payout that waits for its split payment is shown as ACCEPTED.
  const { WAITING: _, ...seen } = STATES
  const rows = table('State ').map(([state, name]) => [state, plain(name)])
  assert.deepEqual(Object.fromEntries(rows), seen satisfies Partial<Record<PaymentState, string>>)
})

const KINDS = ['deposit', 'payout', 'refund'] as const

/** Every other name that a code may have, by code. */
function renamed(of: 'request' | 'payment'): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const code of Object.keys(FAILURE_CODES) as FailureCode[]) {
    if (!occursIn(code, of)) continue
    const names = KINDS.flatMap((kind) => {
      if (of === 'payment') return [failureCodeOf(kind, code)]
      return [undefined, 'MINIMUM' as const].map((bound) => {
        const failure = { code, message: '', ...(bound === undefined ? {} : { bound }) }
        return rejectionOf(kind, failure).rejectionCode
      })
    })
    if (names.some((name) => name !== code)) found.set(code, new Set(names))
  }
  return found
}

for (const [of, head] of [
  ['request', 'Code of the current generation     |'],
  ['payment', 'Code of the current generation |'],
] as const) {
  it(`it has every code of a ${of} that is called otherwise`, () => {
    const names = ([code, cell]: readonly [string, string]): readonly [string, Set<string>] => {
      const words = [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, word = '']) => word)
      return [code, new Set(words)]
    }
    assert.deepEqual(new Map(table(head).map(names)), renamed(of))
  })
}

it('its example is translated as it says', () => {
  const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const bodies = blocks.map((block) => JSON.parse(block)).filter((one) => 'depositId' in one)
  const [earlier, current] = bodies
  assert.deepEqual(toCurrentCalls(earlier), [
    { method: 'POST', path: '/v2/deposits', body: current },
  ])
})
