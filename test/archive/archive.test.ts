import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { AIRTEL, payout, reachesPayout, setBalance, switchPayouts } from '../../harness/payouts.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { completedDeposit, refund } from '../../harness/refunds.ts'
import { depositBody, eventually, payer, startService } from '../../harness/service.ts'
import { split } from '../../harness/splits.ts'
import { ended, NOBODY, statementBody, ZAMBIA } from '../../harness/statements.ts'
import type { Manifest } from '../../src/domain/archive/manifest.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { beginRemoval, removePart } from '../../src/store/archive/removal.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { addExport, type NewExport } from '../../src/store/statements/exports.ts'
import { addStatement } from '../../src/store/statements/statements.ts'
import { CHECKS, runCheck } from '../../src/store/verify/books.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import { openCommandLine } from '../cli/command-line.ts'
import { ROOT } from '../node/program.ts'

const MTN = 'MTN_MOMO_ZMB'
const FAILS = '260763456119'
const DEMO = 1 as MerchantId

const service = await startService()
const receiver = await startReceiver()
const folder = mkdtempSync(join(tmpdir(), 'malipo-archive-'))
const commandLine = openCommandLine({ DATABASE_URL: service.databaseUrl })
after(async () => {
  commandLine.close()
  await service.stop()
  await receiver.close()
  rmSync(folder, { recursive: true })
})

/** The money of the sandbox was put in this year; the payments come in the next. */
const FIRST = new Date().getUTCFullYear()
const YEAR = FIRST + 1
const NEXT = YEAR + 1

/** The clock takes a year at most at a time. */
async function advanceTo(moment: string): Promise<void> {
  for (;;) {
    const seconds = Math.ceil((Date.parse(moment) - service.node.ctx.clock.now()) / 1000)
    if (seconds <= 0) return
    await service.advance(Math.min(seconds, 300 * 86_400))
  }
}

const shop = await addMerchant(service, { slug: 'shop' })
const { deposit, early, late, lateFailure } = await someYears()

/** Payments of every kind in one year; some of December end in January. */
async function someYears() {
  await advanceTo(`${YEAR}-02-10T12:00:00Z`)
  await service.put('/sandbox/callbacks', { deposit: receiver.url, splitPayment: receiver.url })
  const deposit = depositBody({ amount: '100' })
  assert.equal((await service.post('/v2/deposits', deposit)).body.status, 'ACCEPTED')
  await service.reaches(deposit.depositId, 'COMPLETED')
  const failed = await service.deposit({ payer: payer('260763456039', MTN) })
  await service.reaches(failed.id, 'FAILED')
  const back = await refund(service, deposit.depositId, { amount: '30' })
  await eventually(async () => {
    const { body } = await service.get(`/v2/refunds/${back.id}`)
    assert.equal(body.data.status, 'COMPLETED')
  })
  const whole = await split(service)
  await splitEnds(whole.id)
  const early = (await payout(service, { recipient: payer(FAILS, MTN) })).id
  await reachesPayout(service, early, 'FAILED')
  await setBalance(service, '500', AIRTEL)
  await completedDeposit(service, { payer: payer('260973456789', AIRTEL) })
  const ofShop = depositBody()
  await shop.call('POST', '/v2/deposits', ofShop)
  await eventually(async () => {
    const { body } = await shop.call('GET', `/v2/deposits/${ofShop.depositId}`)
    assert.equal(body.data.status, 'COMPLETED')
  })

  await advanceTo(`${YEAR}-12-31T23:00:00Z`)
  await switchPayouts(service, 'DELAYED')
  const late = (await payout(service)).id
  const lateFailure = (await payout(service, { recipient: payer(FAILS, MTN) })).id
  await reachesPayout(service, lateFailure, 'ENQUEUED')
  const script = [
    { afterSeconds: 0, answer: 'pending' },
    { afterSeconds: 7200, answer: 'done' },
  ]
  assert.equal((await service.put('/sandbox/phones/260763456111', { script })).status, 204)
  const lateSplit = (await split(service, { payer: payer('260763456111', MTN) })).id
  // The operator has it before the clock is moved: its two hours begin with that.
  await eventually(async () => {
    const orders = await service.database.query(
      `select from payments where phone_number = '260763456111' and state = 'PROCESSING'`,
    )
    assert.equal(orders.length, 1)
  })

  await advanceTo(`${NEXT}-01-02T12:00:00Z`)
  await switchPayouts(service, 'OPERATIONAL')
  await reachesPayout(service, late, 'COMPLETED')
  await reachesPayout(service, lateFailure, 'FAILED')
  await splitEnds(lateSplit)
  await completedDeposit(service)
  return { deposit, early, late, lateFailure }
}

