import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  range: 'Period',
  range_today: 'Today',
  range_7d: '7 days',
  range_30d: '30 days',
  country: 'Country',
  allCountries: 'All countries',
  apply: 'Apply',
  since: 'Since {from}, {zone}.',

  overview: 'Payments',
  successRate: 'Success rate',
  withoutCustomers: 'Without customer-caused failures',
  withoutCustomersHint:
    'Left out are failures that only the customer or recipient can avoid, such as too little money or no approval.',
  noneEnded: '–',

  attention: 'Needs attention',
  nothing: 'Nothing is stuck.',
  enqueued: '{kind} in the queue, until the provider works again',
  inDoubt: '{kind} whose outcome the provider has not told us',
  failedCallbacks: 'Callbacks that were not delivered and are not tried any more',
  contradictions: 'The provider has taken back its word about',
  moreContradictions: 'There are more. The operator of this service has the whole list.',

  balances: 'Balances',
  wallet: 'Wallet',
  balance: 'Available',
  lowTitle: 'Low',
  low: 'Covers less than a day of payments out, as they were in the last 7 days.',
  allBalances: 'All balances',
  noWallets: 'There is no wallet yet.',

  providers: 'Provider status',
  operational: 'All operational',
  oneCountry: 'in 1 country',
  manyCountries: 'in {n} countries',
  someClosed: '{n} closed',
  someDelayed: '{n} delayed',
  providerPage: 'Status of all providers',

  chart: 'Over time',
  chartKind: 'Kind of payment',
  outcomeChart: '{kind} by outcome',
  volumeChart: '{kind}: volume in {currency}',
  chartText:
    '{kind} from {from} to {to}: {completed} completed, {failed} failed, {open} in progress.',
  volumeText: '{kind} from {from} to {to}: {volume} completed.',
  asTable: 'Show as a table',
  period: 'Time',
  total: 'All',
  completed: 'Completed',
  failed: 'Failed',
  open: 'In progress',
  volume: 'Volume',

  byCurrency: 'Volume and count',
  byCurrencyCaption: 'Volume is what completed payments add up to.',
  kind: 'Kind',
  currency: 'Currency',

  failures: 'Most frequent failures',
  failureCode: 'Failure code',
  cause: 'Caused by',
  cause_customer: 'Customer or recipient',
  cause_merchant: 'Your account',
  cause_provider: 'Provider',
  count: 'Payments',
  noFailures: 'No payment failed in this time.',

  empty: 'No payments in this time.',
  emptyWay: 'Look at the last 30 days',
  emptyStart: 'Payments appear here as soon as your first one is accepted.',
} as const

export type HomeWords = Readonly<Record<keyof typeof en, string>>

const fr: HomeWords = {
  range: 'Période',
  range_today: 'Aujourd’hui',
  range_7d: '7 jours',
  range_30d: '30 jours',
  country: 'Pays',
  allCountries: 'Tous les pays',
  apply: 'Appliquer',
  since: 'Depuis le {from}, {zone}.',

  overview: 'Paiements',
  successRate: 'Taux de réussite',
  withoutCustomers: 'Hors échecs dus au client',
  withoutCustomersHint:
    'Sont écartés les échecs que seul le client ou le bénéficiaire peut éviter : solde insuffisant, paiement non approuvé, etc.',
  noneEnded: '–',

  attention: 'À surveiller',
  nothing: 'Rien n’est bloqué.',
  enqueued: '{kind} en file d’attente, jusqu’au retour de l’opérateur',
  inDoubt: '{kind} dont l’opérateur n’a pas communiqué l’issue',
  failedCallbacks: 'Callbacks non remis et abandonnés',
  contradictions: 'L’opérateur est revenu sur sa réponse pour',
  moreContradictions: 'Il y en a d’autres. L’exploitant de ce service en a la liste complète.',

  balances: 'Soldes',
  wallet: 'Portefeuille',
  balance: 'Disponible',
  lowTitle: 'Bas',
  low: 'Couvre moins d’une journée de sorties, au rythme des 7 derniers jours.',
  allBalances: 'Tous les soldes',
  noWallets: 'Il n’y a pas encore de portefeuille.',

  providers: 'État des opérateurs',
  operational: 'Tout fonctionne',
  oneCountry: 'dans 1 pays',
  manyCountries: 'dans {n} pays',
  someClosed: '{n} à l’arrêt',
  someDelayed: '{n} au ralenti',
  providerPage: 'État de tous les opérateurs',

  chart: 'Évolution',
  chartKind: 'Type de paiement',
  outcomeChart: '{kind} par issue',
  volumeChart: '{kind} : volume en {currency}',
  chartText: '{kind} du {from} au {to} : {completed} réussis, {failed} échoués, {open} en cours.',
  volumeText: '{kind} du {from} au {to} : {volume} réussis.',
  asTable: 'Afficher en tableau',
  period: 'Moment',
  total: 'Tous',
  completed: 'Réussis',
  failed: 'Échoués',
  open: 'En cours',
  volume: 'Volume',

  byCurrency: 'Volume et nombre',
  byCurrencyCaption: 'Le volume est la somme des paiements réussis.',
  kind: 'Type',
  currency: 'Devise',

  failures: 'Échecs les plus fréquents',
  failureCode: 'Code d’échec',
  cause: 'Dû à',
  cause_customer: 'Client ou bénéficiaire',
  cause_merchant: 'Votre compte',
  cause_provider: 'Opérateur',
  count: 'Paiements',
  noFailures: 'Aucun échec pendant cette période.',

  empty: 'Aucun paiement pendant cette période.',
  emptyWay: 'Voir les 30 derniers jours',
  emptyStart: 'Les paiements apparaissent ici dès que le premier est accepté.',
}

export const HOME_WORDS: Readonly<Record<Lang, HomeWords>> = { en, fr: withFrenchSpaces(fr) }
