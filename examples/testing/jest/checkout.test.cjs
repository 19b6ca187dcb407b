// npx jest
const { randomUUID } = require('node:crypto')
const { createClient } = require('malipo/client')
const { startMalipo } = require('malipo/testing')

const CUSTOMER = '260763456789'
let malipo

// The very first start of a machine prepares a database, and takes longer than those after it.
beforeAll(async () => {
  malipo = await startMalipo()
}, 60_000)
afterAll(() => malipo?.close())

/** Your own code would do this. */
async function startDeposit(phoneNumber) {
  const { baseUrl, token } = malipo
  const depositId = randomUUID()
  const payer = { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_ZMB' } }
  const client = createClient({ baseUrl, token })
  const answer = await client.deposits.initiate({ depositId, amount: '15', currency: 'ZMW', payer })
  expect(answer).toMatchObject({ status: 'ACCEPTED' })
  return depositId
}

test('a customer approves', async () => {
  const phone = malipo.phone(CUSTOMER)
  const depositId = await startDeposit(CUSTOMER)
  await phone.approve()
  expect(await malipo.callbacks.next({ depositId })).toMatchObject({ status: 'COMPLETED' })
})

test('a customer declines', async () => {
  const phone = malipo.phone(CUSTOMER)
  const depositId = await startDeposit(CUSTOMER)
  await phone.decline()
  expect(await malipo.callbacks.next({ depositId })).toMatchObject({
    failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' },
  })
})