function splitEnds(id: string): Promise<void> {
  return eventually(async () => {
    const { body } = await service.get(`/v2/split-payments/${id}`)
    assert.equal(body.data.status, 'COMPLETED')
  })
}

const archive = (year: number, ...more: readonly string[]) =>
  commandLine.run(['archive', String(year), '--to', folder, ...more])

const WALLETS = [
  ['demo', 'ZMB-ZMW'],
  ['demo', `ZMB-ZMW-${AIRTEL}`],
  ['shop', 'ZMB-ZMW'],
] as const

function statement(merchant: string, wallet: string, ...more: readonly string[]) {
  const period = ['--from', `${FIRST}-01-01`, '--to', `${NEXT}-12-31`]
  return commandLine.run([
    ...['statement', '--merchant', merchant, '--wallet', wallet],
    ...[...period, ...more],
  ])
}

/** The statements of all wallets over all years. */
async function statements(...more: readonly string[]): Promise<readonly string[]> {
  const texts: string[] = []
  for (const [merchant, wallet] of WALLETS) {
    const { code, stdout, stderr } = await statement(merchant, wallet, ...more)
    assert.equal(code, 0, stderr)
    texts.push(stdout)
  }
  return texts
}

async function assertBooks(): Promise<void> {
  const results = await verifyBooks(service.database, () => {})
  assert.deepEqual(
    results.filter(({ findings }) => findings.length > 0),
    [],
  )
}

const manifestOf = (slug: string, year: number): { manifest: Manifest; hash: string } => {
  const text = readFileSync(join(folder, slug, String(year), 'manifest.json'))
  return {
    manifest: JSON.parse(text.toString()),
    hash: createHash('sha256').update(text).digest('hex'),
  }
}

const movementsLeft = (year: number) =>
  service.database.query(
    `select from transfers where extract(year from at at time zone 'UTC') = ${year}`,
  )

let before: readonly string[] = []

it('a year is not archived before 90 days have passed', async () => {
  const { code, stderr } = await archive(YEAR)
  assert.equal(code, 2)
  const from = new Date(Date.UTC(NEXT, 0, 91)).toISOString().slice(0, 10)
  assert.match(stderr, new RegExp(`${YEAR} can be archived from ${from}T00:00:00Z on`))
})

it('nor while something of it is open, which is named with the way out', async () => {
  await advanceTo(`${NEXT}-04-05T12:00:00Z`)
  await eventually(async () => {
    const due = await service.database.query('select from callbacks where due_at is not null')
    assert.equal(due.length, 0)
  })
  before = await statements()
  await service.database.query(
    `insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at, reported)
     select merchant_id, key, 'CONTRADICTION', kind, id, ended_at, 'FAILED' from payments
     where id = '${deposit.depositId}'`,
  )
  const { code, stdout } = await archive(YEAR, '--remove', '--merchant', 'demo')
  assert.equal(code, 3)
  assert.match(stdout, /^demo: \d{4} is not over yet\. Open cases: 1 \(see malipo case list\)\.$/m)
  await service.database.query('delete from cases')
})

