import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  intro:
    'What your programs asked of the API in the last 14 days, refused requests and repeats included. Secrets and personal data are left out before it is stored.',
  caption: 'Requests, newest first',
  time: 'Time',
  method: 'Method',
  path: 'Path',
  status: 'Status',
  result: 'Result',
  ids: 'Ids',
  duration: 'Duration',
  token: 'Token',
  ms: '{count} ms',
  more: '+{count}',
  open: 'Open {method} {path}',

  anyStatus: 'Any',
  status_2xx: '2xx, answered',
  status_4xx: '4xx, refused',
  status_5xx: '5xx, failed on our side',
  outcome_ACCEPTED: 'Accepted',
  outcome_REJECTED: 'Refused',
  outcome_DUPLICATE_IGNORED: 'Repeat, ignored',
  outcome_FOUND: 'Found',
  outcome_NOT_FOUND: 'Not found',
  outcome_SUBMITTED: 'Processing',
  withCode: '{text} ({code})',
  pathHint: 'A part of it, such as /v2/deposits.',
  anyToken: 'Any',

  none: 'No request came in the last 14 days. Send one, and it is here within a second or so.',
  noneFound: 'No request fits.',
  noneYet: 'None of the latest requests fits. Look further back, or show all.',
  older: 'Older requests',
  newest: 'Newest requests',
  furtherBack: 'Look further back',

  oneHeading: '{method} {path}',
  requestId: 'Request id',
  requestBody: 'Request body',
  answerBody: 'Answer',
  noBody: 'There was no body.',
  bodyNotKept:
    'A body of {bytes} bytes is not kept: it is too large, could not be read, or belongs to a control of the sandbox.',
  curl: 'As curl',
  curlText:
    'Put your token into MALIPO_TOKEN. Values shown as *** were left out; fill them in before you send it.',
  back: 'Back to the requests',
} as const

export type RequestWords = Readonly<Record<keyof typeof en, string>>

const fr: RequestWords = {
  intro:
    'Ce que vos programmes ont demandé à l’API ces 14 derniers jours, requêtes refusées et répétitions comprises. Les secrets et les données personnelles sont retirés avant l’enregistrement.',
  caption: 'Requêtes, de la plus récente à la plus ancienne',
  time: 'Heure',
  method: 'Méthode',
  path: 'Chemin',
  status: 'Statut',
  result: 'Résultat',
  ids: 'Identifiants',
  duration: 'Durée',
  token: 'Jeton',
  ms: '{count} ms',
  more: '+{count}',
  open: 'Ouvrir {method} {path}',

  anyStatus: 'Tous',
  status_2xx: '2xx, traitées',
  status_4xx: '4xx, refusées',
  status_5xx: '5xx, échec de notre côté',
  outcome_ACCEPTED: 'Acceptée',
  outcome_REJECTED: 'Refusée',
  outcome_DUPLICATE_IGNORED: 'Répétition, ignorée',
  outcome_FOUND: 'Trouvé',
  outcome_NOT_FOUND: 'Introuvable',
  outcome_SUBMITTED: 'En cours',
  withCode: '{text} ({code})',
  pathHint: 'Une partie suffit, par exemple /v2/deposits.',
  anyToken: 'Tous',

  none: 'Aucune requête ces 14 derniers jours. Envoyez-en une : elle apparaît ici en une seconde environ.',
  noneFound: 'Aucune requête ne correspond.',
  noneYet: 'Aucune des dernières requêtes ne correspond. Cherchez plus loin, ou affichez tout.',
  older: 'Requêtes plus anciennes',
  newest: 'Dernières requêtes',
  furtherBack: 'Chercher plus loin',

  oneHeading: '{method} {path}',
  requestId: 'Identifiant de la requête',
  requestBody: 'Corps de la requête',
  answerBody: 'Réponse',
  noBody: 'Il n’y avait pas de corps.',
  bodyNotKept:
    'Un corps de {bytes} octets n’est pas conservé : il est trop grand, illisible, ou vient d’un réglage du bac à sable.',
  curl: 'Avec curl',
  curlText:
    'Mettez votre jeton dans MALIPO_TOKEN. Les valeurs affichées *** ont été retirées ; complétez-les avant l’envoi.',
  back: 'Retour aux requêtes',
}

export const REQUEST_WORDS: Readonly<Record<Lang, RequestWords>> = { en, fr: withFrenchSpaces(fr) }
