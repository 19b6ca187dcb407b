import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  splitHeading: 'Split payment',
  checkoutHeading: 'Checkout',
  payouts: 'Payouts',
  attempts: 'Attempts',
  noAttempts: 'The customer has not tried to pay yet.',
  link: 'Link for the customer',
  code: 'Checkout code',
  failedParts: '{n} failed',
  ofTerms: 'Asked for',
  anyAmount: 'The customer says how much.',
} as const

export type WholeWords = Readonly<Record<keyof typeof en, string>>

const fr: WholeWords = {
  splitHeading: 'Paiement partagé',
  checkoutHeading: 'Commande',
  payouts: 'Versements',
  attempts: 'Tentatives',
  noAttempts: 'Le client n’a pas encore essayé de payer.',
  link: 'Lien pour le client',
  code: 'Code de commande',
  failedParts: '{n} en échec',
  ofTerms: 'Demandé',
  anyAmount: 'Le client choisit le montant.',
}

export const WHOLE_WORDS: Readonly<Record<Lang, WholeWords>> = { en, fr: withFrenchSpaces(fr) }
