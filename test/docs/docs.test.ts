import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { it } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { RETRY_DELAYS_MS } from '../../src/domain/callbacks/callback.ts'
import {
  FAILURE_CODES,
  type FailureCode,
  isPaymentFailureCode,
  PAYMENT_FAILURE_MESSAGES,
} from '../../src/domain/failure.ts'
import { sandboxEndpoints } from '../../src/http/sandbox/controls.ts'
import { depositEndpoints } from '../../src/http/v2/deposits.ts'
import { HTTP_STATUS } from '../../src/http/v2/faults.ts'
import { VARIABLES } from '../../src/node/config.ts'
import type { NodeContext } from '../../src/node/context.ts'
import { createMetrics } from '../../src/node/metrics.ts'
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
import { endingOf, GENERAL_ENDINGS } from '../../src/providers/sandbox/stories.ts'
import { SETTINGS } from '../../src/store/embedded/process.ts'
import { OF_NODES } from '../../src/store/engine/session-settings.ts'
import { PRESET_NAMES } from '../../src/usecases/sandbox/phone-presets.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { PhoneActionRequest, PhoneScript } from '../../src/wire/sandbox/phones.ts'
import { ROOT } from '../node/program.ts'
import { MAY_IMPORT } from '../support/layers.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The cells of every table row whose first cell is code. */
const rowsOf = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    )

const plain = (cell = ''): string => cell.replaceAll('`', '')

/** The part of a document under one heading. */
const chapter = (text: string, heading: string): string => {
  const start = text.indexOf(`\n## ${heading}\n`)
  assert.ok(start >= 0, heading)
  const rest = text.slice(start + heading.length + 5)
  const end = rest.indexOf('\n## ')
  return end < 0 ? rest : rest.slice(0, end)
}

it('the configuration page is the table of settings in the code', () => {
  const table = read('docs/configuration.md').split('## Notes')[0] ?? ''
  assert.deepEqual(
    rowsOf(table).map(([name, meaning]) => [plain(name), meaning]),
    Object.entries(VARIABLES),
  )
})

it('the metrics page names every metric with its type and labels', () => {
  const metrics = createMetrics()
  metrics.onAnswer('GET /', 200, 0)
  metrics.measure.payment('accepted')
  metrics.measure.callback('delivered', 1)
  const text = metrics.text({
    paymentsHeld: 0,
    callbacksHeld: 0,
    queueAgeSeconds: 0,
    isJoined: true,
    openBreakers: 0,
    pausedEndpoints: 0,
    callbackAgeSeconds: 0,
    cases: { CONTRADICTION: { open: 0, oldestMs: 0 } },
  })
  const labelsOf = (name: string): string => {
    const found = new RegExp(`^${name}(?:_count|)\\{(.*)\\}`, 'm').exec(text)?.[1] ?? ''
    const names = [...found.matchAll(/(\w+)="/g)].map(([, label]) => label)
    return names.length === 0 ? '–' : names.map((label) => `\`${label}\``).join(', ')
  }
  const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => [
    name,
    type,
    labelsOf(name),
  ])
  const documented = rowsOf(read('docs/metrics.md')).map(([name, type, labels]) => [
    plain(name),
    type,
    labels,
  ])
  assert.deepEqual(documented.toSorted(), served.toSorted())
})

const CODES = Object.keys(FAILURE_CODES) as FailureCode[]
const codePage = (code: FailureCode): string => read(`docs/failure-codes/${code}.md`)

/** The fenced blocks of one language. */
const blocks = (text: string, language: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block = '']) => block,
  )

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
      CODES.filter((code) => FAILURE_CODES[code] === where).map(
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
    const expected =
      FAILURE_CODES[code] === 'payment'
        ? /^Failed payment: /m
        : new RegExp(`^Refused request, .*HTTP ${HTTP_STATUS[code] ?? 200}\\b`, 'm')
    assert.match(codePage(code), expected, code)
  }
})

