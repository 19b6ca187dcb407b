import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  country: 'Country',
  allCountries: 'All countries',
  apply: 'Apply',
  meaning:
    'Delayed: deposits are refused, everything else waits in a queue. Closed: everything is refused.',
  provider: 'Provider',
  op_DEPOSIT: 'Deposits',
  op_PAYOUT: 'Payouts',
  op_REFUND: 'Refunds',
  op_REMITTANCE: 'Remittances',
  notOffered: 'not enabled',
  status_OPERATIONAL: 'Operational',
  status_DELAYED: 'Delayed',
  status_CLOSED: 'Closed',
  status_AUTOMATIC: 'Automatic again',
  since: 'since {time}',
  empty: 'No provider is enabled for this account.',
  emptyWay: 'Back to Home',
  history: 'History',
  historyCaption: 'The last changes, newest first (100 at most).',
  noHistory: 'Nothing has changed yet.',
  time: 'Time',
  operation: 'Operation',
  status: 'Status',
} as const

export type ProviderWords = Readonly<Record<keyof typeof en, string>>

const fr: ProviderWords = {
  country: 'Pays',
  allCountries: 'Tous les pays',
  apply: 'Appliquer',
  meaning:
    'Au ralenti : les dépôts sont refusés, le reste attend dans une file. À l’arrêt : tout est refusé.',
  provider: 'Opérateur',
  op_DEPOSIT: 'Dépôts',
  op_PAYOUT: 'Versements',
  op_REFUND: 'Remboursements',
  op_REMITTANCE: 'Transferts',
  notOffered: 'non activé',
  status_OPERATIONAL: 'En service',
  status_DELAYED: 'Au ralenti',
  status_CLOSED: 'À l’arrêt',
  status_AUTOMATIC: 'De nouveau automatique',
  since: 'depuis le {time}',
  empty: 'Aucun opérateur n’est activé pour ce compte.',
  emptyWay: 'Retour à l’accueil',
  history: 'Historique',
  historyCaption: 'Les derniers changements, du plus récent au plus ancien (100 au plus).',
  noHistory: 'Rien n’a encore changé.',
  time: 'Moment',
  operation: 'Opération',
  status: 'État',
}

export const PROVIDER_WORDS: Readonly<Record<Lang, ProviderWords>> = {
  en,
  fr: withFrenchSpaces(fr),
}
