import assert from 'node:assert/strict'
import {
  KINDS,
  MOODS,
  moodyNumber,
  PLACES,
  STORIES,
  storyNumber,
} from '../../../harness/random/world.ts'
import { addMerchant } from '../../../harness/merchant.ts'
import { type Received, type Receiver, startReceiver } from '../../../harness/receiver.ts'
import { type Answer, type Service, startService } from '../../../harness/service.ts'
import { type DatabaseLink, startDatabaseLink } from '../database-link.ts'
import type { At, Plan } from './plan.ts'
import { createUsage, type Usage } from './usage.ts'

/** Where a history takes place: two nodes on one database, merchants, and a server of theirs. */
export type Stage = {
  readonly service: Service
  readonly link: DatabaseLink
  readonly receiver: Receiver
  /** What the receiver acknowledged. */
  readonly acknowledged: readonly Received[]
  readonly merchants: readonly { readonly id: number; readonly token: string }[]
  /** The calls of the earlier generation. */
  readonly usage: Usage
  /** With the method FORM it is a customer who sends a form. */
  call(at: At, method: string, path: string, body?: unknown): Promise<Answer>
  receive(how: 'well' | 'badly' | 'not at all'): void
  restart(): Promise<void>
  close(): Promise<void>
}

/** What a browser sends when somebody presses a button. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

export async function setStage(plan: Plan): Promise<Stage> {
  const service = await startService()
  const link = await startDatabaseLink(service.databaseUrl)
  // Its connection may break while it starts; a process would be started again then, too.
  const startSecond = (tries = 5): Promise<Service> =>
    service.addNode({ DATABASE_URL: link.url }).catch((error) => {
      if (tries === 1) throw error
      return startSecond(tries - 1)
    })
  let second = await startSecond()
  let restarting: Promise<void> | undefined
  const receiver = await startReceiver()
  const acknowledged: Received[] = []
  const usage = createUsage()
  const merchants = [{ id: 1, token: service.token }]
  for (let count = 1; count < plan.merchants.length; count += 1) {
    const { id, token } = await addMerchant(service, { slug: `m${count}`, name: `Shop ${count}` })
    merchants.push({ id, token })
  }

  const stage: Stage = {
    service,
    link,
    receiver,
    acknowledged,
    merchants,
    usage,
    call: ({ node, merchant }, method, path, body) => {
      const authorization = `Bearer ${merchants[merchant]?.token}`
      const asked = node === 0 ? service : second
      if (method === 'FORM') {
        const form = new URLSearchParams(body as Record<string, string>)
        return asked.call('POST', path, form.toString(), FORM)
      }
      const answer = asked.call(method, path, body, { authorization })
      return usage.count(merchant, method, path, answer)
    },
    receive: (how) =>
      receiver.answer((response) => {
        if (how === 'not at all') return void response.destroy()
        const request = receiver.received.at(-1)
        if (how === 'well' && request !== undefined) acknowledged.push(request)
        return void response.writeHead(how === 'well' ? 200 : 500).end()
      }),
    restart: () => {
      restarting ??= second
        .stop()
        .then(() => startSecond())
        .then((node) => {
          second = node
          restarting = undefined
        })
      return restarting
    },
    close: async () => {
      await restarting
      await second.stop()
      await link.close()
      await service.stop()
      await receiver.close()
    },
  }
  stage.receive('well')
  await Promise.all(merchants.map((_, index) => prepare(stage, plan, index)))
  return stage
}

async function prepare(stage: Stage, plan: Plan, merchant: number): Promise<void> {
  const at: At = { node: 0, merchant }
  const { balance = '0', listens = [] } = plan.merchants[merchant] ?? {}
  const put = async (path: string, body: unknown): Promise<void> => {
    const { status, body: answer } = await stage.call(at, 'PUT', path, body)
    assert.equal(status, 204, JSON.stringify(answer))
  }
  const address = (kind: string): string => `${stage.receiver.url}/${merchant}/${kind}`
  const heardOf = KINDS.map((kind) => [kind, listens.includes(kind) ? address(kind) : null])
  // Checkouts are heard of where their deposits are.
  const checkout = listens.includes('deposit') ? address('checkout') : null
  await put('/sandbox/callbacks', { ...Object.fromEntries(heardOf), checkout })
  for (const { country, currency } of PLACES.slice(1)) {
    await put('/sandbox/wallets', { country, currency, balance })
  }
  // Only the numbers that come up, because each script is a call.
  const asks = plan.bursts
    .flatMap(({ actions }) => actions)
    .filter((one) => one.do === 'ask' || one.do === 'press')
  const bodies = JSON.stringify(asks.filter((one) => one.at.merchant === merchant))
  const scripted = PLACES.flatMap((place) => [
    [moodyNumber(place), MOODS[0]?.script] as const,
    ...STORIES.map(({ script }, index) => [storyNumber(place, index), script] as const),
  ]).filter(([number]) => bodies.includes(number))
  await Promise.all(
    scripted.map(([number, script]) => put(`/sandbox/phones/${number}`, { script })),
  )
}