it('the example of a failure code is JSON that names the code and says what the service says', () => {
  for (const code of CODES) {
    const examples = blocks(chapter(codePage(code), 'Example'), 'json')
    assert.ok(examples.length > 0, code)
    for (const example of examples) {
      const { status, failureReason = inEarlierWords(JSON.parse(example)) } = JSON.parse(example)
      assert.equal(failureReason.failureCode, code)
      if (isPaymentFailureCode(code)) {
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

it('the sandbox page has the endings of numbers as the simulator tells them', () => {
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

it('the callbacks page has the delays of the schedule', () => {
  const words = (ms: number): string =>
    ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
  const rows = rowsOf(read('docs/callbacks.md')).filter(([first]) => /^`\d\d?`/.test(first ?? ''))
  assert.deepEqual(
    rows.map(([, delay]) => delay),
    ['at once', ...RETRY_DELAYS_MS.map(words)],
  )
  assert.match(rows.at(-1)?.[0] ?? '', /and later/)
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

it('the commands page has every command with its arguments, summary and options', () => {
  const text = read('docs/commands.md')
  const headings = [...text.matchAll(/^## `malipo (.*)`$/gm)].map(([, heading]) => heading)
  const shown = COMMANDS.map((command) =>
    [command.name, ...(command.arguments ?? []).map((one) => `<${one}>`)].join(' '),
  )
  assert.deepEqual(headings, shown)
  for (const [at, command] of COMMANDS.entries()) {
    const part = chapter(text, `\`malipo ${shown[at]}\``)
    assert.ok(part.includes(`\n${command.summary}.\n`), command.name)
    assert.deepEqual(
      rowsOf(part).map(([option, meaning]) => [plain(option), meaning]),
      Object.entries(command.options).map(([name, { value, summary }]) => [
        `--${name}${value === undefined ? '' : ` <${value}>`}`,
        summary,
      ]),
    )
  }
})

it('the layer table of ARCHITECTURE.md is the one that the architecture test holds', () => {
  const held = Object.entries(MAY_IMPORT).map(([layer, list]) => [layer, list.join(', ') || '–'])
  const documented = rowsOf(chapter(read('ARCHITECTURE.md'), 'The layers'))
  assert.deepEqual(
    documented.map(([layer, list]) => [plain(layer), list]),
    held,
  )
})

it('every run-time dependency has its reason on the page of dependencies', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const text = read('docs/decisions/0002-dependencies.md')
  assert.deepEqual(
    rowsOf(text)
      .map(([name]) => plain(name))
      .toSorted(),
    Object.keys(dependencies).toSorted(),
  )
  for (const name of Object.keys(optionalDependencies)) {
    assert.ok(text.includes(`\`${name.replace(/\/.*/, '/*')}\``), name)
  }
})

const SKIPPED = /(^|\/)node_modules(\/|$)|^(dist|data|\.git)(\/|$)/

function documents(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (SKIPPED.test(path)) return []
    if (entry.isDirectory()) return documents(path)
    return path.endsWith('.md') ? [path] : []
  })
}

it('every relative link in a document resolves', () => {
  const files = documents()
  assert.ok(files.length > 15)
  const broken = files.flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )
  assert.deepEqual(broken, [])
})

it('every source file that a document names exists', () => {
  const missing = documents().flatMap((file) =>
    [...read(file).matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:ts|mjs|sql|json))`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !/NNNN/.test(path))
      .filter((path) => !['', 'src'].some((base) => existsSync(join(ROOT, base, path))))
      .map((path) => `${relative('', file)}: ${path}`),
  )
  assert.deepEqual(missing, [])
})

it('the page about operating names the settings of the embedded server as they are', () => {
  const rows = rowsOf(chapter(read('docs/operating.md'), 'A PostgreSQL server of your own'))
  assert.ok(rows.length >= 8)
  const settings = new Map(SETTINGS.map(([name, value]) => [name, value]))
  for (const [name, value] of rows) assert.equal(settings.get(plain(name)), plain(value), name)
})

it('the page about operating gives a role what nodes ask for when they connect', () => {
  const given = [
    ...read('docs/operating.md').matchAll(/^alter role malipo set (\w+) = '?(\w+)'?;$/gm),
  ]
  assert.deepEqual(
    given.map(([, name, value]) => [name, value]),
    Object.entries(OF_NODES),
  )
})

it('the page about operating says of every table where it would be placed', () => {
  const schema = read('schema.sql')
  const keys = [...schema.matchAll(/^create table (\w+) \([^;]*?PRIMARY KEY \((\w+)/gms)]
  const placed = chapter(read('docs/operating.md'), 'Distribution by merchant')
    .split('\n')
    .filter((line) => /^\| (distributed|reference|local)/.test(line))
    .map((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  const tables = placed.map((names) => names.filter((name) => name !== 'merchant_id'))
  assert.equal(tables.length, 3)
  assert.deepEqual(tables.flat().toSorted(), keys.map(([, name]) => name).toSorted())
  const led = new Set(keys.filter(([, , first]) => first === 'merchant_id').map(([, name]) => name))
  for (const name of tables[0] ?? []) assert.ok(led.has(name), `${name} leads with its merchant`)
  const made = [
    ...read('docs/operating.md').matchAll(
      /^select create_(distributed|reference)_table\('(\w+)'/gm,
    ),
  ]
  assert.deepEqual(
    made.map(([, how, name]) => [how, name]),
    [
      ...(tables[1] ?? []).map((name) => ['reference', name]),
      ...(tables[0] ?? []).map((name) => ['distributed', name]),
    ],
  )
})
