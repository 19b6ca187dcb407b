import { READABLE_MS } from '../../src/domain/hosted/page-session.ts'
import { verifyBooks } from '../../src/usecases/accounts/verify-books.ts'
import type { Stage } from '../hostile/stage.ts'
import type { Fault, Tally } from './tally.ts'
import { changesIn, fingerprints, type Prints, rowCounts, startedBy } from './traces.ts'

/** What is stored at one moment. */
type Look = {
  readonly prints: Prints
  readonly rows: ReadonlyMap<string, number>
  readonly stored: ReadonlyMap<string, string>
}

export async function lookAround(stage: Stage): Promise<Look> {
  const { database, merchantId, signedMerchantId } = stage
  const [prints, rows, stored] = await Promise.all([
    fingerprints(database, { ...stage, finished: stage.world.finished }),
    rowCounts(database),
    startedBy(database, [merchantId, signedMerchantId]),
  ])
  return { prints, rows, stored }
}

/** Everything that is not as it should be after a run. */
export async function faultsAfter(
  stage: Stage,
  tally: Tally,
  before: Look,
  after: Look,
): Promise<readonly Fault[]> {
  return [
    ...changesIn(before.prints, after.prints).map((what) => ({ what })),
    ...storedFaults(tally, new Set([...before.stored.keys(), ...stage.made]), after.stored),
    ...(await checkOthers(stage)),
  ]
}

/** What was accepted exists, and nothing else. */
export function storedFaults(
  { accepted, allowed, doubtful, doubtfulStatements, answers, clockAheadMs }: Tally,
  known: ReadonlySet<string>,
  after: ReadonlyMap<string, string>,
): readonly Fault[] {
  const faults: Fault[] = []
  let namelessLeft = doubtfulStatements
  for (const [name, id] of after) {
    if (known.has(name) || accepted.has(name) || allowed.has(name) || doubtful.has(id)) continue
    if (name.startsWith('statement/') && namelessLeft > 0) {
      namelessLeft -= 1
      continue
    }
    const instead = answers.get(id) ?? 'nothing'
    faults.push({ what: `${name} is stored, but was answered with ${instead} and never ACCEPTED` })
  }
  // Links that expired long ago are removed, and hostile requests move the clock.
  const isForgetful = clockAheadMs > READABLE_MS
  for (const name of accepted) {
    if (after.has(name) || (isForgetful && name.startsWith('page/'))) continue
    faults.push({ what: `${name} was accepted, but does not exist` })
  }
  return faults
}

/** The merchant that requires signatures has no payments, and the books are in order. */
async function checkOthers({ database, signedMerchantId }: Stage): Promise<readonly Fault[]> {
  const started = await startedBy(database, [signedMerchantId])
  const books = await verifyBooks(database, () => {})
  return [
    ...[...started.keys()]
      // Only what starts payments is signed; pages and checkouts let customers start them.
      .filter((name) => !/^(statement|checkout|page)\//.test(name))
      .map((name) => ({ what: `${name} was stored without its signature` })),
    ...books.flatMap(({ name, findings }) =>
      findings.map((one) => ({ what: `${name}: ${JSON.stringify(one)}` })),
    ),
  ]
}
