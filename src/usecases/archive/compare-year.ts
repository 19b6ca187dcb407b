import { type Amount, formatBalance, parseSum } from '../../domain/amount.ts'
import {
  type ArchivedFile,
  COMPANIONS,
  companionFile,
  type Manifest,
} from '../../domain/archive/manifest.ts'
import { invariant } from '../../domain/invariant.ts'
import {
  type AccountSum,
  countCompanions,
  sumTransfers,
  type TransferLine,
} from '../../store/archive/rows.ts'
import { partsOf, type Slice } from '../../store/archive/slices.ts'
import type { Db } from '../../store/engine/database.ts'
import { linesIn } from './lines-file.ts'

/** What movements come to: how many, and by how much, for each account. */
type Sums = Map<string, { transfers: number; change: bigint }>

const amountIn = (text: string): bigint => {
  const amount = parseSum(text)
  invariant(amount !== undefined, `an archived amount is ${text}`)
  return amount
}

function addTo(sums: Sums, account: string, transfers: number, change: bigint): void {
  const sum = sums.get(account) ?? { transfers: 0, change: 0n }
  sums.set(account, { transfers: sum.transfers + transfers, change: sum.change + change })
}

const isOfMovements = ({ name }: ArchivedFile): boolean => name.startsWith('movements/')

/** Reads the files of a year back. What is wrong with them, or nothing. */
export async function faultInFiles(
  folder: string,
  manifest: Manifest,
): Promise<string | undefined> {
  const sums: Sums = new Map()
  for (const file of manifest.files) {
    let rows = 0
    for await (const line of linesIn(folder, file)) {
      rows += 1
      if (!isOfMovements(file)) continue
      const { debit, credit, amount } = JSON.parse(line) as TransferLine
      addTo(sums, debit, 1, -amountIn(amount))
      addTo(sums, credit, 1, amountIn(amount))
    }
    if (rows !== file.rows) return `${file.name} has ${rows} lines instead of ${file.rows}.`
  }
  return differenceOf('The files give', sums, manifest)
}

/** Adds up what the database has of a year. How the manifest differs, or nothing. */
export async function faultInDatabase(
  db: Db,
  slice: Slice,
  manifest: Manifest,
  rowsAtOnce: number,
): Promise<string | undefined> {
  const sums: Sums = new Map()
  const counts = new Map<string, number>()
  for await (const part of partsOf(db, slice, rowsAtOnce)) {
    for (const one of await sumTransfers(db, part)) {
      addTo(sums, one.account, one.transfers, amountIn(one.change))
    }
    for (const companion of COMPANIONS) {
      const rows = await countCompanions(db, companion, part)
      counts.set(companion, (counts.get(companion) ?? 0) + rows)
    }
  }
  return differenceOf('The database has', sums, manifest) ?? countsFault(counts, manifest)
}

/** What was removed of a year and is accounted for. How the manifest differs, or nothing. */
export function faultInRemoved(
  removed: readonly AccountSum[],
  counts: Readonly<Record<string, number>>,
  manifest: Manifest,
): string | undefined {
  const sums: Sums = new Map()
  for (const one of removed) addTo(sums, one.account, one.transfers, amountIn(one.change))
  const found = differenceOf('Removed were', sums, manifest)
  return found ?? countsFault(new Map(Object.entries(counts)), manifest)
}

function countsFault(counts: ReadonlyMap<string, number>, manifest: Manifest): string | undefined {
  for (const companion of COMPANIONS) {
    const name = companionFile(companion)
    const [inFile, found] = [
      manifest.files.find((file) => file.name === name)?.rows ?? 0,
      counts.get(companion) ?? 0,
    ]
    // Exchanges with operators are removed by their age as well.
    const fits = companion === 'exchanges' ? found <= inFile : found === inFile
    if (!fits) return `${name} has ${inFile} lines, the database ${found} rows.`
  }
  return undefined
}

function differenceOf(who: string, sums: Sums, { accounts }: Manifest): string | undefined {
  const wanted = new Map(accounts.map((one) => [one.account, one]))
  for (const account of new Set([...sums.keys(), ...wanted.keys()])) {
    const { transfers = 0, change = 0n } = sums.get(account) ?? {}
    const named = wanted.get(account)
    const [count, sum] = [named?.transfers ?? 0, amountIn(named?.change ?? '0')]
    if (transfers === count && change === sum) continue
    const text = (amount: bigint): string => formatBalance(amount as Amount)
    return (
      `${who} ${transfers} transfers of ${text(change)} for ${account}, ` +
      `the manifest ${count} of ${text(sum)}.`
    )
  }
  return undefined
}
