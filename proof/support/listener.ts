/**
 * The merchant's server for callbacks. For each payment it keeps the received states in order, but
 * not the bodies, which would be too many. With `chance` it is slow, and fails now and then.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { KINDS } from '../../harness/every-kind.ts'
import type { Chance } from '../../harness/random/chance.ts'
import { nameOf } from './names.ts'

export type Received = {
  readonly states: string[]
  /** When each of these was signed, in seconds: a busy receiver may read the first one last. */
  readonly signedAt: number[]
  /** The states whose callback was answered with 200, to the last byte. */
  readonly acknowledged: string[]
  readonly amount: string
  readonly currency: string
  readonly country: string
  /** How often a callback arrived while another one of the same payment was not answered yet. */
  overlaps: number
}

export type Listener = {
  readonly url: string
  /** By kind and identifier. */
  readonly received: ReadonlyMap<string, Received>
  count(): number
  /** A deposit that was received here as COMPLETED, and not refunded yet. */
  takeRefundable(): string | undefined
  /** Keeps of its records what this returns; a payment without any is forgotten. */
  rewind(kept: (name: string, known: Received) => Received | undefined): void
  close(): Promise<void>
}

/** The most specific first: a refund also names its deposit. */
const ID_FIELDS = Object.entries(KINDS)
  .map(([kind, { idField }]) => ({ kind, idField }))
  .toSorted((a, b) => Number(a.kind === 'deposit') - Number(b.kind === 'deposit'))

const REFUNDABLE_MOST = 200
const FAILS_ONE_IN = 8
const SLOWEST_MS = 40
const GIVEN_UP_AFTER_SECONDS = 10

export async function startListener(chance?: Chance): Promise<Listener> {
  const received = new Map<string, Received>()
  /** When those were signed that are not answered yet. */
  const underWay = new Map<Received, readonly number[]>()
  const refundable: string[] = []
  /** Also those taken: a deposit that is reported again after a restore is not refunded again. */
  const offered = new Set<string>()
  let count = 0

  const note = (record: Readonly<Record<string, unknown>>, signedAt: number): Received => {
    const { kind, idField } = ID_FIELDS.find((one) => one.idField in record) ?? NOBODY
    const id = String(record[idField])
    const name = nameOf(kind, id)
    const amount = String(record.amount ?? record.requestedAmount)
    const [currency, country] = [String(record.currency), String(record.country)]
    const known = received.get(name) ?? { ...NOTHING(), amount, currency, country }
    known.states.push(String(record.status))
    known.signedAt.push(signedAt)
    received.set(name, known)
    count += 1
    const isRefundable =
      !offered.has(id) &&
      kind === 'deposit' &&
      record.status === 'COMPLETED' &&
      record.currency === 'ZMW'
    if (isRefundable && refundable.length < REFUNDABLE_MOST) {
      offered.add(id)
      refundable.push(id)
    }
    return known
  }

  const server = createServer(async (request, response) => {
    // A node that is killed in the middle of its request has sent nothing.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const record = JSON.parse(body)
    const input = String(request.headers['signature-input'])
    const signedAt = Number(/;created=(\d+)/.exec(input)?.[1])
    const entry = note(record, signedAt)
    const others = underWay.get(entry) ?? []
    // A busy receiver learns late that the sender of an earlier one has given it up.
    if (others.some((one) => signedAt - one < GIVEN_UP_AFTER_SECONDS)) entry.overlaps += 1
    underWay.set(entry, [...others, signedAt])
    response.once('close', () => {
      const left = [...(underWay.get(entry) ?? [])]
      left.splice(left.indexOf(signedAt), 1)
      underWay.set(entry, left)
    })
    if (chance !== undefined) await sleep(chance.below(SLOWEST_MS))
    // Where two states are sent, one after the other, a failure of the first would mix their order.
    const mayFail = record.currency !== 'XOF'
    if (mayFail && chance?.oneIn(FAILS_ONE_IN) === true) return void response.writeHead(500).end()
    response.once('finish', () => void entry.acknowledged.push(String(record.status)))
    return void response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    received,
    count: () => count,
    takeRefundable: () => refundable.shift(),
    rewind: (kept) => {
      for (const [name, known] of received) {
        const left = kept(name, known)
        if (left === undefined) received.delete(name)
        else received.set(name, left)
      }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const NOTHING = (): Pick<Received, 'states' | 'signedAt' | 'acknowledged' | 'overlaps'> => ({
  states: [],
  signedAt: [],
  acknowledged: [],
  overlaps: 0,
})
const NOBODY = { kind: 'unknown', idField: '' }
