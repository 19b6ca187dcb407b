// node --test examples/testing/node
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startMalipo } from 'malipo/testing'

const CUSTOMER = '260763456789'
let malipo

before(async () => {
  malipo = await startMalipo()
})
after(() => malipo?.close())

// Your own code would do this.
async function call(method, path, body) {
  const response = await fetch(malipo.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${malipo.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

async function startDeposit(phoneNumber) {
  const depositId = randomUUID()
  const payer = { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_ZMB' } }
  const order = { depositId, amount: '15', currency: 'ZMW', payer }
  assert.equal((await call('POST', '/v2/deposits', order)).status, 'ACCEPTED')
  return depositId
}

const statusOf = async (id) => (await call('GET', `/v2/deposits/${id}`)).data.status

test('a customer approves', async () => {
  const phone = malipo.phone(CUSTOMER)
  const depositId = await startDeposit(CUSTOMER)
  await phone.approve()
  const { status } = await malipo.callbacks.next({ depositId })
  assert.equal(status, 'COMPLETED')
  assert.match((await phone.messages()).at(-1).text, /You paid ZMW 15/)
})

test('a customer declines', async () => {
  const phone = malipo.phone(CUSTOMER)
  const depositId = await startDeposit(CUSTOMER)
  await phone.decline()
  const { failureReason } = await malipo.callbacks.next({ depositId, status: 'FAILED' })
  assert.equal(failureReason.failureCode, 'PAYMENT_NOT_APPROVED')
})

test('a customer does nothing', async () => {
  malipo.phone(CUSTOMER)
  const depositId = await startDeposit(CUSTOMER)
  while ((await statusOf(depositId)) !== 'PROCESSING') await sleep(20)
  await malipo.clock.advance(200)
  const { status } = await malipo.callbacks.next({ depositId })
  assert.equal(status, 'FAILED')
})

test('a customer has too little money', async () => {
  const depositId = await startDeposit('260763456049')
  const { failureReason } = await malipo.callbacks.next({ depositId })
  assert.equal(failureReason.failureCode, 'INSUFFICIENT_BALANCE')
})
