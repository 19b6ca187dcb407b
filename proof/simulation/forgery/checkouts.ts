import { type Forgery, first } from './tools.ts'

/** Impossible checkouts, answers and usage counts. */
export const FORGED_CHECKOUTS: readonly Forgery[] = [
  {
    what: 'a checkout was accepted twice',
    rule: 'answers',
    tamper: ({ checkouts }) => {
      first(checkouts, ({ answers }) => answers.includes('ACCEPTED')).answers.push('ACCEPTED')
    },
  },
  {
    what: 'a checkout that was accepted is gone',
    rule: 'missing',
    tamper: ({ checkouts }) => {
      first(checkouts, ({ final }) => final !== null).final = null
    },
  },
  {
    what: 'a checkout is COMPLETED without a successful attempt',
    rule: 'parts',
    tamper: ({ checkouts }) => {
      const one = first(checkouts, ({ final }) => final !== null && final.status !== 'COMPLETED')
      one.final = { ...one.final, status: 'COMPLETED' }
    },
  },
  {
    what: 'the final state of a checkout was not sent',
    rule: 'complete',
    tamper: ({ callbacks }) => {
      const kept = callbacks.filter(({ kind }) => kind !== 'checkout')
      callbacks.splice(0, callbacks.length, ...kept)
    },
  },
  {
    what: 'a damaged request was accepted',
    rule: 'answers',
    tamper: ({ damaged }) => {
      const one = first(damaged, ({ status }) => status !== undefined)
      damaged.push({ ...one, status: 200, answer: { status: 'ACCEPTED' } })
    },
  },
  {
    what: 'an answer has a field that its generation does not have',
    rule: 'answers',
    tamper: ({ asks }) => {
      const one = first(asks, ({ isBulk, status, isAttempt, isForm }) => {
        return !isBulk && status === 200 && isAttempt !== true && isForm !== true
      })
      asks[asks.indexOf(one)] = { ...one, answer: { ...(one.answer as object), more: 1 } }
    },
  },
  {
    what: 'an answer of the current generation is marked as deprecated',
    rule: 'answers',
    tamper: ({ looks }) => {
      const one = first(looks, ({ generation, answered }) => {
        return generation === 'v2' && answered !== undefined
      })
      looks[looks.indexOf(one)] = { ...one, deprecated: true }
    },
  },
  {
    what: 'a call of the earlier generation was counted that nobody made',
    rule: 'answers',
    tamper: ({ usage }) => {
      const one = first(usage, ({ made }) => made > 0)
      one.counted = one.made + 1
    },
  },
  {
    what: 'both generations list different balances',
    rule: 'status',
    tamper: ({ merchants }) => {
      const [one] = merchants
      if (one !== undefined) {
        merchants[0] = { ...one, listed: { ...one.listed, earlier: [] } }
      }
    },
  },
]
