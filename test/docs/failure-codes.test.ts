import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import {
  FAILURE_CODES,
  type FailureCode,
  isPaymentFailureCode,
  occursIn,
  PAYMENT_FAILURE_MESSAGES,
} from '../../src/domain/failure.ts'
import { endingOf } from '../../src/domain/sandbox/stories.ts'
import { sandboxEndpoints } from '../../src/http/sandbox/controls.ts'
import { depositEndpoints } from '../../src/http/v2/deposits.ts'
import { failureCodesOf } from '../../src/http/v2/failure-codes.ts'
import { HTTP_STATUS } from '../../src/http/v2/faults.ts'
import type { NodeContext } from '../../src/node/context.ts'
import { endpointsOf } from '../../src/node/endpoints.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { ROOT } from '../node/program.ts'
import { blocks, chapter, read } from './documents.ts'

const CODES = Object.keys(FAILURE_CODES) as FailureCode[]
const codePage = (code: FailureCode): string => read(`docs/failure-codes/${code}.md`)

it('the index of failure codes lists every code in order, with what happened and the retry', () => {
  const text = read('docs/failure-codes.md')
  for (const [heading, where] of [
    ['Refused requests', 'request'],
    ['Failed payments', 'payment'],
  ] as const) {
    const rows = chapter(text, heading)
      .split('\n')
      .filter((line) => line.startsWith('| ['))
      .map((line) => line.slice(1, -1).split(' | '))
    assert.deepEqual(
      rows.map(([code]) => code?.trim()),
      CODES.filter((code) => occursIn(code, where)).map(
        (code) => `[\`${code}\`](failure-codes/${code}.md)`,
      ),
    )
    for (const row of rows) {
      assert.equal(row.length, 3, row[0])
      assert.ok(
        row.every((cell) => cell.trim().length > 1),
        row[0],
      )
    }
  }
})

it('every failure code has a page, and there is no page without a code', () => {
  const pages = readdirSync(join(ROOT, 'docs/failure-codes'))
  assert.deepEqual(pages.toSorted(), CODES.map((code) => `${code}.md`).toSorted())
})

