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
  for (const [merchant, { closing }] of evidence.merchants.entries()) {
    for (const { country, currency, balance } of closing) {
      const name = `${merchant} wallet:${country}:${currency}`
      compare(name, unitsOf(balance), wallets.get(name) ?? 0n, 'its owner reads')
    }
  }
  for (const { merchant, account, type, balance } of evidence.accounts) {
    if (merchant < 0 || !['wallet', 'reserve', 'float'].includes(type)) continue
    const name = `${merchant} ${account}`
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

/** Nothing fails for want of money where there was enough for everything that was ever asked. */
function checkFunds({ evidence, subjects }: Facts): Finding[] {
  const asked = new Map<string, bigint>()
  const all = [...subjects.values()]
  const walletOf = ({ merchant, record }: Subject): string =>
    `${merchant} ${record?.country} ${record?.currency}`
  for (const subject of all) {
    const { kind, record } = subject
    if (record === undefined || kind === 'deposit' || kind === 'splitPayment') continue
    const name = walletOf(subject)
    asked.set(name, (asked.get(name) ?? 0n) + unitsOf(record.amount))
  }
  const opening = new Map(
    evidence.merchants.flatMap(({ opening: wallets }, merchant) =>
      wallets.map(({ country, currency, balance }): [string, bigint] => [
        `${merchant} ${country} ${currency}`,
        unitsOf(balance),
      ]),
    ),
  )
  return all.flatMap((subject): Finding[] => {
    if (failureCodeOf(subject.record) !== 'PAWAPAY_WALLET_OUT_OF_FUNDS') return []
    const name = walletOf(subject)
    if ((asked.get(name) ?? 0n) > (opening.get(name) ?? 0n)) return []
    const what = 'failed for want of money, and there was enough'
    return [{ rule: 'money', subject: subject.name, what }]
  })
}
