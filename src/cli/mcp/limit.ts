import { type Amount, formatBalance, parseAmount } from '../../domain/amount.ts'
import { CommandProblem } from '../command-kit.ts'
import { Refusal } from './tool.ts'

/** How much an agent may start in payments, all together, for as long as the server runs. */
export type Limit = {
  readonly words: string
  /** Holds the amount; throws where it goes beyond the limit. Asked again for an id, it counts once. */
  hold(id: string, amount: string, currency: string): Hold
}

type Hold = {
  /** Nothing was started by this call, so what it held is free. */
  release(): void
}

export function limitOf(text: string): Limit {
  const [, sum = '', currency = ''] = /^(\S+) +([A-Z]{3})$/.exec(text) ?? []
  const most = parseAmount(sum)
  if (most === undefined || most === 0n) {
    throw new CommandProblem(`--limit is "${text}"; give an amount and a currency: --limit 500 ZMW`)
  }
  const held = new Map<string, bigint>()
  return {
    words: `${sum} ${currency}`,
    hold: (id, amountText, asked) => {
      const amount = parseAmount(amountText)
      if (amount === undefined || amount === 0n) {
        throw new Refusal(`"${amountText}" is not an amount. Give one such as 15 or 15.50.`)
      }
      if (asked !== currency) {
        throw new Refusal(`The limit of this server is in ${currency}, so ${asked} is refused.`)
      }
      const before = held.get(id)
      const others = [...held].reduce((all, [one, part]) => (one === id ? all : all + part), 0n)
      if (others + amount > most) {
        const left = formatBalance((most - others) as Amount)
        throw new Refusal(
          `The limit of this server is ${sum} ${currency} in all, of which ${left} ${currency} is ` +
            'left. Ask the person who started it; a server with another limit begins anew.',
        )
      }
      held.set(id, amount > (before ?? 0n) ? amount : (before ?? amount))
      return {
        release: () => {
          if (before === undefined) held.delete(id)
          else held.set(id, before)
        },
      }
    },
  }
}
