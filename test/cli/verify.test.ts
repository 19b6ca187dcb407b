import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { CHECKS } from '../../src/store/verify.ts'
import { copyDatabase, malipo, sql } from '../operations/program.ts'
import { startReceiver } from '../support/receiver.ts'
import { eventually, payer, startService } from '../support/service.ts'
import { openCommandLine } from './command-line.ts'

const { databaseUrl, completed } = await someHistory()
const commandLine = openCommandLine()
after(() => commandLine.close())

/** One completed deposit with its callback and one failed, written by the service itself. */
async function someHistory() {
  const service = await startService()
  const receiver = await startReceiver()
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  const good = await service.deposit()
  const bad = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
  await service.reaches(good.id, 'COMPLETED')
  await service.reaches(bad.id, 'FAILED')
  await eventually(() => assert.equal(receiver.received.length, 2))
  await service.stop()
  await receiver.close()
  return { databaseUrl: service.databaseUrl, completed: good.id }
}

const KEY = `(select key from payments where id = '${completed}')`

/** What somebody could do to the books behind the service's back, and the checks that tell it. */
const DAMAGE: readonly {
  readonly what: string
  readonly by: string
  readonly found: readonly string[]
}[] = [
  {
    what: 'a balance that is off',
    by: `update accounts set balance = balance + 1 where account = 'wallet:ZMB:ZMW'`,
    found: [
      'every balance equals the sum of its transfers',
      'the balances of a merchant and currency add up to zero',
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
    ],
  },
  {
    what: 'an account that is gone',
    by: `delete from accounts where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: [
      'every balance equals the sum of its transfers',
      'the balances of a merchant and currency add up to zero',
      'both accounts of a transfer have one currency',
    ],
  },
  {
    what: 'a transfer between currencies',
    by: `update transfers set debit = 'adjustment:XOF' where key = ${KEY}`,
    found: [
      'every balance equals the sum of its transfers',
      'both accounts of a transfer have one currency',
      'the money of each deposit went from its provider to a wallet of its country',
    ],
  },
  {
    what: 'a deposit that took money out of the wallet',
    by: `update transfers set debit = credit, credit = debit where key = ${KEY};
         update accounts set balance = balance - 30 where account = 'wallet:ZMB:ZMW';
         update accounts set balance = balance + 30 where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: ['the money of each deposit went from its provider to a wallet of its country'],
  },
  {
    what: 'an operator that has another amount',
    by: `update sandbox_orders set amount = amount + 1 where reference = ${KEY}::text`,
    found: ['the simulated operator has the amount and number of our payment'],
  },
  {
    what: 'a time line with a gap',
    by: `delete from payment_events where payment_key = ${KEY} and state = 'PROCESSING'`,
    found: ['no time line leaves out a state on the way'],
  },
  {
    what: 'a transfer that is gone',
    by: `delete from transfers where key = ${KEY}`,
    found: [
      'every balance equals the sum of its transfers',
      'each completed deposit moved its money exactly once',
    ],
  },
  {
    what: 'a deposit paid in twice',
    by: `insert into transfers (merchant_id, key, cause, debit, credit, amount, at)
         select merchant_id, key, 'AGAIN', debit, credit, amount, at from transfers
         where key = ${KEY};
         update accounts set balance = balance + 15 where account = 'wallet:ZMB:ZMW';
         update accounts set balance = balance - 15 where account = 'float:MTN_MOMO_ZMB:ZMW'`,
    found: ['each completed deposit moved its money exactly once'],
  },
  {
    what: 'a payment that is gone',
    by: `delete from payments where id = '${completed}'`,
    found: [
      'every transfer of a payment belongs to one that exists',
      'every callback tells of a payment in that state',
    ],
  },
  {
    what: 'an event that is gone',
    by: `delete from payment_events where payment_key = ${KEY} and state = 'COMPLETED'`,
    found: ['the time line of each payment ends in its present state'],
  },
  {
    what: 'a second final state',
    by: `insert into payment_events (merchant_id, payment_key, state, at)
         select merchant_id, key, 'FAILED', created_at from payments where id = '${completed}'`,
    found: ['no payment has two final states'],
  },
  {
    what: 'a callback that tells something else',
    by: `update callbacks set state = 'FAILED' where payment_id = '${completed}'`,
    found: ['every callback tells of a payment in that state'],
  },
  {
    what: 'an operator asked twice',
    by: `update sandbox_orders set asked = 2 where reference = ${KEY}::text`,
    found: ['the simulated operator was asked at most once for each payment'],
  },
]

it('finds nothing in the books that the service wrote', async () => {
  const { code, stdout, stderr } = await malipo(['verify'], { DATABASE_URL: databaseUrl })
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
  it(`finds ${what}, names it and ends with code 3`, async () => {
    const damaged = await copyDatabase(databaseUrl)
    await sql(damaged, by)
    const { code, stdout } = await commandLine.run(['verify', '--json'], {
      DATABASE_URL: damaged,
    })
    assert.equal(code, 3)
    const { ok, checks } = JSON.parse(stdout)
    assert.equal(ok, false)
    const names = checks
      .filter((check: { findings: unknown[] }) => check.findings.length > 0)
      .map((check: { name: string }) => check.name)
    assert.deepEqual(names, found)
  })
}

it('says to whom and to what it happened', async () => {
  const damaged = await copyDatabase(databaseUrl)
  await sql(damaged, `delete from transfers where key = ${KEY}`)
  const { code, stdout } = await malipo(['verify'], { DATABASE_URL: damaged })
  assert.equal(code, 3)
  assert.match(stdout, /each completed deposit moved its money exactly once: 1 FOUND\n/)
  assert.ok(
    stdout.includes(`merchant 1, ${completed}: COMPLETED with 0 transfers of 0 for 15\n`),
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
