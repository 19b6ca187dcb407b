/** What the time line says of money, of cases and of operators’ answers. */
import type { AccountType } from '../../../domain/payments/ledger.ts'
import { fill, type Lang, withFrenchSpaces } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'

const en = {
  from_wallet: 'your {currency} wallet',
  from_reserve: 'what is held back in your {currency} wallet',
  from_float: 'the operator’s float',
  from_fees: 'the fees',
  from_suspense: 'the money that waits for clarification',
  from_adjustment: 'the corrections',
  to_wallet: 'your {currency} wallet',
  to_reserve: 'what is held back in your {currency} wallet',
  to_float: 'the operator’s float',
  to_fees: 'the fees',
  to_suspense: 'the money that waits for clarification',
  to_adjustment: 'the corrections',

  cause_CONTRADICTION: 'the operator contradicts what it said before',
  cause_UNKNOWN_OUTCOME: 'nobody knows yet whether the money moved',
  resolution_CORRECTED: 'the operator is right now, and the wallet was corrected',
  resolution_DISMISSED: 'the books are right, and nothing was changed',
  resolution_PAID: 'the operator’s records show that it was paid',
  resolution_NOT_PAID: 'the operator’s records show that it was not paid',

  outcome_PENDING: 'under way',
  outcome_DONE: 'paid',
  outcome_FAILED: 'failed',
  outcome_REFUSED: 'refused',
  outcome_UNSENT: 'not sent',
  outcome_UNKNOWN: 'outcome unknown',
  outcome_ASKED_ON: 'asked on',
  outcome_NOT_GENUINE: 'not from the operator, so ignored',
  why_TIMEOUT: 'no answer in time',
  why_DUPLICATE: 'the operator has the order already',
  why_NOT_FOUND: 'the operator does not know the order',
  why_AMBIGUOUS: 'the answer can be read in two ways',
  why_SERVER: 'a fault at the operator',
  why_UNREADABLE: 'the answer cannot be read',
  with: '{text}: {why}',
} as const

type StoryWords = Readonly<Record<keyof typeof en, string>>

const fr: StoryWords = {
  from_wallet: 'de votre portefeuille {currency}',
  from_reserve: 'du montant réservé sur votre portefeuille {currency}',
  from_float: 'du solde chez l’opérateur',
  from_fees: 'des frais',
  from_suspense: 'des sommes en attente d’éclaircissement',
  from_adjustment: 'des corrections',
  to_wallet: 'vers votre portefeuille {currency}',
  to_reserve: 'vers le montant réservé sur votre portefeuille {currency}',
  to_float: 'vers le solde chez l’opérateur',
  to_fees: 'vers les frais',
  to_suspense: 'vers les sommes en attente d’éclaircissement',
  to_adjustment: 'vers les corrections',

  cause_CONTRADICTION: 'l’opérateur contredit ce qu’il avait dit',
  cause_UNKNOWN_OUTCOME: 'on ne sait pas encore si l’argent a bougé',
  resolution_CORRECTED: 'l’opérateur a raison, et le portefeuille a été corrigé',
  resolution_DISMISSED: 'les comptes sont justes, rien n’a été modifié',
  resolution_PAID: 'les relevés de l’opérateur montrent que le paiement a eu lieu',
  resolution_NOT_PAID: 'les relevés de l’opérateur montrent que le paiement n’a pas eu lieu',

  outcome_PENDING: 'en cours',
  outcome_DONE: 'payé',
  outcome_FAILED: 'échec',
  outcome_REFUSED: 'refus',
  outcome_UNSENT: 'non envoyé',
  outcome_UNKNOWN: 'issue inconnue',
  outcome_ASKED_ON: 'nouvelle question posée',
  outcome_NOT_GENUINE: 'ne vient pas de l’opérateur, donc ignoré',
  why_TIMEOUT: 'pas de réponse à temps',
  why_DUPLICATE: 'l’opérateur a déjà cet ordre',
  why_NOT_FOUND: 'l’opérateur ne connaît pas cet ordre',
  why_AMBIGUOUS: 'la réponse peut se lire de deux façons',
  why_SERVER: 'une panne chez l’opérateur',
  why_UNREADABLE: 'la réponse est illisible',
  with: '{text} : {why}',
}

const WORDS: Readonly<Record<Lang, StoryWords>> = { en, fr: withFrenchSpaces(fr) }

/** An account of the books as the merchant knows it, at its end of a movement. */
export function accountText(
  name: string,
  end: 'from' | 'to',
  currency: string,
  lang: Lang,
): string {
  const [type = ''] = name.split(':')
  return fill(WORDS[lang][`${end}_${type as AccountType}`] ?? name, { currency })
}

const wordFor = (lang: Lang, name: string, code: string): string =>
  WORDS[lang][`${name}_${code}` as keyof StoryWords] ?? code

export const causeText = (cause: string, lang: Lang): string => wordFor(lang, 'cause', cause)

export const resolutionText = (resolution: string, lang: Lang): string =>
  wordFor(lang, 'resolution', resolution)

/** As exchanges with operators keep it: a kind, and for some a failure code or why it is not known. */
export function outcomeText(outcome: string, lang: Lang): string {
  const whole = wordFor(lang, 'outcome', outcome.replaceAll(' ', '_').toUpperCase())
  if (!/^(FAILED|REFUSED|UNKNOWN) \S+$/.test(outcome)) return whole
  const [kind = '', detail = ''] = outcome.split(' ')
  const why = kind === 'UNKNOWN' ? wordFor(lang, 'why', detail) : codeMeaning(detail, lang)
  return fill(WORDS[lang].with, { text: wordFor(lang, 'outcome', kind), why })
}
