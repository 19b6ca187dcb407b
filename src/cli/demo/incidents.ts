/** What goes wrong now and then, so that the pages for it have something to show. */
import { randomUUID } from 'node:crypto'
import type { ServiceClient } from '../service-client.ts'
import { bodyOf, PLACES } from './bodies.ts'
import type { Chance } from './chance.ts'
import { type Market, numberIn, priceIn } from './market.ts'
import type { PlannedKind } from './plan.ts'

const HOUR_S = 3600
const DAY_S = 24 * HOUR_S

type Incident = { readonly atSeconds: number; readonly happens: () => Promise<void> }

type IncidentParts = {
  readonly client: ServiceClient
  readonly markets: readonly [Market, ...Market[]]
  readonly days: number
  readonly chance: Chance
}

/** A provider is down for an evening, outcomes stay unknown, and an operator takes back its word. */
export function incidentsOf(parts: IncidentParts): readonly Incident[] {
  const { client, markets, days } = parts
  const [first] = markets
  const second = markets[1] ?? first
  const end = days * DAY_S
  const switchTo = (market: Market, operationType: string, status: string) => async () => {
    await client.put('/sandbox/availability', { provider: market.provider, operationType, status })
  }
  const incident = (atSeconds: number, happens: () => Promise<void>): Incident => ({
    atSeconds: Math.max(0, atSeconds),
    happens,
  })
  return [
    incident(end * 0.55, switchTo(first, 'DEPOSIT', 'CLOSED')),
    incident(end * 0.55 + 3 * HOUR_S, switchTo(first, 'DEPOSIT', 'OPERATIONAL')),
    incident(end - 2 * DAY_S, () => scripted(parts, 'deposit', 'contradict')),
    incident(end - DAY_S, () => scripted(parts, 'deposit', 'silent')),
    incident(end - 0.8 * DAY_S, () => scripted(parts, 'payout', 'silent')),
    incident(end - HOUR_S, switchTo(second, 'PAYOUT', 'DELAYED')),
    ...[40, 30, 20, 10].map((minutes) =>
      incident(end - minutes * 60, () => started(parts, 'payout', second)),
    ),
  ].sort((a, b) => a.atSeconds - b.atSeconds)
}

/** A number of its own behaves so from then on. */
async function scripted(
  parts: IncidentParts,
  kind: PlannedKind,
  answer: 'silent' | 'contradict',
): Promise<void> {
  const { client, markets, chance } = parts
  const phoneNumber = numberIn(markets[0], chance)
  const script = [{ afterSeconds: 0, answer }]
  await client.put(`/sandbox/phones/${phoneNumber}`, { script })
  await started(parts, kind, markets[0], phoneNumber)
}

async function started(
  { client, chance }: IncidentParts,
  kind: PlannedKind,
  market: Market,
  phoneNumber = numberIn(market, chance),
): Promise<void> {
  const { path, idField } = PLACES[kind]
  const amount = priceIn(market, chance)
  const number = 90_000 + chance.below(10_000)
  const planned = { kind, market, amount, phoneNumber, number, ends: false, atSeconds: 0 }
  await client.post(path, { [idField]: randomUUID(), ...bodyOf(planned, chance, undefined) })
}
