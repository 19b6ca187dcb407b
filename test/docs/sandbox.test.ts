import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { GENERAL_ENDINGS } from '../../src/domain/sandbox/stories.ts'
import { sandboxEndpoints } from '../../src/http/sandbox/controls.ts'
import { RECORD_EXAMPLES } from '../../src/http/v2/examples.ts'
import type { NodeContext } from '../../src/node/context.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import {
  CODE_LIVES_MS,
  ON_SCREEN_MS,
  PHONE_MODES,
  PIN_TRIES,
  WAITS_MS,
  WRONG_CODE,
  WRONG_PIN,
} from '../../src/providers/sandbox/approval.ts'
import { PRESET_NAMES } from '../../src/usecases/sandbox/phone-presets.ts'
import { FIRST_NUMBER } from '../../src/web/sandbox/view.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { firstPayment } from '../../src/web/site/first-payment.ts'
import { PhoneActionRequest, PhoneScript } from '../../src/wire/sandbox/phones.ts'
import { ROOT } from '../node/program.ts'
import { chapter, plain, read, rowsOf } from './documents.ts'

it('the sandbox page has the endings of numbers as in the simulator', () => {
  const [deposits = '', payouts = ''] = chapter(
    read('docs/sandbox.md'),
    'Phone numbers decide the outcome',
  ).split('Payouts, refunds')
  for (const [text, table] of [
    [deposits, GENERAL_ENDINGS.DEPOSIT],
    [payouts, GENERAL_ENDINGS.PAYOUT],
  ] as const) {
    const documented = rowsOf(text).map(([digits, ending]) => [plain(digits), ending])
    assert.deepEqual(Object.fromEntries(documented), table)
  }
})

it('the sandbox page has modes, actions and limits of the virtual phone as the code has them', () => {
  const rows = rowsOf(chapter(read('docs/sandbox.md'), 'The virtual phone'))
  const first = rows.map(([name]) => plain(name))
  assert.deepEqual(first.slice(0, PHONE_MODES.length), PHONE_MODES)
  const actions: readonly string[] = PhoneActionRequest.properties.action.enum
  assert.deepEqual(first.slice(PHONE_MODES.length, PHONE_MODES.length + actions.length), actions)
  const seconds = (ms: number): string => `${ms / 1000} s`
  const limits = Object.fromEntries(rows.map(([name, value]) => [plain(name), plain(value)]))
  for (const [name, value] of [
    ['the wrong PIN', WRONG_PIN],
    ['wrong PINs until it is declined', String(PIN_TRIES)],
    ['a prompt waits for an answer', seconds(WAITS_MS.PHONE)],
    ['a prompt that can be revived stays on the screen', seconds(ON_SCREEN_MS)],
    ['the page of a wallet waits', seconds(WAITS_MS.PAGE)],
    ['a one-time code is valid', seconds(CODE_LIVES_MS)],
    ['the wrong one-time code', WRONG_CODE],
  ] as const) {
    assert.equal(limits[name], value, name)
  }
})

it('the sandbox page names the answers of a script', () => {
  const rows = rowsOf(chapter(read('docs/sandbox.md'), 'Scripts'))
  const script = PhoneScript.properties.script.items.properties.answer
  assert.deepEqual(
    rows.map(([name]) => plain(name)),
    script.enum,
  )
})

it('the sandbox page names the providers with one-time codes and with pages of their own', () => {
  const catalog = readCatalog(join(ROOT, 'catalog/providers.json'))
  const page = read('docs/sandbox.md')
  for (const [heading, authType] of [
    ['One-time codes', 'PREAUTH'],
    ['Redirection', 'REDIRECT_AUTH'],
  ] as const) {
    const providers = catalog.all.filter(({ currencies }) =>
      currencies.some(({ operations }) => operations.DEPOSIT?.authType === authType),
    )
    const named = [...chapter(page, heading).matchAll(/\b[A-Z]+_[A-Z]{3}\b/g)].map(([name]) => name)
    const codes = providers.map(({ code }) => code)
    assert.deepEqual(codes.filter((code) => named.includes(code)).toSorted(), codes.toSorted())
  }
})

it('the sandbox page names every button for what the operator does', () => {
  const rows = rowsOf(chapter(read('docs/sandbox.md'), 'In the browser'))
  const buttons = PRESET_NAMES.map((name) => SANDBOX_WORDS.en[`preset_${name}`])
  assert.deepEqual(
    rows.map(([name]) => plain(name)),
    buttons,
  )
})

it('the sandbox page names every control', () => {
  // Only the descriptions are looked at; a description needs no context.
  const controls = sandboxEndpoints({} as NodeContext)
  assert.deepEqual(
    rowsOf(chapter(read('docs/sandbox.md'), 'Controls')).map(([name]) => plain(name)),
    controls.map(({ method, path }) => `${method} ${path}`),
  )
})

it('the number that README takes over is the suggested one, and no example pays from it', () => {
  const [first = '', rest = ''] = read('README.md').split('### With the API')
  assert.ok(first.includes(`**Take ${FIRST_NUMBER}**`))
  assert.ok(first.includes(FIRST_NUMBER.replace('260', '0')))
  const { send } = firstPayment('http://127.0.0.1:8080', '<token>')
  const examples = [rest, send, JSON.stringify(RECORD_EXAMPLES)]
  for (const example of examples) assert.ok(!example.includes(FIRST_NUMBER), example)
})
