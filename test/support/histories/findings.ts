import assert from 'node:assert/strict'
import { type Entry, type Journal, observe } from './journal.ts'
import type { Plan } from './plan.ts'
import type { Body } from './requests.ts'
import type { Stage } from './stage.ts'
import { type Kind, PATHS } from './world.ts'

/** What status checks say at the end, of every identifier that was ever named. */
export type Found = { readonly entry: Entry; readonly record: Body }

export type Findings = {
  readonly all: readonly Found[]
  readonly missing: readonly Entry[]
  record(merchant: number, kind: Kind, id: unknown): Body | undefined
}

/** Both nodes are asked, and have to agree. */
export async function find(plan: Plan, stage: Stage, journal: Journal): Promise<Findings> {
  const all: Found[] = []
  const missing: Entry[] = []
  const records = new Map<Entry, Body>()
  const entries = [...journal.entries.values()]
  await inTens(entries, async (entry) => {
    const { merchant, kind, id } = entry
    const path = `${PATHS[kind]}/${id}`
    if (!/^[0-9a-f-]{36}$/i.test(id)) return
    const [one, other] = await Promise.all([
      stage.call({ node: 0, merchant }, 'GET', path),
      plan.isTroubled ? undefined : stage.call({ node: 1, merchant }, 'GET', path),
    ])
    assert.equal(one.status, 200)
    if (other !== undefined) assert.deepEqual(other.body, one.body)
    if (one.body.status === 'NOT_FOUND') {
      assert.equal(entry.final, undefined, `a final ${kind} is gone: ${id}`)
      missing.push(entry)
      return
    }
    observe(entry, one.body.data)
    all.push({ entry, record: one.body.data })
    records.set(entry, one.body.data)
  })
  return {
    all,
    missing,
    record: (merchant, kind, id) => {
      const entry = journal.find(merchant, kind, String(id))
      return entry === undefined ? undefined : records.get(entry)
    },
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