it('every page of a failure code answers the same questions in the same order', () => {
  const questions = [
    'What happened',
    'Was money moved?',
    'What to tell the payer',
    'Retry?',
    'Example',
  ]
  for (const code of CODES) {
    const [opening = '', ...parts] = codePage(code).split(/^## /m)
    const headings = parts.map((part) => part.slice(0, part.indexOf('\n')))
    if (headings.at(-1) === 'Try it in the sandbox') headings.pop()
    assert.deepEqual(headings, questions, code)
    assert.match(opening, new RegExp(`^# ${code}\n\n.+\n\n$`), code)
    for (const part of parts) {
      assert.match(part, /^.+\n\n\S/, `${code}: ${part}`)
    }
  }
})

it('a page of a failure code says where it occurs, and with which HTTP status', () => {
  for (const code of CODES) {
    const refused = new RegExp(`^Refused request, .*HTTP ${HTTP_STATUS[code] ?? 200}\\b`, 'm')
    if (occursIn(code, 'request')) assert.match(codePage(code), refused, code)
    if (occursIn(code, 'payment')) assert.match(codePage(code), /\bFailed payment: /, code)
  }
})

it('the example of a failure code is JSON that names the code and says what the service says', () => {
  for (const code of CODES) {
    const examples = blocks(chapter(codePage(code), 'Example'), 'json')
    assert.ok(examples.length > 0, code)
    for (const example of examples) {
      const { status, failureReason = inEarlierWords(JSON.parse(example)) } = JSON.parse(example)
      assert.equal(failureReason.failureCode, code)
      if (isPaymentFailureCode(code) && (status === 'FAILED' || !occursIn(code, 'request'))) {
        assert.equal(status, 'FAILED', code)
        assert.equal(failureReason.failureMessage, PAYMENT_FAILURE_MESSAGES[code])
      } else {
        assert.equal(status, HTTP_STATUS[code] === 500 ? undefined : 'REJECTED', code)
        assert.ok(failureReason.failureMessage.length > 20, code)
      }
    }
  }
})

/** A code that only the earlier generation has is shown in its words. */
const inEarlierWords = ({ rejectionReason }: Record<string, Record<string, string>>) => ({
  failureCode: rejectionReason?.rejectionCode,
  failureMessage: rejectionReason?.rejectionMessage,
})

type Attempt = { readonly method: string; readonly path: string; readonly body: string }

/** The calls under "Try it in the sandbox". */
function attempts(code: FailureCode): readonly Attempt[] {
  const text = codePage(code)
  if (!text.includes('\n## Try it in the sandbox\n')) return []
  const scripts = blocks(chapter(text, 'Try it in the sandbox'), 'sh')
  assert.ok(scripts.length > 0, code)
  const calls = scripts.flatMap((script) => script.split(/^(?=curl )/m))
  return calls.flatMap((call) => {
    const [, path = ''] = /http:\/\/127\.0\.0\.1:8080([^\s'?]*)/.exec(call) ?? []
    if (path === '') return []
    assert.ok(call.includes('Authorization: Bearer $TOKEN'), code)
    const [, body = ''] = /-d '([^']*)'/s.exec(call) ?? []
    const [, method = body === '' ? 'GET' : 'POST'] = /-X (\w+)/.exec(call) ?? []
    return [{ method, path, body }]
  })
}

it('the sandbox provokes a failed payment with the numbers and scripts that its page names', () => {
  const catalog = readCatalog(join(ROOT, 'catalog/providers.json'))
  for (const code of CODES) {
    if (!isPaymentFailureCode(code)) continue
    const scripted = new Set<string>()
    for (const { path, body } of attempts(code)) {
      const order = body === '' ? {} : JSON.parse(body)
      if (path.startsWith('/sandbox/phones/')) {
        assert.equal(order.script.at(-1).failureCode, code)
        scripted.add(path.split('/').at(-1) ?? '')
      }
      const account = (order.payer ?? order.recipient)?.accountDetails
      if (account === undefined || scripted.has(account.phoneNumber)) continue
      const operation = order.payer === undefined ? 'PAYOUT' : 'DEPOSIT'
      const ending = endingOf(account.phoneNumber, catalog.find(account.provider), operation)
      assert.equal(ending, BEFORE_THE_OPERATOR.includes(code) ? 'COMPLETED' : code)
    }
  }
})

/** These end a payment before the operator is asked, so the number has no part in it. */
const BEFORE_THE_OPERATOR: readonly FailureCode[] = [
  'PAWAPAY_WALLET_OUT_OF_FUNDS',
  'MANUALLY_CANCELLED',
]

it('the calls that provoke a failure use operations that exist', () => {
  // Only the descriptions are looked at; a description needs no context.
  const ctx = {} as NodeContext
  const endpoints = [...sandboxEndpoints(ctx), ...depositEndpoints(ctx)]
  const known = endpoints.map(
    ({ method, path }) => new RegExp(`^${method} ${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  )
  for (const code of CODES) {
    for (const { method, path } of attempts(code)) {
      if (!/^\/(sandbox|v2\/deposits)\b/.test(path)) continue
      const call = `${method} ${path}`
      assert.ok(
        known.some((one) => one.test(call)),
        `${code}: ${call}`,
      )
    }
  }
})

/** How the pages of the codes name what can be refused, by the group of the operation. */
const REFUSED: Readonly<Record<string, string>> = {
  deposits: 'deposits',
  payouts: 'payouts',
  refunds: 'refunds',
  remittances: 'remittances',
  'split-payments': 'split payments',
  'payment-page': 'payment pages',
  checkouts: 'checkouts',
  finances: 'statements',
}

it('the page of a refusal names what the reference announces it for', () => {
  const endpoints = endpointsOf({ environment: 'sandbox' } as NodeContext, () => '')
  const starting = endpoints.filter(({ operationId }) => /^(init|create|request)/.test(operationId))
  for (const code of CODES) {
    const opening = codePage(code).split('\n')[2] ?? ''
    if (!opening.startsWith('Refused') || /every operation|earlier generation/.test(opening))
      continue
    const announced = starting
      .filter((one) => [200, 403].some((status) => failureCodesOf(one, status).includes(code)))
      .map(({ tag }) => REFUSED[tag])
    const named = Object.values(REFUSED).filter((word) => opening.includes(word))
    assert.deepEqual(named.toSorted(), [...new Set(announced)].toSorted(), code)
  }
})
