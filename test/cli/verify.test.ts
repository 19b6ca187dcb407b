import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { checkout, checkoutReaches, failOnce, form } from '../../harness/hosted.ts'
import { advanceUntil } from '../../harness/operator.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { Db } from '../../src/store/engine/database.ts'
import { addAuditEntry } from '../../src/store/people/audit.ts'
import { CHECKS, runCheck } from '../../src/store/verify/books.ts'
import { copyDatabase, malipo, sql } from '../node/program.ts'
import { openCommandLine } from './command-line.ts'

const { databaseUrl, completed, payout, refund, split, paidOut, lost, tried } = await someHistory()
const commandLine = openCommandLine()
after(() => commandLine.close())

/** Some payments of every kind, written by the service itself. */
async function someHistory() {
  const service = await startService()
  const receiver = await startReceiver()
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const good = await service.deposit()
  const bad = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
  await service.reaches(good.id, 'COMPLETED')
  await service.reaches(bad.id, 'FAILED')
  await eventually(async () => {
    const rows = await service.database.query(`select from callbacks where status = 'DELIVERED'`)
    assert.equal(rows.length, 2)
  })
  const payout = await started(service, 'payouts', 'payoutId', {
    amount: '7',
    currency: 'ZMW',
    recipient: payer('260763456129', 'MTN_MOMO_ZMB'),
  })
  const refund = await started(service, 'refunds', 'refundId', { depositId: good.id, amount: '5' })
  const splitBy = (phoneNumber: string) =>
    started(service, 'split-payments', 'splitPaymentId', {
      amount: '9',
      currency: 'ZMW',
      payer: payer(phoneNumber, 'MTN_MOMO_ZMB'),
      splits: [
        { payoutId: randomUUID(), amount: '4', recipient: payer('260763456789', 'MTN_MOMO_ZMB') },
      ],
    })
  const split = await splitBy('260763456129')
  const paidOut = await splitBy('260763456789')
  const tried = await checkout(service)
  await failOnce(service, tried)
  await service.node.hosted.payOnCheckout(tried.code, form())
  await checkoutReaches(service, tried.id, 'COMPLETED')
  const script = [{ afterSeconds: 0, answer: 'silent' }]
  await service.put('/sandbox/phones/260763456111', { script })
  const doubtful = await service.deposit({ payer: payer('260763456111', 'MTN_MOMO_ZMB') })
  await advanceUntil(service, doubtful.id, 'IN_RECONCILIATION')
  await eventually(async () => {
    for (const path of [`refunds/${refund}`, `split-payments/${paidOut}`]) {
      const { body } = await service.get(`/v2/${path}`)
      assert.equal(body.data.status, 'COMPLETED')
    }
  })
  for (const role of ['support', 'finance', 'admin']) {
    await service.database.inTransaction((tx) =>
      addAuditEntry(tx, {
        merchantId: 1,
        at: Date.now(),
        actor: 'owner@example.com',
        action: 'user changed',
        object: 'person@example.com',
        address: '',
        after: { role },
      }),
    )
  }
  await service.stop()
  await receiver.close()
  const { databaseUrl } = service
  return {
    databaseUrl,
    completed: good.id,
    payout,
    refund,
    split,
    paidOut,
    lost: doubtful.id,
    tried: tried.id,
  }
}

async function started(
  service: Service,
  path: string,
  idField: string,
  body: object,
): Promise<string> {
  const id = randomUUID()
  const answer = await service.post(`/v2/${path}`, { [idField]: id, ...body })
  assert.equal(answer.body.status, 'ACCEPTED')
  return id
}

const KEY = `(select key from payments where id = '${completed}')`
const REFERENCE = `(select provider_reference from payments where id = '${completed}')`

const OTHER = `'018f4e2a-7b6c-7d3e-9f10-aabbccddeeff'::uuid`

/** A second refund of the same deposit, over all of it, that found no money and failed. */
function failedRefund(createdAt: string): string {
  return `
    insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
      country, provider, phone_number, state, holder, failure_code, refund_of, ended_at)
    select merchant_id, kind, ${OTHER}, ${OTHER}, generation, ${createdAt}, 15, currency, country,
           provider, phone_number, 'FAILED', 0, 'UNSPECIFIED_FAILURE', refund_of, ended_at
    from payments where id = '${refund}'`
}

/** A year before everything that happened, archived with so many transfers. */
function archivedYear(transfers: number): string {
  return `
    insert into archived_years (merchant_id, year, manifest_hash, begun_at, removed_before, transfers)
    values (1, 2020, '', now(), '2021-01-01T00:00:00Z', ${transfers})`
}

