import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { connectTo } from '../../../../harness/process.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { askStatement, ended, statementBody, ZAMBIA } from '../../../../harness/statements.ts'
import { assertAnswer, SECONDS, UUID } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
after(service.stop)

const LINK = /^http:\/\/127\.0\.0\.1:\d+\/statements\/[0-9a-f-]{36}\/[\w-]{56}$/

it('a statement is PROCESSING until its file is written, then COMPLETED for good', async () => {
  const other = await connectTo(service.databaseUrl)
  await other.query('begin; lock table statement_pieces in share mode')
  const { startDate, endDate, ...asked } = statementBody()
  const id = await askStatement(service, { startDate, endDate })
  const common = {
    statementId: UUID,
    wallet: asked.wallet,
    created: SECONDS,
    startDate,
    endDate,
    compressed: false,
  }
  const processing = { status: 'FOUND', data: { ...common, status: 'PROCESSING' } }
  assertAnswer(await service.get(`/v2/statements/${id}`), 200, processing)
  await other.query('commit')
  await other.end()
  const record = await ended(service, id)
  assertAnswer(await service.get(`/v2/statements/${id}`), 200, {
    status: 'FOUND',
    data: {
      ...common,
      status: 'COMPLETED',
      fileSize: record.fileSize,
      downloadUrl: LINK,
      downloadUrlExpiresAt: SECONDS,
      completedAt: SECONDS,
      openingBalance: '0.00',
      closingBalance: '1000000.00',
    },
  })
  assert.ok(Number.isInteger(record.fileSize))
  const lives = Date.parse(record.downloadUrlExpiresAt) - Date.parse(record.completedAt)
  assert.equal(lives, 24 * 60 * 60 * 1000)
  await service.advance(3 * 24 * 60 * 60)
  assert.deepEqual((await service.get(`/v2/statements/${id.toUpperCase()}`)).body.data, record)
})

it('an unknown identifier is NOT_FOUND', async () => {
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    assertAnswer(await service.get(`/v2/statements/${id}`), 200, { status: 'NOT_FOUND' })
  }
})

it('a statement that cannot be written is FAILED in the end, and the callback is owed', async () => {
  const other = await addMerchant(service)
  // Days that do not fit the transfers: the two ways to the last balance do not meet.
  const damage = async (by: number): Promise<void> => {
    await service.database.query(
      `update account_days set change = change + $2
       where merchant_id = $1 and account = 'wallet:ZMB:ZMW'`,
      [other.id, by],
    )
  }
  await damage(1)
  const id = await askStatement(other, { endDate: statementBody().endDate })
  const record = await eventually(async () => {
    await service.advance(30)
    const { data } = (await other.call('GET', `/v2/statements/${id}`)).body
    assert.equal(data.status, 'FAILED')
    return data
  })
  assert.deepEqual(Object.keys(record), [
    'statementId',
    'status',
    'wallet',
    'created',
    'startDate',
    'endDate',
    'compressed',
    'failedAt',
    'failureReason',
  ])
  assert.equal(record.failureReason.failureCode, 'UNKNOWN_ERROR')
  assert.match(record.failureReason.failureMessage, /Ask for the statement again/)
  const { body } = await other.call('GET', `/sandbox/deliveries?paymentId=${id}`)
  assert.deepEqual([body[0].kind, body[0].status], ['statement', 'FAILED'])
  const pieces = await service.database.query(
    'select from statement_pieces where statement_id = $1',
    [id],
  )
  assert.equal(pieces.length, 0)
  await damage(-1)
})

it('a reset forgets statements and their files', async () => {
  const other = await addMerchant(service)
  const id = await askStatement(other, { wallet: ZAMBIA })
  const { downloadUrl } = await ended(other, id)
  await other.call('POST', '/sandbox/reset')
  assertAnswer(await other.call('GET', `/v2/statements/${id}`), 200, { status: 'NOT_FOUND' })
  assert.equal((await fetch(downloadUrl)).status, 404)
})
