import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import type { Config } from '../../node/config.ts'
import type { Database } from '../../store/engine/database.ts'
import { keptToken } from '../../usecases/sandbox/seed-demo.ts'
import { serviceClient } from '../service-client.ts'
import { bad, type Check, durationText, good } from './check.ts'

const NAME = 'test payment'

/** A deposit of the demo merchant, which exists in sandboxes alone: no money moves. */
export async function testPayment(
  database: Database,
  { secretKey, sandboxDelayMs }: Config,
  url: string,
): Promise<Check> {
  const token = await keptToken(database, secretKey, Date.now())
  if (token === undefined) {
    return bad(
      NAME,
      'The token of the demo merchant was revoked. Restart the service: it makes one.',
    )
  }
  const client = serviceClient({ service: url, token }, undefined)
  const depositId = randomUUID()
  const startedAt = performance.now()
  const answer = (await client.post('/v2/deposits', bodyOf(depositId))) as { status: string }
  const acceptedMs = performance.now() - startedAt
  if (answer.status !== 'ACCEPTED') {
    return bad(NAME, `It was not accepted: ${JSON.stringify(answer)}`)
  }
  for (;;) {
    const { data } = (await client.get(`/v2/deposits/${depositId}`)) as { data: { status: string } }
    const elapsedMs = performance.now() - startedAt
    if (data.status === 'COMPLETED') {
      const times = `accepted in ${durationText(acceptedMs)}, COMPLETED in ${durationText(elapsedMs)}`
      return good(NAME, `${times}, of which the operator takes ${durationText(sandboxDelayMs)}`)
    }
    if (data.status === 'FAILED' || elapsedMs > COMMAND_TIMING.testEndsWithinMs + sandboxDelayMs) {
      const after = `${data.status} after ${durationText(elapsedMs)}`
      return bad(NAME, `It is ${after}. See malipo payments show ${depositId}`)
    }
    await pause(COMMAND_TIMING.testLooksEveryMs)
  }
}

const bodyOf = (depositId: string) => ({
  depositId,
  amount: '1',
  currency: 'ZMW',
  payer: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
  clientReferenceId: 'malipo doctor',
})
