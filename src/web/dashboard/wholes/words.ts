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
  reason: 'Reason',
  kept: 'Kept',
  keptText: 'What is left of the deposit for you.',
  event_EXPIRED: 'Checkout expired',
  event_expiryAsked: 'Checkout expired on request',
  event_CANCELLED: 'Cancelled by the customer',
  event_COMPLETED: 'Checkout completed',
  event_FAILED: 'Checkout failed',
  event_created: 'Created',
} as const

export type WholeWords = Readonly<Record<keyof typeof en, string>>

const fr: WholeWords = {
  splitHeading: 'Paiement partagé',
  checkoutHeading: 'Session de paiement',
  payouts: 'Versements',
  attempts: 'Tentatives',
  noAttempts: 'Le client n’a pas encore essayé de payer.',
  link: 'Lien pour le client',
  code: 'Code de la session',
  failedParts: '{n} en échec',
  ofTerms: 'Demandé',
  anyAmount: 'Le client choisit le montant.',
  reason: 'Motif',
  kept: 'Conservé',
  keptText: 'Ce qui vous reste du dépôt.',
  event_EXPIRED: 'Session de paiement expirée',
  event_expiryAsked: 'Session de paiement expirée à la demande',
  event_CANCELLED: 'Annulée par le client',
  event_COMPLETED: 'Session de paiement payée',
  event_FAILED: 'Session de paiement échouée',
  event_created: 'Création',
}

export const WHOLE_WORDS: Readonly<Record<Lang, WholeWords>> = { en, fr: withFrenchSpaces(fr) }
