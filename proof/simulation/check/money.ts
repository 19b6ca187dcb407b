import {
  accountOf,
  type Facts,
  type Finding,
  failureCodeOf,
  type Subject,
  unitsOf,
} from './facts.ts'
import { outcomeOf } from './operator.ts'

/** Balances worked out anew: what was there, and what each payment moved, by the operator's word. */
export function checkMoney(facts: Facts): Finding[] {
  const { evidence } = facts
  const wallets = new Map<string, bigint>()
  const accounts = new Map<string, bigint>()
  const add = (map: Map<string, bigint>, name: string, units: bigint): void => {
    map.set(name, (map.get(name) ?? 0n) + units)
  }
  for (const [merchant, { opening }] of evidence.merchants.entries()) {
    for (const { country, currency, balance } of opening) {
      add(wallets, `${merchant} wallet:${country}:${currency}`, unitsOf(balance))
    }
  }
  for (const subject of facts.subjects.values()) {
    for (const { account, units } of movedBy(subject, facts)) {
      const name = `${subject.merchant} ${account}`
      add(account.startsWith('wallet') ? wallets : accounts, name, units)
    }
  }
  const findings: Finding[] = []
  const compare = (name: string, told: bigint, expected: bigint, by: string): void => {
    if (told === expected) return
    const what = `${by} ${told} ten-thousandths, and it should be ${expected}`
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
      compare(name, unitsOf(balance), wallets.get(name) ?? 0n, 'its owner reads')
    }
  }
  for (const { merchant, account, type, balance } of evidence.accounts) {
    if (merchant < 0 || !['wallet', 'reserve', 'float'].includes(type)) continue
    const name = `${merchant} ${account}`
    // A float is what an operator holds for us, and is seen from its side.
    if (type !== 'float') held(name, balance)
    const expected = (type === 'wallet' ? wallets : accounts).get(name) ?? 0n
    compare(name, unitsOf(balance), expected, 'the database has')
  }
  return [...findings, ...checkFunds(facts)]
}

type Move = { readonly account: string; readonly units: bigint }

/** What one payment has moved by now. Its state is not asked for: the operator says the end. */
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
  // What never reached the operator has failed and gave back what it held, or held nothing.
  if (outcome === undefined) return []
  const out = { account: `wallet:${place}`, units: -units }
  if (outcome === 'OPEN') return [out, { account: `reserve:${place}`, units }]
  return outcome === 'COMPLETED' ? [out, { account: float, units }] : []
}

/** What the wallets held at first beyond everything that was ever to be paid out of them. */
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

/** Nothing fails for want of money where there was enough for everything that was ever asked. */
function checkFunds(facts: Facts): Finding[] {
  const spare = spareFunds(facts)
  return [...facts.subjects.values()].flatMap(({ merchant, record, name }): Finding[] => {
    if (failureCodeOf(record) !== 'PAWAPAY_WALLET_OUT_OF_FUNDS') return []
    if ((spare.get(walletName(merchant, record?.country, record?.currency)) ?? 0n) < 0n) return []
    return [
      { rule: 'money', subject: name, what: 'failed for want of money, and there was enough' },
    ]
  })
}
