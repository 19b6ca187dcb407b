import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import { standInCertificate } from '../../src/providers/daraja/stand-in/key.ts'
import { DARAJA_STAND_IN } from '../../src/providers/daraja/stand-in/operator.ts'
import type { Rule } from '../../src/providers/stand-in/faults.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'

type Kind = 'deposit' | 'payout' | 'refund'

const SILENT: Rule = { on: 'callback', fault: 'no-callback' }

/** What is particular about daraja: ends that come by callback, and receipts that do. */
describe('payments through daraja', { timeout: 300_000 }, () => {
  let service: Service
  let operator: RunningStandIn
  before(async () => {
    service = await startService()
    operator = await startStandIn(DARAJA_STAND_IN)
    await addOperatorAccount(service, {
      name: 'kenya',
      connector: 'daraja',
      baseUrl: operator.url,
      providers: { MPESA_KEN: ['DEPOSIT', 'PAYOUT', 'REFUND'] },
      priority: 1,
      settings: { shortCode: '174379', b2cShortCode: '600992', initiatorName: 'testapi' },
      secrets: {
        consumerKey: 'consumer-key-0123456789',
        consumerSecret: 'consumer-secret-0123456789',
        passkey: 'pass-key-0123456789abcdef',
        initiatorPassword: 'initiator-password-0123456789',
        certificate: standInCertificate(),
      },
    })
  })
  after(async () => {
    await operator.close()
    await service.stop()
  })

  const faults = (...rules: readonly Rule[]): void => operator.faults.set(rules)
  const entriesOf = (party: string) => operator.book.all().filter((one) => one.party === party)
  const start = async (kind: 'deposit' | 'payout', party: string, amount = '30') => {
    const id = randomUUID()
    const account = payer(party, 'MPESA_KEN')
    const body = {
      [`${kind}Id`]: id,
      amount,
      currency: 'KES',
      ...(kind === 'deposit' ? { payer: account } : { recipient: account }),
    }
    const answer = await service.post(`/v2/${kind}s`, body)
    assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
    return id
  }
  const stateOf = async (kind: Kind, id: string): Promise<string> =>
    (await service.get(`/v2/${kind}s/${id}`)).body.data?.status
  const reaches = (kind: Kind, id: string, state: string, stepSeconds = 0) =>
    eventually(async () => {
      if (stepSeconds > 0) await service.advance(stepSeconds)
      assert.equal(await stateOf(kind, id), state)
    })
  const idsOf = async (id: string): Promise<Record<string, string>> => {
    const [row] = await service.database.query<{ ids: Record<string, string> | null }>(
      'select operator_ids as ids from payments where id = $1',
      [id],
    )
    return row?.ids ?? {}
  }
  const refund = async (depositId: string, amount: string): Promise<string> => {
    const refundId = randomUUID()
    const answer = await service.post('/v2/refunds', {
      refundId,
      depositId,
      amount,
      currency: 'KES',
    })
    assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
    return refundId
  }
  const questions = (): number =>
    operator.requests.filter(({ path }) => path.includes('transactionstatus')).length

  it('a deposit has the receipt of its callback, and is reversed in part by it', async () => {
    faults()
    const party = '254712100001'
    const depositId = await start('deposit', party)
    await reaches('deposit', depositId, 'COMPLETED')
    const [deposit] = entriesOf(party)
    const { body } = await service.get(`/v2/deposits/${depositId}`)
    assert.equal(body.data.providerTransactionId, deposit?.transactionId)
    const id = await refund(depositId, '10')
    await reaches('refund', id, 'COMPLETED')
    const [, reversal] = entriesOf(party)
    assert.equal(reversal?.what, 'reversal')
    assert.equal(reversal?.amount, '10')
    assert.equal((await idsOf(id)).by, 'reversal')
  })

  it('a deposit without a receipt is given back by a payout', async () => {
    faults(SILENT)
    const party = '254712100002'
    const depositId = await start('deposit', party)
    await reaches('deposit', depositId, 'COMPLETED', 25)
    faults()
    const id = await refund(depositId, '30')
    await reaches('refund', id, 'COMPLETED')
    assert.deepEqual(
      entriesOf(party).map(({ what }) => what),
      ['push', 'payout'],
    )
    assert.equal((await idsOf(id)).by, 'payout')
  })

  it('the callback names a prompt whose answer was lost', async () => {
    faults({ on: 'create', fault: 'drop-after', times: 1 })
    const party = '254712100003'
    const depositId = await start('deposit', party)
    await reaches('deposit', depositId, 'COMPLETED')
    assert.equal(entriesOf(party).length, 1)
  })

  it('a payout whose result got lost is asked about after five minutes', async () => {
    faults({ ...SILENT, times: 1 })
    const party = '254712100004'
    const before = questions()
    const id = await start('payout', party)
    await eventually(() => assert.equal(entriesOf(party).length, 1))
    await eventually(async () => assert.ok((await idsOf(id)).sentAt !== undefined))
    await eventually(() => assert.ok(Date.now() > (entriesOf(party)[0]?.endsAt ?? 0) + 100))
    await service.advance(240)
    assert.equal(await stateOf('payout', id), 'PROCESSING')
    assert.equal(questions(), before)
    await reaches('payout', id, 'COMPLETED', 90)
    assert.ok(questions() > before)
    assert.equal(entriesOf(party).length, 1)
  })

  it('a payout whose answer got lost ends by its result', async () => {
    faults({ on: 'create', fault: 'drop-after', times: 1 })
    const party = '254712100005'
    const id = await start('payout', party)
    await reaches('payout', id, 'COMPLETED')
    assert.equal(entriesOf(party).length, 1)
  })

  it('a payout that nothing is reported about is in doubt after fifteen minutes, not before', async () => {
    faults(SILENT)
    const party = '254712100006'
    operator.setEnding(party, { says: 'pending' })
    const id = await start('payout', party)
    await eventually(async () => assert.ok((await idsOf(id)).sentAt !== undefined))
    for (let minutes = 0; minutes < 14; minutes += 1) {
      await service.advance(60)
      assert.equal(await stateOf('payout', id), 'PROCESSING')
    }
    await reaches('payout', id, 'IN_RECONCILIATION', 60)
    faults()
    const [entry] = entriesOf(party)
    operator.end(entry?.reference ?? '', { says: 'success' })
    await reaches('payout', id, 'COMPLETED')
    assert.equal(entriesOf(party).length, 1)
  })

  it('a result for another amount is for a person', async () => {
    faults(SILENT)
    const party = '254712100007'
    const id = await start('payout', party)
    await eventually(async () => assert.ok((await idsOf(id)).sentAt !== undefined))
    const [entry] = entriesOf(party)
    const report = entry && DARAJA_STAND_IN.callback({ ...entry, amount: '3' }, { says: 'success' })
    const { status } = await fetch(report?.url ?? '', {
      method: 'POST',
      headers: report?.headers ?? {},
      body: report?.body ?? '',
    })
    assert.equal(status, 200)
    await reaches('payout', id, 'IN_RECONCILIATION', 30)
    assert.ok(service.logLines.some((line) => line.includes('the operator says it moved 3')))
  })

  it('a refusal of the recipient is reported to the merchant', async () => {
    faults()
    const party = '254712100008'
    operator.setEnding(party, { says: 'failure', reason: '2040' })
    const id = await start('payout', party)
    await reaches('payout', id, 'FAILED')
    const { body } = await service.get(`/v2/payouts/${id}`)
    assert.equal(body.data.failureReason.failureCode, 'RECIPIENT_NOT_FOUND')
  })

  // The last one: the account rests for payouts from then on.
  it('too little on our own account: the payout waits in line', async () => {
    faults()
    const party = '254712100009'
    operator.setEnding(party, { says: 'failure', reason: '1' })
    const id = await start('payout', party)
    await eventually(async () => assert.equal((await idsOf(id)).resultCode, '1'))
    assert.equal(await stateOf('payout', id), 'PROCESSING')
    await reaches('payout', id, 'ENQUEUED', 30)
    // The clock may have been moved so far that it was tried again, under another reference.
    const references = entriesOf(party).map(({ reference }) => reference)
    assert.equal(new Set(references).size, references.length)
  })
})
