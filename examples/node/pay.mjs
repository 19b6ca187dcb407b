// Collects a payment, refunds it and pays out, with the client of this package.
//   npm ci && npm run build
//   MALIPO_URL=http://127.0.0.1:8080 MALIPO_TOKEN=mlp_sbx_… node examples/node/pay.mjs
import { randomUUID } from 'node:crypto'
import { createClient } from 'malipo/client'

const { MALIPO_URL = 'http://127.0.0.1:8080', MALIPO_TOKEN = '' } = process.env
const client = createClient({ baseUrl: MALIPO_URL, token: MALIPO_TOKEN })
const money = { amount: '15', currency: 'ZMW' }
const wallet = {
  type: 'MMO',
  accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
}
const say = (line) => process.stdout.write(`${line}\n`)

/** Starts it and waits for its end. The client repeats a lost request with the same identifier. */
async function complete(methods, id, request) {
  const answer = await methods.initiate(request)
  if (answer.status === 'REJECTED') throw new Error(answer.failureReason.failureMessage)
  const { status, failureReason } = await methods.waitForFinal(id)
  if (status !== 'COMPLETED') throw new Error(failureReason?.failureMessage)
}

// Store each identifier before it is used: it is how you find the payment whatever happens.
const depositId = randomUUID()
await complete(client.deposits, depositId, { depositId, ...money, payer: wallet })
say(`deposit ${depositId} COMPLETED`)

const refundId = randomUUID()
await complete(client.refunds, refundId, { refundId, depositId })
say(`refund ${refundId} COMPLETED`)

const payoutId = randomUUID()
await complete(client.payouts, payoutId, { payoutId, ...money, recipient: wallet })
say(`payout ${payoutId} COMPLETED`)