it('earlier years go first', async () => {
  const refused = await archive(YEAR, '--remove')
  assert.equal(refused.code, 3)
  assert.match(refused.stdout, /shop: Rows of years before \d+ are still in the database/)
  const first = await archive(FIRST, '--remove')
  assert.equal(first.code, 0, first.stdout + first.stderr)
  assert.deepEqual(await movementsLeft(FIRST), [])
  await assertBooks()
})

it('without --remove the files are written and checked, and nothing is removed', async () => {
  const left = (await movementsLeft(YEAR)).length
  const { code, stdout, stderr } = await archive(YEAR)
  assert.equal(code, 0, stdout + stderr)
  assert.match(
    stdout,
    /demo: \d+ rows written to .*\/demo\/\d{4} and checked\. Nothing was removed\./,
  )
  assert.equal((await movementsLeft(YEAR)).length, left)
  const { manifest } = manifestOf('demo', YEAR)
  const names = manifest.files.map(({ name }) => name)
  assert.deepEqual(
    names,
    [
      'attempts.jsonl.gz',
      'callbacks.jsonl.gz',
      'events.jsonl.gz',
      'exchanges.jsonl.gz',
      `movements/wallet-ZMB-ZMW-${AIRTEL}.jsonl.gz`,
      'movements/wallet-ZMB-ZMW.jsonl.gz',
      'movements/no-wallet.jsonl.gz',
    ].toSorted(),
  )
  const moved = manifest.files.filter(({ name }) => name.startsWith('movements/'))
  const [row] = await service.database.query<{ count: number }>(
    `select count(*)::int as count from transfers
     where merchant_id = 1 and extract(year from at at time zone 'UTC') = ${YEAR}`,
  )
  assert.equal(
    moved.reduce((sum, { rows }) => sum + rows, 0),
    row?.count,
  )
})

it('a removal that was cut off leaves books in order, and goes on where it ended', async () => {
  const name = { merchantId: DEMO, year: YEAR }
  const now = service.node.ctx.clock.now()
  const { hash } = manifestOf('demo', YEAR)
  await service.database.inTransaction((tx) => beginRemoval(tx, name, hash, now))
  const all = (await movementsLeft(YEAR)).length
  const part = await removePart(service.database, name, 3, now)
  assert.deepEqual([part.isEnded, part.isHeldUp], [false, false])
  const left = (await movementsLeft(YEAR)).length
  assert.ok(left < all && left > 0)
  await assertBooks()
  assert.deepEqual(await statements('--archive', folder), before)

  const half = await archive(YEAR)
  assert.equal(half.code, 3)
  assert.match(half.stdout, /removed in part\. Go on with --remove and the same folder\./)
  const other = ['--to', `${folder}/x`, '--merchant', 'demo', '--remove']
  const elsewhere = await commandLine.run(['archive', String(YEAR), ...other])
  assert.match(elsewhere.stdout, /demo: .*\/x\/demo\/\d{4}\/manifest\.json is missing\./)
})

it('two who remove at once do it together, each row once', async () => {
  const other = openCommandLine({ DATABASE_URL: service.databaseUrl })
  const args = ['archive', String(YEAR), '--to', folder, '--merchant', 'demo', '--remove']
  const both = await Promise.all([commandLine.run(args), other.run(args)])
  other.close()
  for (const { code, stdout, stderr } of both) {
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /rows are in .*\/demo\/\d{4} and removed from the database\./)
  }
  await assertBooks()
})

it('a folder that holds something else is not touched', async () => {
  const place = join(folder, 'y', 'shop', String(YEAR))
  mkdirSync(place, { recursive: true })
  const foreign = { ...manifestOf('shop', YEAR).manifest, database: randomUUID() }
  for (const text of [JSON.stringify(foreign), 'not a manifest']) {
    writeFileSync(join(place, 'manifest.json'), text)
    const args = ['archive', String(YEAR), '--to', join(folder, 'y'), '--merchant', 'shop']
    const { code, stdout } = await commandLine.run(args)
    assert.equal(code, 3)
    assert.match(stdout, /holds something else than an archive of this year from this database/)
    assert.equal(readFileSync(join(place, 'manifest.json'), 'utf8'), text)
  }
})

