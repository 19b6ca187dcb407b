import { type Chance, chanceOf } from '../../harness/random/chance.ts'
import type { Target } from './targets.ts'

export type Kind = 'deposit' | 'payout' | 'refund' | 'remittance' | 'splitPayment'

/** A token gives access to what it leads to; `id` is its identifier in the tables. */
export type Link = { readonly token: string; readonly id: string }

/** What is open now. Each list keeps its length, so that a seed draws the same positions. */
export type Props = {
  readonly pages: Link[]
  readonly checkouts: Link[]
  readonly statements: Link[]
  readonly wallets: Link[]
  /** Each signs one browser in to the sandbox. */
  readonly codes: Link[]
  /** Enqueued payments, by kind. */
  readonly enqueued: Readonly<Record<'payout' | 'refund' | 'remittance', string[]>>
}

/** What a run knows about the service that it attacks. */
export type World = {
  readonly seed: number
  readonly host: string
  readonly targets: readonly Target[]
  /** Of the merchant whose payments are counted. */
  readonly token: string
  /** Of one whose settings are changed. */
  readonly controlToken: string
  /** The cookie of somebody who signed in with it. */
  readonly session: string
  /** Of one that requires signatures; nothing here is ever signed, so nothing of it may be stored. */
  readonly signedToken: string
  /** Without any permission: all its requests are refused. */
  readonly powerlessToken: string
  /** Deposits that can be refunded. */
  readonly deposits: readonly string[]
  /** Payments that are over: no request may change them. */
  readonly finished: Readonly<Record<Kind, readonly string[]>>
  readonly props: Props
}

/** What is drawn for a number: the request itself, or something independent of it. */
type Purpose = 'request' | 'breaks' | 'bytes' | 'batch'

const SALTS: Readonly<Record<Purpose, number>> = {
  request: 0,
  breaks: 0x51ed270b,
  bytes: 0x2545f491,
  batch: 0x1b873593,
}

export const diceOf = (
  { seed }: Pick<World, 'seed'>,
  number: number,
  purpose: Purpose = 'request',
): Chance =>
  chanceOf(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b) ^ SALTS[purpose])

/** Derived from the number of the request alone, so that a later request can repeat it. */
export const idOf = ({ seed }: Pick<World, 'seed'>, number: number, at = 0): string =>
  chanceOf(
    Math.imul(seed + 7, 0xc2b2ae35) ^
      Math.imul(number + 1, 0x27d4eb2f) ^
      Math.imul(at + 1, 0x165667b1),
  ).uuid()

/** How far back an identifier is taken from: some are stored by then, some still in flight. */
const BACK_MAX = 400

/** Mostly new; otherwise of an earlier request of any kind, or of a final payment. */
export function idFor(world: World, number: number, at: number, dice: Chance): string {
  if (dice.oneIn(5) && number > 0) {
    return idOf(world, number - dice.between(1, Math.min(number, BACK_MAX)))
  }
  if (dice.oneIn(25)) return dice.pick(Object.values(world.finished).flat())
  return idOf(world, number, at)
}
