import { CATALOG_FILE } from '../../package-root.ts'
import { readCatalog } from '../../providers/catalog.ts'
import { type Command, CommandProblem, environmentToken, print, textOf } from '../command-kit.ts'
import {
  mustBeSandbox,
  SERVICE_OPTIONS,
  type ServiceClient,
  serviceClient,
} from '../service-client.ts'
import { chanceOf } from './chance.ts'
import { createFiller } from './fill.ts'
import { incidentsOf } from './incidents.ts'
import { type Availability, type Market, marketsOf } from './market.ts'
import { planOf } from './plan.ts'

const DAY_S = 86_400

export const DEMO_COMMANDS: readonly Command[] = [
  {
    name: 'demo fill',
    summary: 'Let months of plausible payments happen in a sandbox; moves its test clock on',
    options: {
      ...SERVICE_OPTIONS,
      days: { value: 'number', summary: 'how many days happen; 90 by default' },
      payments: { value: 'number', summary: 'how many payments, about; 3000 by default' },
      seed: { value: 'number', summary: 'another number makes another history; 1 by default' },
    },
    run: async ({ values, json }) => {
      const client = serviceClient(values, environmentToken())
      const days = wholeNumber(values.days, 'days', 90, 366)
      const payments = wholeNumber(values.payments, 'payments', 3000, 100_000)
      const seed = wholeNumber(values.seed, 'seed', 1, 2 ** 31)
      await mustBeSandbox(client)
      const result = await fill(client, { days, payments, seed }, say(days))
      const { accepted, refused, now } = result
      print(
        json,
        result,
        `${accepted} payments were accepted, ${refused} refused. The test clock stands at ${now}.`,
      )
      return 0
    },
  },
]

function wholeNumber(value: unknown, name: string, usual: number, most: number): number {
  const given = textOf(value)
  if (given === undefined) return usual
  const number = Number(given)
  if (Number.isInteger(number) && number >= 1 && number <= most) return number
  throw new CommandProblem(`--${name}: "${given}" is not a whole number from 1 to ${most}.`)
}

type Wanted = { readonly days: number; readonly payments: number; readonly seed: number }

async function fill(client: ServiceClient, wanted: Wanted, progress: (day: number) => void) {
  const availability = (await client.get('/v2/availability')) as Availability
  const [first, ...others] = marketsOf(readCatalog(CATALOG_FILE), availability)
  if (first === undefined) {
    throw new CommandProblem(
      'The merchant of this token can use none of the providers of the demo.',
    )
  }
  const markets = [first, ...others] as const
  const clock = (await client.get('/sandbox/clock')) as { readonly now: string }
  const startMs = Date.parse(clock.now)
  const chance = chanceOf(wanted.seed + 1)
  await fund(client, markets, FUNDED_PURCHASES)
  const filler = createFiller(client, startMs, chance)
  const planned = planOf({ ...wanted, markets, startMs })
  let begun = { accepted: 0, refused: 0 }
  let from = 0
  const until = async (seconds: number): Promise<void> => {
    const next = planned.findIndex(({ atSeconds }) => atSeconds >= seconds)
    const to = next < 0 ? planned.length : next
    begun = await filler.run(planned.slice(from, to), (at) => progress(Math.floor(at / DAY_S)))
    from = Math.max(from, to)
    await filler.moveTo(seconds)
  }
  for (const { atSeconds, happens } of incidentsOf({
    client,
    markets,
    days: wanted.days,
    chance,
  })) {
    await until(atSeconds)
    await happens()
  }
  await until(wanted.days * DAY_S)
  // One wallet is nearly empty, as if it had been settled.
  await fund(client, [markets.at(-1) ?? first], 1)
  const { now } = (await client.get('/sandbox/clock')) as { readonly now: string }
  return { ...begun, now }
}

const FUNDED_PURCHASES = 300

/** Enough for so many of the dearest purchases. */
async function fund(
  client: ServiceClient,
  markets: readonly Market[],
  purchases: number,
): Promise<void> {
  const wallets = new Map(markets.map((market) => [`${market.country} ${market.currency}`, market]))
  for (const { country, currency, most } of wallets.values()) {
    await client.put('/sandbox/wallets', { country, currency, balance: String(most * purchases) })
  }
}

/** On standard error, so that programs still read nothing but the result. */
function say(days: number): (day: number) => void {
  let last = -1
  return (day) => {
    if (day <= last) return
    last = day
    const isTerminal = process.stderr.isTTY === true
    if (!isTerminal && day % 10 !== 0) return
    process.stderr.write(
      `${isTerminal ? '\r' : ''}day ${day + 1} of ${days} …${isTerminal ? '' : '\n'}`,
    )
  }
}
