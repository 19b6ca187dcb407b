import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../../harness/dashboard.ts'
import { payout, reachesPayout } from '../../../harness/payouts.ts'
import { completedDeposit, refund, refundReaches } from '../../../harness/refunds.ts'
import { payer } from '../../../harness/service.ts'
import { type SharedService, shareService } from '../../../harness/share.ts'
import { parseCsv, type Row, rowsOf, units, walletBalance } from '../../../harness/statements.ts'
import { isSameSum } from '../../../src/domain/amount.ts'
import { breakDown } from '../../../src/usecases/statements/break-down.ts'

const WALLET = 'ZMB-ZMW'
const ZAMBIA = { country: 'ZMB', currency: 'ZMW' }
const FAILING_PAYOUT = '260763456089'

const service = await shareService('moving clock')
const { merchantId } = service
const person = (role: Parameters<typeof signedIn>[1] = 'finance', countries: string[] = []) =>
  signedIn(service, role, { merchantId, countries })

const METADATA = [{ orderId: 'A "17", b' }, { customer: 'Jane Banda', isPII: true }]

/** Some days of payments of all kinds, at odd times. */
async function liveSomeDays(some: SharedService): Promise<void> {
  for (let day = 0; day < 4; day += 1) {
    const id = await completedDeposit(some, {
      amount: `${100 + day}.25`,
      clientReferenceId: '=1+1',
      metadata: METADATA,
    })
    await completedDeposit(some, {
      amount: '7.5',
      payer: payer('260973456789', 'AIRTEL_OAPI_ZMB'),
    })
    const paid = await payout(some, { amount: '12.5', clientReferenceId: '-5' })
    await reachesPayout(some, paid.id, 'COMPLETED')
    const failed = await payout(some, { recipient: payer(FAILING_PAYOUT, 'MTN_MOMO_ZMB') })
    await reachesPayout(some, failed.id, 'FAILED')
    const back = await refund(some, id, { amount: '1', currency: 'ZMW' })
    await refundReaches(some, back.id, 'COMPLETED')
    // Into another day, at any time of it.
    await some.advance(randomInt(86_400, 150_000))
  }
}
await liveSomeDays(service)

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')
/** Amounts as pages write them in English, such as `1,000.25 ZMW`. */
const amountsIn = (html: string): bigint[] =>
  [...plain(html).matchAll(/(-?[\d,]+(?:\.\d+)?)[\s\u00a0]ZMW/g)].map(([, text = '']) =>
    units(text.replaceAll(',', '').replace(/^(-?\d+)$/, '$1.00')),
  )
const now = (): number => service.node.ctx.clock.now()
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const DAY = 86_400_000
/** Everything since before the first payment. */
const whole = (): string => `wallet=${WALLET}&from=${day(Date.now() - DAY)}&to=${day(now() + DAY)}`

const rowsIn = (html: string): string[] =>
  [...(/<tbody>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? '').matchAll(/<tr[\s\S]*?<\/tr>/g)].map(
    ([row]) => row,
  )
const cellOf = (row: string, label: string): string => {
  const found = new RegExp(`data-label="${label}"[^>]*>([\\s\\S]*?)</t[dh]>`).exec(row)
  return plain(found?.[1] ?? '').trim()
}

async function csvRows(visitor: Visitor, query: string): Promise<readonly Row[]> {
  const { status, text } = await visitor.get(`/dashboard/statements.csv?${query}`)
  assert.equal(status, 200)
  return rowsOf(text)
}

