import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  country: 'Country',
  allCountries: 'All countries',
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
  mailHeading: 'Mail about changes',
  mailText: 'We write to {email} when a status changes, at most once a minute.',
  mailNone: 'This service sends no mail, so you cannot subscribe to changes.',
  mailOn: 'You get mail about: {country}.',
  mailFor: 'Changes in',
  subscribe: 'Subscribe',
  changeCountry: 'Change',
  unsubscribe: 'Unsubscribe',
  subscribed: 'You are subscribed: {country}.',
  unsubscribed: 'You get no more mail about changes of provider status.',
  mailSubject: 'Status changed: {names}',
  mailLead: 'What changed for {merchant}:',
  mailLine: '{time}: {provider}, {country}, {operation}: {status}',
  mailMore: '({more} earlier changes are on the page.)',
  mailEnd: `Times are those of {zone}. The status now, and the history:
{page}

To get no more of these mails:
{unsubscribe}`,
  unsubscribeHeading: 'Mail about provider status',
  unsubscribeText: '{email} gets mail when the status of a provider changes for {merchant}.',
  unsubscribeGone: 'This link is not complete. Copy it from the mail once more.',
  unsubscribeDone: 'No more mail about this is sent.',
  back: 'Provider status in the dashboard',
} as const

type ProviderWords = Readonly<Record<keyof typeof en, string>>

const fr: ProviderWords = {
  country: 'Pays',
  allCountries: 'Tous les pays',
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
  mailHeading: 'E-mails sur les changements',
  mailText: 'Nous écrivons à {email} quand un état change, au plus une fois par minute.',
  mailNone: 'Ce service n’envoie pas d’e-mails : vous ne pouvez pas vous abonner aux changements.',
  mailOn: 'Vous recevez des e-mails pour : {country}.',
  mailFor: 'Changements dans',
  subscribe: 'S’abonner',
  changeCountry: 'Modifier',
  unsubscribe: 'Se désabonner',
  subscribed: 'Vous êtes abonné : {country}.',
  unsubscribed: 'Vous ne recevez plus d’e-mails sur l’état des opérateurs.',
  mailSubject: 'Changement d’état : {names}',
  mailLead: 'Ce qui a changé pour {merchant} :',
  mailLine: '{time} : {provider}, {country}, {operation} : {status}',
  mailMore: '({more} changements antérieurs se trouvent sur la page.)',
  mailEnd: `Les heures sont celles du fuseau {zone}. L’état actuel et l’historique :
{page}

Pour ne plus recevoir ces e-mails :
{unsubscribe}`,
  unsubscribeHeading: 'E-mails sur l’état des opérateurs',
  unsubscribeText: '{email} reçoit un e-mail quand l’état d’un opérateur change pour {merchant}.',
  unsubscribeGone: 'Ce lien n’est pas complet. Copiez-le de nouveau depuis l’e-mail.',
  unsubscribeDone: 'Aucun autre e-mail à ce sujet ne sera envoyé.',
  back: 'État des opérateurs dans le tableau de bord',
}

export const PROVIDER_WORDS: Readonly<Record<Lang, ProviderWords>> = {
  en,
  fr: withFrenchSpaces(fr),
}
