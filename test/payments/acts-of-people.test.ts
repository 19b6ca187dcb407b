import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { delayPayingOut, start } from '../../harness/every-kind.ts'
import { balanceOf } from '../../harness/payouts.ts'
import { shareService } from '../../harness/share.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId, database } = service
const owner = await signedIn(service, 'owner', { merchantId })

/** The audit log takes nothing about this payment, as if the server died at that very line. */
async function refuseEntries(id: string): Promise<() => Promise<unknown>> {
  const name = `refuse_${id.replaceAll('-', '')}`
  await database.query(
    `create function ${name}() returns trigger language plpgsql
     as $$ begin raise exception 'no entry about ${id}'; end $$`,
  )
  await database.query(
    `create trigger ${name} before insert on audit_entries for each row
     when (new.object = '${id}') execute function ${name}()`,
  )
  return () => database.query(`drop function ${name}() cascade`)
}

const entriesAbout = (id: string): Promise<readonly { action: string }[]> =>
  database.query<{ action: string }>(
    'select action from audit_entries where merchant_id = $1 and object = $2',
    [merchantId, id],
  )

describe('what a person does happens together with its entry in the audit log, or not at all:', () => {
  it('a refund', async () => {
    const { id } = await service.deposit({ amount: '30' })
    await service.reaches(id, 'COMPLETED')
    const allow = await refuseEntries(id)
    const fields = { refundId: randomUUID(), amount: '10' }
    const press = () => owner.post(`/dashboard/deposits/${id}/refund`, fields)
    const balance = await balanceOf(service)
    assert.equal((await press()).status, 500)
    assert.equal((await service.get(`/v2/refunds/${fields.refundId}`)).body.status, 'NOT_FOUND')
    assert.equal(await balanceOf(service), balance, 'no money is held')
    await allow()
    assert.equal((await press()).status, 303)
    assert.equal((await service.get(`/v2/refunds/${fields.refundId}`)).body.status, 'FOUND')
    assert.deepEqual(await entriesAbout(id), [{ action: 'refund requested' }])
  })

  it('a cancellation', async () => {
    await delayPayingOut(service)
    const { id } = await start(service, 'payout', 'OPEN')
    const allow = await refuseEntries(id)
    const press = () => owner.post(`/dashboard/payouts/${id}/cancel`)
    const state = async () => (await service.get(`/v2/payouts/${id}`)).body.data?.status
    assert.equal((await press()).status, 500)
    assert.equal(await state(), 'ENQUEUED')
    await allow()
    assert.equal((await press()).status, 303)
    assert.equal(await state(), 'FAILED')
    assert.deepEqual(await entriesAbout(id), [{ action: 'cancellation requested' }])
  })
})