/** Damage done to the books behind the service's back, and the checks that find it. */
const DAMAGE: readonly {
  readonly what: string
  readonly by: string
  readonly found: readonly string[]
}[] = [
  {
    what: 'an archived sum that no payment calls for',
    by: `${archivedYear(1)};
         insert into archived_sums values
           (1, 'float:MTN_MOMO_ZMB:ZMW', 2020, 1, -15, 15, 0, 0, 0),
           (1, 'wallet:ZMB:ZMW', 2020, 1, 15, 15, 0, 0, 0)`,
    found: [
      'every balance equals the sum of its transfers',
      'what was archived of each year is what its payments call for',
    ],
  },
  {
    what: 'an archived transfer that no account has',
    by: archivedYear(1),
    found: ['every archived transfer is counted on both its sides'],
  },
  {
    what: 'a transfer of a year that was archived',
    by: `${archivedYear(0)}; update transfers set at = '2020-06-01' where key = ${KEY}`,
    found: ['nothing is left, or came back, of what was archived'],
  },
  {
    what: 'an hour that was counted before a payment of it came',
    by: `insert into counted_hours select 1, max(created_at) + interval '1 day', '{}' from payments;
         insert into payment_hours
         select merchant_id, date_trunc('hour', created_at), kind, country, provider, currency, state,
           coalesce(failure_code, ''), count(*), sum(amount)
         from payments where id <> '${completed}' group by 1, 2, 3, 4, 5, 6, 7, 8`,
    found: [
      'the hours that are counted equal a recount',
      'every payment is found by what people know of it',
    ],
  },
  {
    what: 'a payment that the search does not find',
    by: `insert into payment_terms select merchant_id, 1, key from payments where id = '${completed}'`,
    found: ['every payment is found by what people know of it'],
  },
  {
    what: 'money with an operator that differs from the ledger for long',
    by: `with account as (
      insert into operator_accounts (name, connector, base_url, providers, priority, settings,
        sealed_secrets, callback_secret, created_at)
      values ('mtn-zambia', 'mtn-momo', 'https://example.org', '{}', 1, '{}', '', '', now())
      returning name)
      insert into operator_floats (account, currency, at, products, stated, ledger, accepted,
        differs_since)
      select name, 'ZMW', now(), '{}', 100, 40, 50, now() - interval '2 hours' from account`,
    found: ['the money with each operator is what the ledger says'],
  },
  {
    what: 'an entry of the audit log that was changed',
    by: `update audit_entries set after = '{"role":"owner"}' where number = 2`,
    found: ['nobody changed the audit log'],
  },
  {
    what: 'an entry of the audit log that was taken out',
    by: 'delete from audit_entries where number = 2',
    found: ['nobody changed the audit log'],
  },
  {
    what: 'an end of the audit log that was cut off',
    by: 'delete from audit_entries where number = 3',
    found: ['nobody changed the audit log'],
  },
  {
    what: 'a balance that is off',
    by: `update accounts set balance = balance + 1 where account = 'wallet:ZMB:ZMW'`,
    found: [
      'every balance equals the sum of its transfers',
      'the balances of a merchant and currency add up to zero',
      'the days of each account add up to its balance',
    ],
  },
  {
    what: 'an overdrawn wallet',
    by: `alter table accounts drop constraint money_is_never_overdrawn;
         update accounts set balance = -1 where account = 'wallet:ZMB:ZMW'`,
    found: [
      'every balance equals the sum of its transfers',
      'the balances of a merchant and currency add up to zero',
      'no wallet or reserve is below zero',
      'the days of each account add up to its balance',
    ],
  },
  {
    what: 'an account that is gone',
    by: `delete from accounts where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: [
      'every balance equals the sum of its transfers',
      'the balances of a merchant and currency add up to zero',
      'both accounts of a transfer have one currency',
      'the days of each account add up to its balance',
    ],
  },
  {
    what: 'a transfer between currencies',
    by: `update transfers set debit = 'adjustment:XOF' where key = ${KEY}`,
    found: [
      'every balance equals the sum of its transfers',
      'both accounts of a transfer have one currency',
      'each payment moved its money as its state says, and only once',
      'the money of each payment moved between its provider and one wallet of its country',
    ],
  },
  {
    what: 'a deposit that took money out of the wallet',
    by: `update transfers set debit = credit, credit = debit where key = ${KEY};
         update accounts set balance = balance - 30 where account = 'wallet:ZMB:ZMW';
         update accounts set balance = balance + 30 where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: [
      'the days of each account add up to its balance',
      'each payment moved its money as its state says, and only once',
    ],
  },
  {
    what: 'an operator that has another amount',
    by: `update sandbox_orders set amount = amount + 1 where reference = ${REFERENCE}`,
    found: ['the simulated operator has the amount and number of our payment'],
  },
  {
    what: 'a time line with a gap',
    by: `update payments set submitted_at = null where id = '${completed}'`,
    found: ['no time line leaves out a state on the way'],
  },
  {
    what: 'a payout of a split payment that began nobody knows when',
    by: `delete from payment_events where payment_key =
           (select key from payments where split_id = '${paidOut}' and kind = 'payout')`,
    found: ['no time line leaves out a state on the way'],
  },
  {
    what: 'a transfer that is gone',
    by: `delete from transfers where key = ${KEY}`,
    found: [
      'every balance equals the sum of its transfers',
      'each payment moved its money as its state says, and only once',
    ],
  },
  {
    what: 'a deposit paid in twice',
    by: `insert into transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
         select merchant_id, key, payment_id, 'AGAIN', debit, credit, amount, at from transfers
         where key = ${KEY};
         update accounts set balance = balance + 15 where account = 'wallet:ZMB:ZMW';
         update accounts set balance = balance - 15 where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: [
      'the days of each account add up to its balance',
      'each payment moved its money as its state says, and only once',
    ],
  },
  {
    what: 'a payment that is gone',
    by: `delete from payments where id = '${completed}'`,
    found: [
      'every transfer of a payment belongs to one that exists, and names it',
      'every callback reports a state that its subject is in',
    ],
  },
  {
    what: 'a transfer that names another payment',
    by: `update transfers set payment_id = gen_random_uuid() where key = ${KEY}`,
    found: ['every transfer of a payment belongs to one that exists, and names it'],
  },
  {
    what: 'an end that nobody knows when',
    by: `update payments set ended_at = null where id = '${completed}'`,
    found: ['the time line of each payment ends in its present state'],
  },
  {
    what: 'an event that is gone',
    by: `delete from payment_events where state = 'IN_RECONCILIATION'
           and payment_key = (select key from payments where id = '${lost}')`,
    found: ['the time line of each payment ends in its present state'],
  },
  {
    what: 'a second final state',
    by: `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
           holder, round_started_at, tries, attempts, resend)
         select merchant_id, payment_key, 'FAILED', kind, payment_id, created_at, 'GIVEN_UP', 0,
           round_started_at, 0, 0, false from callbacks where payment_id = '${completed}'`,
    found: [
      'no payment was reported with two final states',
      'every callback reports a state that its subject is in',
    ],
  },
  {
    what: 'a callback that reports another state',
    by: `update callbacks set state = 'FAILED' where payment_id = '${completed}'`,
    found: ['every callback reports a state that its subject is in'],
  },
  {
    what: 'an attempt that is gone',
    by: `update callbacks set first_at = null where payment_key = ${KEY}`,
    found: ['every attempt that a callback counts was kept'],
  },
  {
    what: 'an operator asked twice',
    by: `update sandbox_orders set asked = 2 where reference = ${REFERENCE}`,
    found: ['the simulated operator was asked at most once for each payment'],
  },
  {
    what: 'money held for no payment',
    by: `update payments set held_from = null where id = '${payout}'`,
    found: [
      'each payment moved its money as its state says, and only once',
      'the money of each payment moved between its provider and one wallet of its country',
      'each reserve holds what its open payments need',
    ],
  },
  {
    what: 'a refund beyond its deposit',
    by: `update payments set amount = 50 where id = '${refund}'`,
    found: [
      'each payment moved its money as its state says, and only once',
      'no deposit is refunded beyond its amount, or twice at once',
      'the simulated operator has the amount and number of our payment',
    ],
  },
  {
    what: 'a payout that does not wait for its deposit',
    by: `delete from payments where split_id = '${split}' and kind = 'payout'`,
    found: ['each split payment is where its deposit and payouts are'],
  },
  {
    what: 'an attempt that belongs to nothing',
    by: `update payments set checkout_id = gen_random_uuid()
         where checkout_id = '${tried}' and state = 'COMPLETED'`,
    found: [
      'each checkout is where its attempts are, of which at most one completed',
      'every attempt belongs to a checkout that exists',
    ],
  },
  {
    what: 'a checkout that is reported before its end',
    by: `update checkouts set state = 'PROCESSING', ended_at = null where id = '${tried}';
         insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
           holder, round_started_at, tries, attempts, resend)
         select merchant_id, key, 'PROCESSING', 'checkout', id, created_at, 'DELIVERED', 0, created_at,
           0, 0, false
         from checkouts where id = '${tried}'`,
    found: [
      'each checkout is where its attempts are, of which at most one completed',
      'no checkout is reported before its end, or twice',
    ],
  },
  {
    what: 'doubt without a case',
    by: `delete from cases where payment_id = '${lost}'`,
    found: ['a case of doubt is open exactly while its payment is in reconciliation'],
  },
  {
    what: 'a refund that was corrected beyond its deposit',
    by: `${failedRefund('created_at')};
         insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at, reported,
           closed_at, resolution, resolved_by)
         select merchant_id, key, 'CONTRADICTION', kind, id, created_at, 'COMPLETED', created_at,
                'CORRECTED', 'somebody' from payments where key = ${OTHER}`,
    found: [
      'no deposit is refunded beyond its amount, or twice at once',
      'each correction belongs to a case that a person closed with it',
    ],
  },
  {
    what: 'a refund that began while another one was in dispute',
    by: `${failedRefund("created_at - interval '2 s'")};
         insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at, reported)
         select merchant_id, key, 'CONTRADICTION', kind, id, created_at + interval '1 s',
                'COMPLETED' from payments where key = ${OTHER}`,
    found: ['no refund began while another one of its deposit was in dispute'],
  },
  {
    what: 'a checkout that is on hold for nothing',
    by: `update checkouts set on_hold = true where id = '${tried}'`,
    found: ['a checkout is on hold exactly while a failed attempt of it may have been paid'],
  },
  {
    what: 'a correction that nobody made',
    by: `insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at, reported,
           closed_at, resolution, resolved_by)
         select merchant_id, key, 'CONTRADICTION', kind, id, created_at, 'FAILED', created_at,
                'CORRECTED', 'somebody' from payments where id = '${completed}'`,
    found: [
      'no deposit is refunded beyond its amount, or twice at once',
      'each correction belongs to a case that a person closed with it',
    ],
  },
]

it('finds nothing in the books that the service wrote', async () => {
  const { code, stdout, stderr } = await commandLine.run(['verify'], { DATABASE_URL: databaseUrl })
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  for (const [at, { name }] of CHECKS.entries()) {
    assert.ok(stdout.includes(`  [${at + 1}/${CHECKS.length}] ${name}: ok\n`), name)
  }
  assert.match(stdout, /The books are in order\.\n$/)
  const json = await commandLine.run(['verify', '--json'], { DATABASE_URL: databaseUrl })
  assert.deepEqual(JSON.parse(json.stdout), {
    ok: true,
    checks: CHECKS.map(({ name }) => ({ name, findings: [] })),
  })
})

for (const { what, by, found } of DAMAGE) {
  it(`finds ${what}`, async () => {
    assert.deepEqual(await foundAfter(by), found)
  })
}

/** The checks that find something once the damage is done, which is then undone. */
async function foundAfter(damage: string): Promise<string[]> {
  const client = await connectTo(databaseUrl)
  const tx: Db = { query: async (text) => (await client.query(text)).rows }
  try {
    await client.query('begin')
    await client.query(damage)
    const names: string[] = []
    for (const check of CHECKS) {
      if ((await runCheck(tx, check)).length > 0) names.push(check.name)
    }
    return names
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

it('names what it found and ends with code 3', async () => {
  const { by, found } = DAMAGE[0] ?? assert.fail()
  const damaged = await copyDatabase(databaseUrl)
  await sql(damaged, by)
  const { code, stdout } = await commandLine.run(['verify', '--json'], { DATABASE_URL: damaged })
  assert.equal(code, 3)
  const { ok, checks } = JSON.parse(stdout)
  assert.equal(ok, false)
  const names = checks
    .filter((check: { findings: unknown[] }) => check.findings.length > 0)
    .map((check: { name: string }) => check.name)
  assert.deepEqual(names, found)
})

it('says to whom and to what it happened', async () => {
  const damaged = await copyDatabase(databaseUrl)
  await sql(damaged, `delete from transfers where key = ${KEY}`)
  // As a process of its own: scripts go by its exit code.
  const { code, stdout } = await malipo(['verify'], { DATABASE_URL: damaged })
  assert.equal(code, 3)
  assert.match(stdout, /each payment moved its money as its state says, and only once: 1 FOUND\n/)
  assert.ok(
    stdout.includes(
      `merchant 1, ${completed}: COMPLETED: COMPLETED should move 15 from float to wallet, nothing moved\n`,
    ),
    stdout,
  )
  assert.match(stdout, /wallet:ZMB:ZMW: balance \S+, transfers give \S+\n/)
  assert.match(stdout, /\d findings: see above\.\n$/)
})

it('every check has a damage here that it finds', () => {
  const found = new Set(DAMAGE.flatMap((one) => one.found))
  assert.deepEqual(
    CHECKS.map(({ name }) => name).filter((name) => !found.has(name)),
    [],
  )
})