describe('balances', () => {
  it('shows each wallet with available, reserved and the last movement', async () => {
    const visitor = await person()
    const { status, text } = await visitor.get('/dashboard/balances')
    assert.equal(status, 200)
    const row = rowsIn(text).find((one) => one.includes(`wallet=${WALLET}`)) ?? ''
    assert.equal(cellOf(row, 'Currency'), 'ZMW')
    assert.equal(amountsIn(cellOf(row, 'Available'))[0], units(await walletBalance(service)))
    assert.deepEqual(amountsIn(cellOf(row, 'Reserved')), [0n])
    assert.match(row, /<time dateTime="|<time datetime="/)
  })

  it('filters by country, and has a way out where there is none', async () => {
    const visitor = await person()
    const { text } = await visitor.get('/dashboard/balances?country=KEN')
    assert.ok(rowsIn(text).length > 0)
    for (const row of rowsIn(text)) assert.equal(cellOf(row, 'Country'), 'Kenya')
    const none = await visitor.get('/dashboard/balances?country=FRA')
    assert.match(none.text, /There is no wallet in this country/)
  })

  it('breaks any period down so that the rows lead from opening to closing', async () => {
    const { ctx } = service.node
    const from = Date.now() - DAY
    for (let round = 0; round < 40; round += 1) {
      const [one, other] = [randomInt(0, now() + DAY - from), randomInt(0, now() + DAY - from)]
      const startAt = from + Math.min(one, other)
      const endAt = from + Math.max(one, other) + 1
      const found = await breakDown(ctx, merchantId, ZAMBIA, { startAt, endAt })
      const sum = found.rows.reduce((total, row) => total + row.sum, 0n)
      assert.equal(sum, found.closing - found.opening)
      assert.equal(found.moneyIn + found.moneyOut, sum)
      const [ledger] = await service.database.query<{ sum: string; count: number }>(
        `select coalesce(sum(case when credit = $2 then amount else -amount end), 0)::numeric(30, 4)::text
           as sum, count(*)::int as count
         from transfers where merchant_id = $1 and (debit = $2 or credit = $2)
           and at >= to_timestamp($3::float8 / 1000) and at < to_timestamp($4::float8 / 1000)`,
        [merchantId, 'wallet:ZMB:ZMW', startAt, endAt],
      )
      assert.equal(sum, units(ledger?.sum ?? ''))
      assert.equal(
        found.rows.reduce((total, row) => total + row.count, 0),
        ledger?.count,
      )
    }
  })

  it('sums a day again once more has happened on it, and only then', async () => {
    const { ctx } = service.node
    const today = Math.floor(now() / DAY) * DAY
    const period = { startAt: today - 9 * DAY, endAt: today + DAY }
    const depositsIn = async (): Promise<number> => {
      const { rows } = await breakDown(ctx, merchantId, ZAMBIA, period)
      return rows.find(({ type }) => type === 'DEPOSIT')?.count ?? 0
    }
    const kept = () =>
      service.database.query(
        'select day, sums, xmin::text from account_day_types where merchant_id = $1 order by day',
        [merchantId],
      )
    const before = await depositsIn()
    const asKept = await kept()
    assert.ok(asKept.length >= 3)
    assert.equal(await depositsIn(), before)
    assert.deepEqual(await kept(), asKept)
    await completedDeposit(service)
    const isSameDay = Math.floor(now() / DAY) * DAY === today
    assert.equal(await depositsIn(), isSameDay ? before + 1 : before)
  })

  it('shows the breakdown with opening, sums by type and closing', async () => {
    const visitor = await person()
    const { text } = await visitor.get(`/dashboard/balances?${whole()}`)
    const panel = text.slice(text.indexOf('id="breakdown"'))
    const [opening, ...rest] = amountsIn(panel.slice(panel.indexOf('<tbody>')))
    const [change, closing] = rest.splice(-2)
    assert.ok(opening !== undefined && closing !== undefined)
    assert.equal(
      rest.reduce((sum, one) => sum + one, 0n),
      change,
    )
    assert.equal(opening + (change ?? 0n), closing)
    assert.equal(closing, units(await walletBalance(service)))
    assert.match(panel, /Deposit[\s\S]*Payout[\s\S]*Refund[\s\S]*Reversal/)
  })
})

