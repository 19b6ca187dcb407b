import type { CaseRow, Evidence, FinalRecord } from '../evidence.ts'
import { type Forgery, first, isAbout, LATER, remove } from './tools.ts'

type Record = Evidence['records'][number]

/** A payment whose number has no script, so that its operator answers at once. */
const isPlain = ({ kind, current }: Record): boolean =>
  kind === 'deposit' && current?.status === 'COMPLETED' && /\d789"/.test(JSON.stringify(current))

const caseOf = ({ merchant, kind, id }: FinalRecord, changes: Partial<CaseRow>): CaseRow => ({
  ...{ merchant, kind, id: id.toLowerCase(), key: '', reported: null, resolution: null },
  cause: 'UNKNOWN_OUTCOME',
  ...changes,
})

const isContradiction = ({ cause }: CaseRow): boolean => cause === 'CONTRADICTION'

/** Cases that are missing, wrong or without cause, and calls that failed. */
export const FORGED_CASES: readonly Forgery[] = [
  {
    what: 'an operator contradicted itself, and there is no case',
    rule: 'cases',
    tamper: ({ cases }) => remove(cases, first(cases, isContradiction)),
  },
  {
    what: 'a case quotes the outcome that was never contradicted',
    rule: 'cases',
    tamper: ({ cases }) => {
      const found = first(cases, isContradiction)
      const reported = found.reported === 'FAILED' ? 'COMPLETED' : 'FAILED'
      cases[cases.indexOf(found)] = { ...found, reported }
    },
  },
  {
    what: 'a contradiction was closed by nobody',
    rule: 'cases',
    tamper: ({ cases }) => {
      const found = first(cases, isContradiction)
      cases[cases.indexOf(found)] = { ...found, resolution: 'DISMISSED' }
    },
  },
  {
    what: 'a case of a contradiction that never was',
    rule: 'cases',
    tamper: ({ cases, records }) => {
      cases.push(caseOf(first(records, isPlain), { cause: 'CONTRADICTION', reported: 'FAILED' }))
    },
  },
  {
    what: 'an outcome is known, and the case is still open',
    rule: 'cases',
    tamper: ({ cases, records }) => {
      cases.push(caseOf(first(records, isPlain), {}))
    },
  },
  {
    what: 'a case without doubt',
    rule: 'cases',
    tamper: ({ cases, records, outages }) => {
      outages.splice(0)
      cases.push(caseOf(first(records, isPlain), { resolution: 'COMPLETED' }))
    },
  },
  {
    what: 'a payment was seen in reconciliation without a case',
    rule: 'cases',
    tamper: ({ looks, records, cases }) => {
      const { current, ...about } = first(
        records,
        (one) => isPlain(one) && !cases.some((other) => isAbout(other, one)),
      )
      const record = { ...current, status: 'IN_RECONCILIATION' }
      looks.push({ ...about, generation: 'v2', sent: 0, answered: 0, record })
    },
  },
  {
    what: 'a case of a payment that does not exist',
    rule: 'cases',
    tamper: ({ cases, records }) => {
      const id = '5c1c2f6e-7f43-4a43-8a30-9dcd1f4f0a11'
      cases.push({ ...caseOf(first(records, isPlain), { resolution: 'COMPLETED' }), id })
    },
  },
  {
    what: 'a deposit was refunded after its outcome was contradicted',
    rule: 'parts',
    tamper: ({ cases, records }) => {
      const { merchant, current } = first(
        records,
        (one) => one.kind === 'refund' && one.current?.status === 'COMPLETED',
      )
      const deposit = { merchant, kind: 'deposit', id: String(current?.depositId) } as const
      const contradiction = { cause: 'CONTRADICTION', reported: 'FAILED', seenAt: 0 }
      cases.push(caseOf({ ...deposit, current: null }, contradiction))
    },
  },
  {
    what: 'a call was answered with 500, and nothing had been killed',
    rule: 'answered',
    tamper: ({ unserved }) => {
      unserved.push({ ...UNSERVED, status: 500 })
    },
  },
  {
    what: 'a call was not answered, and nothing had been killed',
    rule: 'answered',
    tamper: ({ unserved }) => {
      unserved.push(UNSERVED)
    },
  },
  {
    what: 'a call was answered with 500 while another node was down',
    rule: 'answered',
    tamper: ({ unserved, outages }) => {
      outages.push({ node: 1, from: LATER.at - 1000, until: LATER.at + 1000 })
      unserved.push({ ...UNSERVED, status: 500 })
    },
  },
]

const UNSERVED = { node: 0, call: 'POST /v2/deposits', at: LATER.at, until: LATER.at + 5 }
