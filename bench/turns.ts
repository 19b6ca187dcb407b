import { type BenchService, drained } from './service.ts'

type Rate = { readonly perSecond: number }

/**
 * What is compared takes many short turns: a machine that is slow for a minute is then slow for all
 * of them. The order changes from turn to turn, so that none always follows the same one.
 */
export async function inTurns<Name extends string>(
  service: BenchService,
  turns: number,
  runs: Readonly<Record<Name, () => Promise<Rate>>>,
  note: (text: string) => void,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(runs) as Name[]
  const rates = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    number[]
  >
  for (let turn = 0; turn < turns; turn += 1) {
    const first = turn % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await settled(service)
      rates[name].push((await runs[name]()).perSecond)
    }
    const texts = names.map((name) => `${rates[name][turn]?.toFixed(0)} ${name}`)
    note(`turn ${turn + 1} of ${turns}: ${texts.join(', ')}`)
  }
  return rates
}

/** Waits until nothing of the last turn is running: no payment, no vacuum. */
async function settled(service: BenchService): Promise<void> {
  await drained(service, 300)
  for (let looks = 0; looks < 60; looks += 1) {
    const [row] = await service.query<{ busy: number }>(
      `select count(*)::int as busy from pg_stat_activity where backend_type = 'autovacuum worker'`,
    )
    if (row?.busy === 0) return
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
