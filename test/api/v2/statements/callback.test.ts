import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { after, it } from 'node:test'
import { httpbis } from 'http-message-signatures'
import { failForAnHour, startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { askStatement, ended } from '../../../../harness/statements.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
const elsewhere = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
  await elsewhere.close()
})

const callbackOf = (id: string) =>
  eventually(() => {
    const found = receiver.received.find((one) => JSON.parse(one.body).statementId === id)
    assert.ok(found !== undefined)
    return found
  })

it('goes to the address of the request, and is the record of the status check', async () => {
  await service.put('/sandbox/callbacks', { deposit: elsewhere.url, payout: elsewhere.url })
  const id = await askStatement(service, { callbackUrl: `${receiver.url}?month=11` })
  const record = await ended(service, id)
  const received = await callbackOf(id)
  assert.equal(received.method, 'POST')
  assert.equal(received.path, '/callbacks?month=11')
  assert.deepEqual(JSON.parse(received.body), record)
  assert.equal(elsewhere.received.length, 0)
  // The link of the callback is the link of the record, and it works.
  assert.equal((await fetch(JSON.parse(received.body).downloadUrl)).status, 200)
})

it('is signed like every other callback', async () => {
  const id = await askStatement(service, { callbackUrl: receiver.url })
  const { method, path, headers } = await callbackOf(id)
  const [{ id: keyId, key }] = (await service.get('/v2/public-key/http')).body
  const isVerified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) => ({
        id: keyid ?? '',
        algs: ['ecdsa-p256-sha256'],
        verify: async (data: Buffer, signature: Buffer) =>
          keyid === keyId && verify('sha256', data, { key, dsaEncoding: 'der' }, signature),
      }),
      requiredFields: ['@method', '@authority', '@path', 'content-digest'],
    },
    { method, url: new URL(path, receiver.url).href, headers: headers as Record<string, string> },
  )
  assert.equal(isVerified, true)
})

it('is tried again until it is acknowledged, and every attempt is kept', async () => {
  receiver.answer(failForAnHour)
  const id = await askStatement(service, { callbackUrl: receiver.url })
  const record = await ended(service, id)
  await callbackOf(id)
  receiver.answer(200)
  const delivery = await eventually(async () => {
    await service.advance(3600)
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0].delivery, 'DELIVERED')
    return body[0]
  })
  assert.equal(delivery.kind, 'statement')
  assert.equal(delivery.attempts.length, 2)
  assert.deepEqual(
    delivery.attempts.map((one: { httpStatus: number }) => one.httpStatus),
    [503, 200],
  )
  for (const { url, requestBody } of delivery.attempts) {
    assert.equal(url, receiver.url)
    assert.deepEqual(JSON.parse(requestBody), record)
  }
})
