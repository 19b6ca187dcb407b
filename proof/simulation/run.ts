import { setTimeout as sleep } from 'node:timers/promises'
import { OPEN_CALLBACKS } from '../../harness/open-callbacks.ts'
import { OPERATIONS } from '../../harness/random/world.ts'
import type { Fault } from './acts.ts'
import { watchCases } from './case-watch.ts'
import { type Client, createClient } from './client.ts'
import { collect, walletsOf } from './collect.ts'
import { refundDisputed } from './disputes.ts'
import type { Evidence } from './evidence.ts'
import type { Plan } from './plan.ts'
import { buildRig, type Rig } from './rig.ts'
import { ALL_PLACES } from './world.ts'

export type Progress = {
  readonly step: number
  readonly steps: number
  readonly seconds: number
  readonly requests: number
  readonly callbacks: number
}

type Outcome = {
  readonly evidence: Evidence
  /** Errors that the nodes logged, to help find the cause of a finding. */
  readonly errors: readonly string[]
  /** Hours that the clock had to move after the plan until all work was done. */
  readonly hoursAfter: number
}

/** Runs a plan and collects the evidence. */
export async function runPlan(plan: Plan, tell: (progress: Progress) => void): Promise<Outcome> {
  const rig = await buildRig(plan.merchants)
  try {
    const client = createClient(rig)
    const opening = await walletsOf(rig, client)
    const watch = watchCases(rig)
    let seconds = 0
    for (const [step, { acts, faults, restMs, leapSeconds }] of plan.steps.entries()) {
      await Promise.all([
        ...acts.map((act) => client.act(act)),
        ...faults.map((fault) => inflict(rig, fault)),
      ])
      await sleep(restMs)
      await client.leap(leapSeconds)
      await watch.look()
      seconds += leapSeconds
      const requests = client.asks.length + client.looks.length + client.orders.length
      const callbacks = rig.receivers.callbacks.length
      tell({ step: step + 1, steps: plan.steps.length, seconds, requests, callbacks })
    }
    const hoursAfter = await settle(rig, client, plan)
    await watch.look()
    await refundDisputed(rig, client, plan)
    const evidence = await collect(rig, client, plan, { opening, watch })
    return { evidence, errors: rig.errors(), hoursAfter }
  } finally {
    await rig.close()
  }
}

async function inflict(rig: Rig, fault: Fault): Promise<void> {
  if (fault.do === 'receiver') return rig.receivers.behave(fault.merchant, fault.behaviour)
  await sleep(fault.waitMs)
  return fault.do === 'kill database' ? rig.killDatabase() : rig.killNode(fault.node, fault.downMs)
}

const SETTLED_WITHIN_MS = 180_000

/** All faults are over, and the clock moves until nothing is left to do. */
async function settle(rig: Rig, client: Client, plan: Plan): Promise<number> {
  for (const merchant of plan.merchants.keys()) rig.receivers.behave(merchant, 'is well')
  await rig.whole()
  const changes = ALL_PLACES.flatMap(({ provider }) =>
    OPERATIONS.map((operationType) => ({ provider, operationType, status: 'OPERATIONAL' })),
  )
  for (const merchant of plan.merchants.keys()) {
    for (const change of changes) {
      await client.insist(merchant, 'PUT', '/sandbox/availability', change)
    }
  }
  const deadline = performance.now() + SETTLED_WITHIN_MS
  // In growing steps: some scripts take days, but most open work takes seconds.
  let hours = 0
  for (let next = 1; performance.now() < deadline; next = Math.min(next * 2, 16)) {
    for (let looks = 0; looks < 8; looks += 1) {
      if ((await openIn(rig)) === 0) return hours
      await sleep(60)
    }
    await client.leap(next * 3600)
    hours += next
  }
  // The judge reports what is not final.
  return Number.NaN
}

async function openIn({ database }: Rig): Promise<number> {
  const [row] = await database.query<{ open: number }>(OPEN)
  return row?.open ?? 0
}

/**
 * Numbers ending in 129 stay with the operator for ever, and so do splits that wait for one.
 * Nobody decides about contradictions, so checkouts stay on hold.
 */
const OPEN = `
select (
  (select count(*) from payments p
   left join payments d on d.merchant_id = p.merchant_id and d.kind = 'deposit'
     and d.id = p.split_id and p.state = 'WAITING'
   where p.due_at is not null and not (
     coalesce(d.state, p.state) in ('PROCESSING', 'IN_RECONCILIATION')
     and coalesce(d.phone_number, p.phone_number) like '%129'))
  + (select count(*) from ${OPEN_CALLBACKS} join callback_urls using (merchant_id, kind))
  + (select count(*) from checkouts where due_at is not null and not on_hold)
  + (select count(*) from sandbox_orders where notify_at is not null))::int as open`
