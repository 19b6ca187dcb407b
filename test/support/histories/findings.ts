import assert from 'node:assert/strict'
import { generationsOf, pathOf } from '../../../harness/random/generations.ts'
import type { Body } from '../../../harness/random/requests.ts'
import type { Kind } from '../../../harness/random/world.ts'
import { type Entry, type Journal, observe } from './journal.ts'
import type { Plan } from './plan.ts'
import type { Stage } from './stage.ts'

/** What status checks say at the end, of every identifier that was ever named. */
export type Found = {
  readonly entry: Entry
  readonly record: Body
  /** The same in the earlier generation, where that knows the kind. */
  readonly earlier: Body | undefined
}

export type Findings = {
  readonly all: readonly Found[]
  readonly missing: readonly Entry[]
  find(merchant: number, kind: Kind, id: unknown): Found | undefined
  record(merchant: number, kind: Kind, id: unknown): Body | undefined
}

/** Both nodes are asked, in both generations, and have to agree. */
export async function find(plan: Plan, stage: Stage, journal: Journal): Promise<Findings> {
  const all: Found[] = []
  const missing: Entry[] = []
  const byEntry = new Map<Entry, Found>()
  const entries = [...journal.entries.values()]
  await inTens(entries, async (entry) => {
    const { merchant, kind, id } = entry
    if (!/^[0-9a-f-]{36}$/i.test(id)) return
    const path = `${pathOf('v2', kind)}/${id}`
    const hasBoth = generationsOf('check', kind).includes('v1')
    const second = { node: plan.isTroubled ? 0 : 1, merchant } as const
    const [one, other, before] = await Promise.all([
      stage.call({ node: 0, merchant }, 'GET', path),
      plan.isTroubled ? undefined : stage.call(second, 'GET', path),
      hasBoth ? stage.call(second, 'GET', `${pathOf('v1', kind)}/${id}`) : undefined,
    ])
    assert.equal(one.status, 200)
    if (other !== undefined) assert.deepEqual(other.body, one.body)
    const isThere = one.body.status === 'FOUND'
    if (before !== undefined) {
      assert.deepEqual([before.status, before.body.length], [200, isThere ? 1 : 0])
    }
    if (!isThere) {
      assert.deepEqual(entry.final, {}, `a final ${kind} is gone: ${id}`)
      missing.push(entry)
      return
    }
    const found = { entry, record: one.body.data, earlier: before?.body[0] }
    observe(entry, 'v2', found.record)
    if (found.earlier !== undefined) observe(entry, 'v1', found.earlier)
    all.push(found)
    byEntry.set(entry, found)
  })
  const findOne: Findings['find'] = (merchant, kind, id) => {
    const entry = journal.find(merchant, kind, String(id))
    return entry === undefined ? undefined : byEntry.get(entry)
  }
  return {
    all,
    missing,
    find: findOne,
    record: (merchant, kind, id) => findOne(merchant, kind, id)?.record,
  }
}

async function inTens<T>(list: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let start = 0; start < list.length; start += 10) {
    await Promise.all(list.slice(start, start + 10).map(act))
  }
}

/** The wallet a payment came from or goes to. */
export function accountOf(record: Body): { phoneNumber: string; provider: string } {
  const account = (record.payer ?? record.recipient) as Body
  return account.accountDetails as { phoneNumber: string; provider: string }
}

export function failureCodeOf(record: Body): string | undefined {
  return (record.failureReason as { failureCode: string } | undefined)?.failureCode
}

/** Amounts as whole numbers of ten-thousandths, worked out apart from the service. */
export function unitsOf(amount: unknown): bigint {
  const [whole = '', part = ''] = String(amount).split('.')
  return BigInt(whole + part.padEnd(4, '0'))
}