describe('statements', () => {
  it('pages through all movements, the same as the file, with the balance after each', async () => {
    const visitor = await person()
    const file = await csvRows(visitor, whole())
    assert.ok(file.length >= 4 * 6)
    let balance = units(await walletBalance(service))
    for (const row of file) {
      assert.equal(units(row.balanceAfter), balance)
      balance -= units(row.net)
    }
    const shown: string[] = []
    // Pages are longer than this history: a smaller one shows that they join.
    let address: string | undefined = `/dashboard/statements?${whole()}&per=50`
    for (let pages = 0; address !== undefined && pages < 50; pages += 1) {
      const { text } = await visitor.get(address)
      shown.push(...rowsIn(text))
      const next: string | undefined = /<a href="([^"]+)">Older<\/a>/.exec(text)?.[1]
      address = next?.replaceAll('&amp;', '&')
    }
    assert.deepEqual(
      shown.map((row) => [
        cellOf(row, 'Transaction id'),
        amountsIn(cellOf(row, 'Amount'))[0],
        amountsIn(cellOf(row, 'Balance after'))[0],
      ]),
      file.map((row) => [row.transactionId, units(row.net), units(row.balanceAfter)]),
    )
  })

  it('shows that opening and what moved give closing', async () => {
    const visitor = await person()
    const { text } = await visitor.get(`/dashboard/statements?${whole()}`)
    const sums = /<dl class="panel sums">([\s\S]*?)<\/dl>/.exec(text)?.[1] ?? ''
    const [opening = 0n, moneyIn = 0n, moneyOut = 0n, closing] = amountsIn(sums)
    assert.equal(opening + moneyIn + moneyOut, closing)
  })

  it('filters by type and provider, and keeps the balance of the wallet', async () => {
    const visitor = await person()
    const all = await csvRows(visitor, whole())
    const refunds = await csvRows(visitor, `${whole()}&type=REFUND`)
    assert.equal(refunds.length, 4)
    assert.deepEqual(
      refunds,
      all.filter(({ type }) => type === 'REFUND'),
    )
    const airtel = await csvRows(visitor, `${whole()}&provider=AIRTEL_OAPI_ZMB`)
    assert.deepEqual(
      airtel,
      all.filter(({ provider }) => provider === 'AIRTEL_OAPI_ZMB'),
    )
    const { text } = await visitor.get(`/dashboard/statements?${whole()}&type=REFUND`)
    assert.deepEqual(
      rowsIn(text).map((row) => cellOf(row, 'Transaction id')),
      refunds.map(({ transactionId }) => transactionId),
    )
  })

  it('takes days of the time zone of the person, and a moment as the end without it', async () => {
    const visitor = await person()
    const zone = 'Africa/Nairobi'
    await service.database.query('update users set time_zone = $2 where user_id = $1', [
      visitor.userId,
      zone,
    ])
    const all = await csvRows(visitor, whole().replace(day(now() + DAY), day(now() + 2 * DAY)))
    const hours3 = 3 * 3_600_000
    const days = [...new Set(all.map((row) => day(Date.parse(row.createdAt) + hours3)))]
    for (const one of days) {
      const rows = await csvRows(visitor, `wallet=${WALLET}&from=${one}&to=${one}`)
      assert.deepEqual(
        rows,
        all.filter((row) => day(Date.parse(row.createdAt) + hours3) === one),
      )
    }
    const middle = all[5]?.createdAt ?? ''
    const before = await csvRows(visitor, `wallet=${WALLET}&from=2020-01-01&to=${middle}`)
    assert.deepEqual(
      before,
      all.filter((row) => row.createdAt < middle),
    )
  })

  it('writes what the database has, metadata as the API shows it', async () => {
    const visitor = await person()
    const rows = await csvRows(visitor, `${whole()}&type=DEPOSIT`)
    const [stored] = await service.database.query<{ count: number }>(
      `select count(*)::int as count from payments
       where merchant_id = $1 and kind = 'deposit' and state = 'COMPLETED' and country = 'ZMB'`,
      [merchantId],
    )
    assert.equal(rows.length, stored?.count)
    for (const row of rows) {
      const { body } = await service.get(`/v2/deposits/${row.transactionId}`)
      const { data } = body
      assert.ok(isSameSum(row.amount, data.amount))
      assert.equal(row.phoneNumber, data.payer.accountDetails.phoneNumber)
      assert.equal(row.providerTransactionId, data.providerTransactionId)
      assert.deepEqual(row.metadata === '' ? undefined : JSON.parse(row.metadata), data.metadata)
    }
  })

  it('guards formulas for spreadsheets only, marks the file, and takes semicolons', async () => {
    const visitor = await person()
    const machine = await csvRows(visitor, whole())
    assert.ok(machine.some(({ clientReferenceId }) => clientReferenceId === '=1+1'))
    const { text } = await visitor.get(`/dashboard/statements.csv?${whole()}&mode=spreadsheet`)
    // fetch takes the mark away.
    const rows = rowsOf(text)
    assert.deepEqual(
      rows.map(({ clientReferenceId }) => clientReferenceId),
      machine.map(({ clientReferenceId }) => clientReferenceId.replace(/^[=-]/, "'$&")),
    )
    assert.deepEqual(
      rows.map(({ net }) => net),
      machine.map(({ net }) => net),
    )
    const address = `/dashboard/statements.csv?${whole()}&mode=spreadsheet&separator=%3B`
    const answer = await fetch(service.url + address, { headers: { cookie: visitor.cookie } })
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    assert.match(bytes.toString().slice(1), /^createdAt;completedAt;walletCountry/)
  })

  it('says what it could not read, and makes no file of it', async () => {
    const visitor = await person()
    const bad = `wallet=${WALLET}&from=tomorrow`
    const { status, text } = await visitor.get(`/dashboard/statements?${bad}`)
    assert.equal(status, 200)
    assert.match(text, /could not be read and was left out: From\./)
    assert.equal((await visitor.get(`/dashboard/statements.csv?${bad}`)).status, 404)
    const late = `wallet=${WALLET}&from=2026-02-02&to=2026-02-01`
    assert.match((await visitor.get(`/dashboard/statements?${late}`)).text, /left out: From, To\./)
    assert.equal((await visitor.get(`/dashboard/statements?${whole()}&after=x`)).status, 200)
  })

  it('has an empty state with a way out, in both languages', async () => {
    const visitor = await person()
    const old = `wallet=${WALLET}&from=2020-01-01&to=2020-01-31`
    const english = await visitor.get(`/dashboard/statements?${old}`)
    assert.match(english.text, /No movements match[\s\S]*Clear filters/)
    const french = await visitor.get(`/dashboard/statements?${old}&lang=fr`)
    assert.match(french.text, /Aucun mouvement ne correspond[\s\S]*Effacer les filtres/)
  })
})

