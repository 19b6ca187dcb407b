import {
  accountOf,
  type Facts,
  type Finding,
  failureCodeOf,
  type Subject,
  unitsOf,
} from './facts.ts'
import { outcomeOf } from './operator.ts'

/** Recomputes balances: the opening balance, and what each payment moved, as the operator says. */
export function checkMoney(facts: Facts): Finding[] {
  const { evidence } = facts
  const expected = expectedBalances(facts)
  const findings: Finding[] = []
  const compare = (name: string, balance: string, by: string): void => {
    const [shown, wanted] = [unitsOf(balance), expected.get(name) ?? 0n]
    if (shown === wanted) return
    const what = `${by} ${shown} ten-thousandths, but it should be ${wanted}`
    findings.push({ rule: 'money', subject: name, what })
  }
  const held = (name: string, balance: string): void => {
    if (unitsOf(balance) >= 0n) return
    findings.push({ rule: 'money', subject: name, what: `is below zero: ${balance}` })
  }
  for (const [merchant, { closing }] of evidence.merchants.entries()) {
    for (const { country, currency, balance } of closing) {
      const name = `${merchant} wallet:${country}:${currency}`
      held(name, balance)
      compare(name, balance, 'the merchant reads')
    }
  }
  for (const { merchant, account, type, balance } of evidence.accounts) {
    const name = `${merchant} ${account}`
    if (HELD.includes(type)) held(name, balance)
    compare(name, balance, 'the database has')
  }
  const kept = new Set(evidence.accounts.map(({ merchant, account }) => `${merchant} ${account}`))
  for (const [name, units] of expected) {
    if (units !== 0n && !kept.has(name))
      compare(name, '0', 'the account does not exist, which means')
  }
  return [...findings, ...checkFunds(facts)]
}

/** The other accounts are the contra side of wallets, and go below zero as these rise. */
const HELD = ['wallet', 'reserve']

function expectedBalances(facts: Facts): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>()
  const add = (name: string, units: bigint): void => {
    balances.set(name, (balances.get(name) ?? 0n) + units)
  }
  for (const [merchant, { opening }] of facts.evidence.merchants.entries()) {
    for (const { country, currency, balance } of opening) {
      add(`${merchant} wallet:${country}:${currency}`, unitsOf(balance))
      add(`${merchant} adjustment:${currency}`, -unitsOf(balance))
    }
  }
  for (const subject of facts.subjects.values()) {
    for (const { account, units } of movedBy(subject, facts)) {
      add(`${subject.merchant} ${account}`, units)
    }
  }
  return balances
}

type Move = { readonly account: string; readonly units: bigint }

/** What one payment has moved so far. Its stored state does not count: the operator decides. */
function movedBy(subject: Subject, facts: Facts): readonly Move[] {
  const { record, kind } = subject
  if (record === undefined || kind === 'splitPayment') return []
  const order = facts.orderOf(subject)
  const outcome = order === undefined ? undefined : outcomeOf(order)
  const units = unitsOf(record.amount)
  const place = `${record.country}:${record.currency}`
  const float = `float:${accountOf(record).provider}:${record.currency}`
  if (kind === 'deposit') {
    if (outcome !== 'COMPLETED') return []
    return [
      { account: `wallet:${place}`, units },
      { account: float, units: -units },
    ]
  }
  // What never reached the operator has failed and released its reserve, or reserved nothing.
  if (outcome === undefined) return []
  const out = { account: `wallet:${place}`, units: -units }
  if (outcome === 'OPEN') return [out, { account: `reserve:${place}`, units }]
  return outcome === 'COMPLETED' ? [out, { account: float, units }] : []
}

/** The opening balances minus everything that was ever to be paid out of them. */
export function spareFunds({ evidence, subjects }: Facts): ReadonlyMap<string, bigint> {
  const spare = new Map(
    evidence.merchants.flatMap(({ opening }, merchant) =>
      opening.map(({ country, currency, balance }): [string, bigint] => [
        walletName(merchant, country, currency),
        unitsOf(balance),
      ]),
    ),
  )
  for (const { merchant, kind, record } of subjects.values()) {
    if (record === undefined || kind === 'deposit' || kind === 'splitPayment') continue
    const name = walletName(merchant, record.country, record.currency)
    spare.set(name, (spare.get(name) ?? 0n) - unitsOf(record.amount))
  }
  return spare
}

export const walletName = (merchant: number, country: unknown, currency: unknown): string =>
  `${merchant} ${country} ${currency}`

/** Nothing fails for lack of funds if there was enough for all requests together. */
function checkFunds(facts: Facts): Finding[] {
  const spare = spareFunds(facts)
  return [...facts.subjects.values()].flatMap(({ merchant, record, name }): Finding[] => {
    if (failureCodeOf(record) !== 'PAWAPAY_WALLET_OUT_OF_FUNDS') return []
    if ((spare.get(walletName(merchant, record?.country, record?.currency)) ?? 0n) < 0n) return []
    return [
      { rule: 'money', subject: name, what: 'failed for lack of funds, but there was enough' },
    ]
  })
}
