import type { Body, Generation, Kind, Script } from './world.ts'

/** What merchants and customers do in a simulation, and what is done to the service meanwhile. */

export type Timing = { readonly merchant: number; readonly node: 0 | 1; readonly waitMs: number }

export type Ask = Timing & {
  readonly do: 'ask'
  readonly kind: Kind
  readonly generation: Generation
  readonly isBulk: boolean
  readonly bodies: readonly Body[]
  readonly scripts: readonly Script[]
  /** How many clients send it at the same moment, to one node and the other. */
  readonly copies: number
  /** The client disconnects after this time, and never gets the answer. */
  readonly breakOffMs?: number
  /** Asks again until it has an answer. */
  readonly persists: boolean
}

export type About = Timing & {
  readonly do: 'check' | 'resend' | 'cancel'
  readonly kind: Kind
  readonly generation: Generation
  readonly id: string
  readonly variant: 0 | 1
}

/** A customer pays on a page: presses Pay, perhaps twice, perhaps without getting an answer. */
export type Visit = Timing & {
  readonly do: 'visit'
  readonly body: Body
  readonly country: string
  readonly scripts: readonly Script[]
  readonly clicks: number
  readonly breakOffMs?: number
}

export type Switch = Timing & {
  readonly do: 'switch'
  readonly provider: string
  readonly operations: readonly string[]
  readonly status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
}

/** A request that can never be accepted: damaged, or in the form of the other generation. */
export type Damage = Timing & {
  readonly do: 'damage'
  readonly kind: Kind
  readonly generation: Generation
  readonly body: Body | string
}

/** A merchant creates a checkout; customers press Pay or leave, or the merchant expires it. */
export type Offer = Timing & { readonly do: 'offer'; readonly id: string; readonly body: Body }
export type Press = Timing & {
  readonly do: 'press'
  readonly id: string
  readonly account: Readonly<Record<string, string>>
  readonly scripts: readonly Script[]
}
export type AboutCheckout = Timing & {
  readonly do: 'expire' | 'leave' | 'look'
  readonly id: string
}

export type Act = Ask | About | Visit | Switch | Damage | Offer | Press | AboutCheckout

export const BEHAVIOURS = ['fails', 'hangs', 'resets', 'is slow', 'is unsteady'] as const
export type Behaviour = (typeof BEHAVIOURS)[number] | 'is well'

export type Fault =
  | {
      readonly do: 'kill node'
      readonly node: 0 | 1
      readonly waitMs: number
      readonly downMs: number
    }
  | { readonly do: 'kill database'; readonly waitMs: number }
  | { readonly do: 'receiver'; readonly merchant: number; readonly behaviour: Behaviour }