it('a whole year leaves the database, and balances are still proved', async () => {
  const { hash } = manifestOf('shop', YEAR)
  assert.equal((await archive(YEAR, '--remove')).code, 0)
  assert.deepEqual(await movementsLeft(YEAR), [])
  // Files of which there may be copies by now were not written again.
  assert.equal(manifestOf('shop', YEAR).hash, hash)
  await assertBooks()
})

it('statements over archived years are the same, byte for byte', async () => {
  assert.deepEqual(await statements('--archive', folder), before)
  const within = ['--from', `${YEAR}-12-31`, '--to', `${NEXT}-01-02`, '--archive', folder]
  const part = await commandLine.run(
    ['statement', '--merchant', 'demo', '--wallet', 'ZMB-ZMW'].concat(within),
  )
  assert.equal(part.code, 0, part.stderr)
  const lines = (before[0] ?? '').split('\n')
  const meant = lines.filter((line) => line >= `${YEAR}-12-31` && line < `${NEXT}-01-03`)
  assert.ok(meant.length > 4)
  assert.equal(part.stdout, [lines[0], ...meant, ''].join('\n'))
  const file = join(folder, 'statement.csv')
  assert.equal((await statement('demo', 'ZMB-ZMW', '--archive', folder, '--output', file)).code, 0)
  assert.equal(readFileSync(file, 'utf8'), before[0])
})

it('a statement names what it needs, and what is missing or damaged', async () => {
  const without = await statement('demo', 'ZMB-ZMW')
  assert.equal(without.code, 2)
  assert.match(
    without.stderr,
    /The movements of \d{4} are archived\. Name their folder by --archive/,
  )
  const path = join(folder, 'demo', String(YEAR), 'movements', 'wallet-ZMB-ZMW.jsonl.gz')
  const whole = readFileSync(path)
  const damaged = Buffer.from(whole)
  damaged[40] = (damaged[40] ?? 0) ^ 1
  for (const [text, found] of [
    [damaged, /wallet-ZMB-ZMW\.jsonl\.gz is damaged: its SHA-256 is not that of the manifest/],
    [whole.subarray(9), /wallet-ZMB-ZMW\.jsonl\.gz has \d+ bytes instead of \d+\./],
  ] as const) {
    writeFileSync(path, text)
    const { code, stdout, stderr } = await statement('demo', 'ZMB-ZMW', '--archive', folder)
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, found)
  }
  rmSync(path)
  const missing = await statement('demo', 'ZMB-ZMW', '--archive', folder)
  assert.match(missing.stderr, /wallet-ZMB-ZMW\.jsonl\.gz is missing\./)
  writeFileSync(path, whole)
})