describe('who sees money', () => {
  const pages = ['balances', 'statements', 'statements.csv', 'exports']

  for (const role of ['operations', 'developer', 'support'] as const) {
    it(`is not ${role}`, async () => {
      const visitor = await person(role)
      for (const page of pages) {
        const { status, text } = await visitor.get(`/dashboard/${page}`)
        assert.equal(status, 403, page)
        assert.ok(!text.includes(WALLET))
      }
      const { status } = await visitor.post('/dashboard/exports', { kind: 'statement' })
      assert.equal(status, 403)
    })
  }

  it('in one country sees nothing of the others', async () => {
    const visitor = await person('finance', ['KEN'])
    const { text } = await visitor.get('/dashboard/balances')
    assert.ok(text.includes('KEN-KES') && !text.includes('ZMB'))
    for (const page of ['balances', 'statements', 'statements.csv']) {
      const { status, text: shown } = await visitor.get(`/dashboard/${page}?wallet=${WALLET}`)
      assert.equal(status, 404, page)
      assert.deepEqual(amountsIn(shown), [])
    }
    const order = { kind: 'statement', wallet: WALLET, format: 'csv' }
    assert.equal((await visitor.post('/dashboard/exports', order)).status, 303)
    assert.match((await visitor.get('/dashboard/exports')).text, /No exports yet/)
  })

  it('who takes personal data along is in the audit log', async () => {
    const visitor = await person()
    await csvRows(visitor, whole())
    const entries = await service.database.query<{
      action: string
      after: { personalData: boolean }
    }>(
      `select action, after from audit_entries
       where merchant_id = $1 and actor = $2 and action <> 'signed in'`,
      [merchantId, visitor.email],
    )
    assert.deepEqual(
      entries.map(({ action, after }) => [action, after.personalData]),
      [['statement downloaded', true]],
    )
  })
})

it('a reader of the file finds every row whole', async () => {
  const visitor = await person()
  const { text } = await visitor.get(`/dashboard/statements.csv?${whole()}`)
  for (const record of parseCsv(text)) assert.equal(record.length, 24)
})
