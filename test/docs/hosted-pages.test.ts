import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import {
  ATTEMPTS_MAX,
  CHECKOUT_STATES,
  EXPIRES_AFTER_MINUTES,
} from '../../src/domain/hosted/checkout.ts'
import { READABLE_MS, SESSION_MS } from '../../src/domain/hosted/page-session.ts'
import { readCheckoutRequest } from '../../src/wire/v2/checkouts.ts'
import { PaymentPageRequest, readPaymentPageRequest } from '../../src/wire/v2/payment-page.ts'
import { ROOT } from '../node/program.ts'

const text = readFileSync(join(ROOT, 'docs/hosted-pages.md'), 'utf8')

/** The first cells of the table whose head begins with this cell. */
function names(head: string): readonly string[] {
  const start = text.indexOf(`\n| ${head}`)
  assert.ok(start >= 0, head)
  const [table = ''] = text.slice(start + 1).split('\n\n', 1)
  return table
    .split('\n')
    .slice(2)
    .map((line) => /`(\w+)`/.exec(line)?.[1] ?? '')
}

it('the page about hosted pages has every state of a checkout', () => {
  assert.deepEqual(names('State '), CHECKOUT_STATES)
})

it('it has every field that a Payment Page takes beside the two that it needs', () => {
  const fields = Object.keys(PaymentPageRequest.properties)
  const optional = fields.filter((name) => !['depositId', 'returnUrl'].includes(name))
  assert.deepEqual(names('Field ').toSorted(), optional.toSorted())
})

it('its requests are such requests', () => {
  const bodies = [...text.matchAll(/-d '(.*?)'\n/gs)].map(([, body = '']) => JSON.parse(body))
  const [page, checkout] = bodies
  const ids = { anyUuid: false }
  assert.equal(readPaymentPageRequest(page, ids).idAsSent, page.depositId)
  assert.equal(readCheckoutRequest(checkout, ids).idAsSent, checkout.checkoutId)
})

it('it names the times and numbers that hold', () => {
  const { least, most, usual } = EXPIRES_AFTER_MINUTES
  assert.ok(text.includes(`${least} to ${most} minutes, ${usual} by default`))
  assert.ok(text.includes(`| ${SESSION_MS / 60_000} minutes `))
  assert.deepEqual([ATTEMPTS_MAX, READABLE_MS / 86_400_000], [10, 7])
  assert.match(text, /up to ten attempts/)
  assert.match(text, /for seven days/)
})