it('a statement of which only the beginning is read ends without an error', async () => {
  const args = ['--merchant', 'demo', '--wallet', 'ZMB-ZMW', '--archive', folder]
  const period = ['--from', `${FIRST}-01-01`, '--to', `${NEXT}-12-31`]
  const child = spawn(process.execPath, ['bin/malipo.mjs', 'statement', ...args, ...period], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATABASE_URL: service.databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // Closed before anything is written, so that the first line meets nobody.
  child.stdout.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.deepEqual([code, stderr], [0, ''])
})

it('what a statement is given is checked, also what it does not need', async () => {
  const REFUSED = [
    [['--from', '2026-13-01'], /--from is "2026-13-01"; give a day such as/],
    [['--from', '2026-02-30'], /--from is "2026-02-30"; give a day such as/],
    [['--to', '2026-01-31T14:00:00Z'], /--to is "2026-01-31T14:00:00Z"; give a day such as/],
    [['--archive', join(folder, 'nowhere')], /--archive is ".*nowhere"; there is no such folder/],
    [['--output', join(folder, 'no/x.csv')], /The file of --output cannot be written: ENOENT/],
    [['--output', folder], /The file of --output cannot be written: /],
    [['--json'], /--json needs --output/],
  ] as const
  const now = [`--from=${NEXT}-06-01`, `--to=${NEXT}-06-02`]
  const common = ['statement', '--merchant', 'demo', '--wallet', 'ZMB-ZMW', ...now]
  for (const [more, says] of REFUSED) {
    const { code, stdout, stderr } = await commandLine.run([...common, ...more])
    assert.deepEqual([code, stdout], [2, ''], stderr)
    assert.match(stderr, says)
  }
  assert.ok(!existsSync(`${folder}.partial`))
  const output = join(folder, 'part.csv')
  const result = await commandLine.run([...common, '--json', '--output', output])
  assert.deepEqual([result.code, result.stderr], [0, ''])
  const { movements, opening, closing, ...rest } = JSON.parse(result.stdout)
  assert.deepEqual([movements, opening === closing, rest], [0, true, { output }])
})

it('an id of an archived year is still a duplicate, and its deposit can be refunded', async () => {
  const again = await service.post('/v2/deposits', deposit)
  assert.equal(again.body.status, 'DUPLICATE_IGNORED')
  const back = await refund(service, deposit.depositId, { amount: '70' })
  assert.equal(back.body.status, 'ACCEPTED', JSON.stringify(back.body))
  await eventually(async () => {
    const { body } = await service.get(`/v2/refunds/${back.id}`)
    assert.equal(body.data.status, 'COMPLETED')
  })
  await assertBooks()
})

it('the API refuses what it cannot answer from the database', async () => {
  const asked = { startDate: `${YEAR}-12-20T00:00:00`, endDate: `${NEXT}-01-10T00:00:00` }
  const { status, body } = await service.post('/v2/statements', statementBody(asked))
  assert.equal(status, 200)
  assert.equal(body.status, 'REJECTED')
  assert.equal(body.failureReason.failureCode, 'INVALID_DATE_RANGE')
  assert.match(body.failureReason.failureMessage, new RegExp(`movements of ${YEAR} are archived`))
  const resend = await service.post(`/v2/deposits/resend-callback/${deposit.depositId}`)
  assert.match(JSON.stringify(resend.body), /INVALID_STATE.*callbacks of \d{4} are archived/)
  const story = await service.get(`/payments/${deposit.depositId}`)
  assert.equal(story.body.payments[0].archivedIn, YEAR)
})

it('what was asked for before the year was archived ends with a reason', async () => {
  const { ctx } = service.node
  const now = ctx.clock.now()
  const [startAt, endAt] = [Date.UTC(YEAR, 1, 1), Date.UTC(YEAR, 1, 20)]
  const id = randomUUID() as string as PaymentId
  await addStatement(service.database, {
    ...{ merchantId: DEMO, id, key: ctx.newKey(), wallet: ZAMBIA, callbackUrl: NOBODY },
    ...{ startAt, endAt, compressed: false, showsPii: false, createdAt: now },
  })
  const { userId } = await signedIn(service, 'owner')
  const csv = { isForSpreadsheets: false, separator: ',' } as const
  const named = { name: 'file', csv, startAt, endAt }
  const exportIds = [randomUUID(), randomUUID()]
  await addExport(service.database, {
    ...{ merchantId: DEMO, id: exportIds[0] ?? '', userId, createdAt: now, showsPii: false },
    ...{ format: 'pdf', subject: { kind: 'statement', wallet: ZAMBIA, language: 'en', ...named } },
  } as NewExport)
  await addExport(service.database, {
    ...{ merchantId: DEMO, id: exportIds[1] ?? '', userId, createdAt: now, showsPii: false },
    ...{ format: 'csv', subject: { kind: 'payments', filter: {}, countries: [], ...named } },
  } as NewExport)
  ctx.work.wake()
  const record = await ended(service, id)
  assert.equal(record.status, 'FAILED')
  assert.equal(record.failureReason.failureCode, 'INVALID_DATE_RANGE')
  await eventually(async () => {
    const rows = await service.database.query<{ state: string; failure: string | null }>(
      'select state, failure from exports where id = any($1)',
      [exportIds],
    )
    const wanted = { state: 'FAILED', failure: 'ARCHIVED' }
    assert.deepEqual(rows, [wanted, wanted])
  })
})

it('the dashboard and the command line say where the rest is', async () => {
  const visitor = await signedIn(service, 'owner')
  const period = `wallet=ZMB-ZMW&from=${YEAR}-02-01&to=${YEAR}-02-20`
  for (const page of [`statements?${period}`, `balances?${period}`]) {
    const { status, text } = await visitor.get(`/dashboard/${page}`)
    assert.equal(status, 200)
    assert.match(text, new RegExp(`The movements of ${YEAR} are archived`), page)
  }
  for (const file of [`statements.csv?${period}`, 'deposits.csv']) {
    assert.equal((await visitor.get(`/dashboard/${file}`)).status, 303, file)
  }
  const { text } = await visitor.get(`/dashboard/deposits/${deposit.depositId}`)
  assert.match(text, new RegExp(`archived in the files of ${YEAR}`))
  const shown = await commandLine.run(['payment', 'show', deposit.depositId])
  assert.match(shown.stdout, new RegExp(`archived in the files of ${YEAR}\\.`))
  const replay = ['callbacks', 'replay', '--merchant', 'demo', '--from', `${YEAR}-01-01T00:00:00Z`]
  assert.match((await commandLine.run(replay)).stderr, /are archived and cannot be sent again/)
})

const KEY = (id: string): string => `(select key from payments where id = '${id}')`

/** Damage to what is left of archived years, and the checks that find it. */
const DAMAGE: readonly { what: string; by: string; found: readonly string[] }[] = [
  {
    what: 'the amount of an archived payment',
    by: `update payments set amount = 1 where id = '${early}'`,
    found: [
      'what was archived of each year is what its payments call for',
      'the simulated operator has the amount and number of our payment',
    ],
  },
  {
    what: 'a payment whose movements were archived in two years',
    by: `update payments set held_from = null where id = '${lateFailure}'`,
    found: [
      'each payment moved its money as its state says, and only once',
      'the money of each payment moved between its provider and one wallet of its country',
      'what was archived of each year is what its payments call for',
    ],
  },
  {
    what: 'an archived sum',
    by: `update archived_sums set change = change + 1 where account = 'wallet:ZMB:ZMW' and year = ${YEAR}
           and merchant_id = 1`,
    found: [
      'every balance equals the sum of its transfers',
      'what was archived of each year is what its payments call for',
      'every archived transfer is counted on both its sides',
    ],
  },
  {
    what: 'a movement that came back',
    by: `insert into transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
         select 1, key, id, 'COMPLETED', 'float:${MTN}:ZMW', 'wallet:ZMB:ZMW', amount, ended_at
         from payments where id = '${deposit.depositId}'`,
    found: [
      'every balance equals the sum of its transfers',
      'each payment moved its money as its state says, and only once',
      'nothing is left, or came back, of what was archived',
    ],
  },
  {
    what: 'a movement after the border that is gone',
    by: `delete from transfers where key = ${KEY(late)}`,
    found: [
      'every balance equals the sum of its transfers',
      'each payment moved its money as its state says, and only once',
    ],
  },
]

for (const { what, by, found } of DAMAGE) {
  it(`verify still finds damage: ${what}`, async () => {
    const client = await connectTo(service.databaseUrl)
    const tx: Db = { query: async (text) => (await client.query(text)).rows }
    const names: string[] = []
    try {
      await client.query('begin')
      await client.query(by)
      for (const check of CHECKS) {
        if ((await runCheck(tx, check)).length > 0) names.push(check.name)
      }
    } finally {
      await client.query('rollback')
      await client.end()
    }
    assert.deepEqual(names, found)
  })
}

it('the test clock does not go back into an archived year of another merchant', async () => {
  const { status, body } = await service.post('/sandbox/clock/reset')
  assert.notEqual(status, 200, JSON.stringify(body))
})
