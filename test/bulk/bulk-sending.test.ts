import assert from 'node:assert/strict'
import { it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { balanceOf, setBalance } from '../../harness/payouts.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { approved, HEADER, idIn, rowsOf, stateOf, uploaded } from './bulk-support.ts'

type Counts = { readonly rows: number; readonly answered: number; readonly payouts: number }

async function countsOf({ database }: Pick<Service, 'database'>, id: string): Promise<Counts> {
  const [row] = await database.query<Counts>(
    `select count(*)::int as rows, count(*) filter (where r.state <> 'WAITING')::int as answered,
       (select count(*)::int from payments p where p.details ->> 'bulkId' = $1) as payouts
     from bulk_payout_rows r where r.bulk_id = $1::uuid`,
    [id],
  )
  return row ?? { rows: 0, answered: 0, payouts: 0 }
}

it('a node that dies in the middle is followed by another, and nothing is paid twice', async (t) => {
  const settings = {
    MALIPO_SECRET_KEY: 'a secret that both nodes know, long enough',
    MALIPO_ENV: 'sandbox',
  }
  const first = await startService(settings)
  const merchantId = 1
  const maker = await signedIn(first, 'operations', { merchantId })
  const checker = await signedIn(first, 'finance', { merchantId })
  await setBalance(first, '10000')
  const path = await uploaded(maker, rowsOf(260))
  await approved(maker, checker, path)
  await eventually(async () => {
    const { answered } = await countsOf(first, idIn(path))
    assert.ok(answered >= 50)
  })
  const second = await first.addNode(settings)
  t.after(() => second.stop())
  // What was sent, and not recorded when the node died: the second one sends it again.
  await first.database.query(
    `update bulk_payout_rows set state = 'WAITING' where bulk_id = $1 and number % 3 = 0`,
    [idIn(path)],
  )
  await first.node.stop()
  const page = await eventually(async () => {
    const answer = await fetch(second.url + path, { headers: { cookie: checker.cookie } })
    const text = await answer.text()
    assert.equal(stateOf(text), 'Done')
    return text
  })
  assert.match(page, /260 completed/)
  assert.deepEqual(await countsOf(second, idIn(path)), { rows: 260, answered: 260, payouts: 260 })
  assert.equal(await balanceOf(second), '9480.00')
  await first.stop()
})

it('a row whose payout id was taken meanwhile is a duplicate, and a short wallet rejects', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const maker = await signedIn(service, 'operations')
  const checker = await signedIn(service, 'finance')
  await setBalance(service, '100')
  const taken = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const text = `${HEADER},payoutId\n40,ZMW,260763456789,${taken}\n60,ZMW,260763456789,`
  const path = await uploaded(maker, text)
  await maker.post(`${path}/submit`)
  // Between the check and the sending: the same id by the API, and less money.
  await service.database.query(
    `update bulk_payouts set state = 'APPROVED', due_at = now() + interval '1 day',
       decided_by = $2, decided_at = now() where id = $1`,
    [idIn(path), checker.userId],
  )
  const recipient = {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  }
  const body = { payoutId: taken, amount: '50', currency: 'ZMW', recipient }
  assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
  await service.database.query('update bulk_payouts set due_at = now() where id = $1', [idIn(path)])
  const page = await eventually(async () => {
    const shown = (await checker.get(path)).text
    assert.equal(stateOf(shown), 'Partly failed')
    return shown
  })
  assert.match(page, />Duplicate</)
  assert.match(page, /PAWAPAY_WALLET_OUT_OF_FUNDS/)
  assert.equal(await balanceOf(service), '50.00')
})

it('after a restore nothing is sent that may have been sent before', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const maker = await signedIn(service, 'operations')
  const checker = await signedIn(service, 'finance')
  const path = await uploaded(maker, rowsOf(2))
  await maker.post(`${path}/submit`)
  await service.database.query('update service_state set restored_at = now()')
  await eventually(() => assert.ok(Number.isFinite(service.node.ctx.node.restoredAt())))
  await service.database.query(
    `update bulk_payouts set state = 'APPROVED', due_at = now(), decided_by = $2,
       decided_at = now() - interval '1 hour' where id = $1`,
    [idIn(path), checker.userId],
  )
  const page = await eventually(async () => {
    const shown = (await checker.get(path)).text
    assert.equal(stateOf(shown), 'Partly failed')
    return shown
  })
  assert.match(page, /may have been paid/)
  assert.deepEqual(await countsOf(service, idIn(path)), { rows: 2, answered: 2, payouts: 0 })
})

it('two thousand rows are checked in one answer, and pages of them stay small', async (t) => {
  const service = await startService()
  t.after(() => service.stop())
  const maker = await signedIn(service, 'operations')
  const path = await uploaded(maker, rowsOf(2000).replaceAll('2,ZMW', 'x,ZMW'))
  const { text } = await maker.get(path)
  assert.match(text, /2000 of 2000 rows have problems/)
  assert.match(text, /Rows 1 to 50 of 2000/)
  assert.match((await maker.get(`${path}?from=1950`)).text, /Rows 1951 to 2000 of 2000/)
})
