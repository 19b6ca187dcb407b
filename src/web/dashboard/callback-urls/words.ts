import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  intro:
    'When a payment ends, its record is sent to the URL of its kind. A kind without a URL gets no callbacks.',
  caption: 'One URL for each kind',
  kind: 'Kind',
  url: 'URL',
  health: 'Health',
  lastSuccess: 'Last success',
  change: 'Edit and test',
  changeOne: 'Edit and test: {kind}',
  never: 'None yet',
  since: 'since {time}',
  state_NOT_SET: 'Not set',
  state_ACTIVE: 'Active',
  state_FAILING: 'Failing',
  state_PAUSED: 'Paused',
  deposit: 'Deposits',
  payout: 'Payouts',
  refund: 'Refunds',
  remittance: 'Remittances',
  splitPayment: 'Split payments',
  checkout: 'Checkouts',

  allHeading: 'One URL for all kinds',
  allText: 'Replaces the URL of every kind. An empty field removes them all.',
  oneHeading: 'Callback URL: {kind}',
  hintProduction: 'An https address of your server that can be reached from the internet.',
  hintSandbox: 'In the sandbox also http and addresses in your own network. Empty: no callbacks.',
  save: 'Save',
  saved: 'The callback URL is saved.',
  removed: 'The callback URL is removed: nothing is sent for this kind any more.',
  back: 'Back to the callback URLs',

  FAILINGtext:
    'The receiver keeps failing. Callbacks are tried one at a time until one is taken; nothing is lost.',
  PAUSEDtext:
    'The receiver answered 410 (gone), so nothing is sent to this URL. What is due waits until you resume.',
  resume: 'Resume',
  resumed: 'Callbacks are sent again. What waited goes out within a moment.',
  notPaused: 'It was not paused. Nothing was changed.',

  testHeading: 'Send a test',
  testText:
    'Sends a test event to the saved URL, signed like a real callback. Its payment does not exist and has failed.',
  test: 'Send a test',
  testNoUrl: 'Save a URL first.',
  resultHeading: 'What the receiver answered',
  resultGood: 'The receiver took it: {status} after {ms} ms.',
  resultBad: 'The receiver answered {status} after {ms} ms. Only a 2xx counts as taken.',
  resultNone: 'No answer came.',
  sentTo: 'Sent to',
  signature: 'Signed with key',
  unsigned: 'Not signed: callbacks are not signed for you.',
  reason: 'Reason',
  sentBody: 'What was sent',
  answerBody: 'The body of the answer',
  answerEmpty: 'The answer has no body.',

  urlTooLong: 'The URL is too long. Use at most 2048 characters.',
  urlSpace: 'The URL contains white space. Remove it.',
  urlInvalid: 'This is not a valid URL. Check scheme, host and port.',
  urlHttp: 'The URL starts with http:, which is not encrypted. Use https:.',
  urlScheme: 'The URL must start with https: or http:.',
  urlUser: 'The URL contains a user name or password. Remove it.',
  urlFragment: 'The URL contains a fragment (#), which is never sent. Remove it.',
  urlPort: 'The URL names port 0. Use a port from 1 to 65535.',
  urlMetadata:
    'This is an address of a cloud metadata service or a link-local one. It is never called.',
  urlPrivate: 'This is a private address. Give one that can be reached from the internet.',
  urlRefused: 'This address cannot be used for callbacks.',
} as const

type UrlWords = Readonly<Record<keyof typeof en, string>>

const fr: UrlWords = {
  intro:
    'Quand un paiement se termine, son enregistrement est envoyé à l’URL de son type. Sans URL, un type n’a pas de callbacks.',
  caption: 'Une URL par type',
  kind: 'Type',
  url: 'URL',
  health: 'Santé',
  lastSuccess: 'Dernier succès',
  change: 'Modifier et tester',
  changeOne: 'Modifier et tester : {kind}',
  never: 'Aucun pour l’instant',
  since: 'depuis le {time}',
  state_NOT_SET: 'Non définie',
  state_ACTIVE: 'Active',
  state_FAILING: 'En échec',
  state_PAUSED: 'En pause',
  deposit: 'Dépôts',
  payout: 'Versements',
  refund: 'Remboursements',
  remittance: 'Transferts',
  splitPayment: 'Paiements partagés',
  checkout: 'Sessions de paiement',

  allHeading: 'Une URL pour tous les types',
  allText: 'Remplace l’URL de chaque type. Un champ vide les supprime toutes.',
  oneHeading: 'URL de callback : {kind}',
  hintProduction: 'Une adresse https de votre serveur, joignable depuis Internet.',
  hintSandbox:
    'Dans le bac à sable, aussi http et les adresses de votre réseau. Vide : pas de callbacks.',
  save: 'Enregistrer',
  saved: 'L’URL de callback est enregistrée.',
  removed: 'L’URL de callback est supprimée : plus rien n’est envoyé pour ce type.',
  back: 'Retour aux URL de callback',

  FAILINGtext:
    'Le destinataire échoue à répétition. Les callbacks sont tentés un par un jusqu’à ce que l’un soit accepté ; rien n’est perdu.',
  PAUSEDtext:
    'Le destinataire a répondu 410 (disparu) : rien n’est envoyé à cette URL. Ce qui est dû attend que vous repreniez.',
  resume: 'Reprendre',
  resumed: 'Les callbacks sont de nouveau envoyés. Ce qui attendait part dans un instant.',
  notPaused: 'Il n’y avait pas de pause. Rien n’a été modifié.',

  testHeading: 'Envoyer un test',
  testText:
    'Envoie un événement de test à l’URL enregistrée, signé comme un vrai callback. Son paiement n’existe pas et a échoué.',
  test: 'Envoyer un test',
  testNoUrl: 'Enregistrez d’abord une URL.',
  resultHeading: 'Ce que le destinataire a répondu',
  resultGood: 'Le destinataire l’a accepté : {status} après {ms} ms.',
  resultBad: 'Le destinataire a répondu {status} après {ms} ms. Seul un 2xx compte comme accepté.',
  resultNone: 'Aucune réponse n’est venue.',
  sentTo: 'Envoyé à',
  signature: 'Signé avec la clé',
  unsigned: 'Non signé : vos callbacks ne sont pas signés.',
  reason: 'Raison',
  sentBody: 'Ce qui a été envoyé',
  answerBody: 'Le corps de la réponse',
  answerEmpty: 'La réponse n’a pas de corps.',

  urlTooLong: 'L’URL est trop longue. Pas plus de 2048 caractères.',
  urlSpace: 'L’URL contient des espaces. Retirez-les.',
  urlInvalid: 'Ce n’est pas une URL valable. Vérifiez le schéma, l’hôte et le port.',
  urlHttp: 'L’URL commence par http:, qui n’est pas chiffré. Utilisez https:.',
  urlScheme: 'L’URL doit commencer par https: ou http:.',
  urlUser: 'L’URL contient un nom d’utilisateur ou un mot de passe. Retirez-le.',
  urlFragment: 'L’URL contient un fragment (#), qui n’est jamais envoyé. Retirez-le.',
  urlPort: 'L’URL indique le port 0. Utilisez un port de 1 à 65535.',
  urlMetadata:
    'C’est une adresse de métadonnées d’un nuage ou une adresse locale de liaison. Elle n’est jamais appelée.',
  urlPrivate: 'C’est une adresse privée. Donnez-en une qui soit joignable depuis Internet.',
  urlRefused: 'Cette adresse ne peut pas servir aux callbacks.',
}

export const URL_WORDS: Readonly<Record<Lang, UrlWords>> = { en, fr: withFrenchSpaces(fr) }

/** Why the address guard refuses, in the words of the page. */
const REASONS: readonly (readonly [RegExp, keyof UrlWords])[] = [
  [/longer than/, 'urlTooLong'],
  [/white space/, 'urlSpace'],
  [/not a valid URL/, 'urlInvalid'],
  [/starts with http:/, 'urlHttp'],
  [/starts with/, 'urlScheme'],
  [/user name/, 'urlUser'],
  [/fragment/, 'urlFragment'],
  [/port 0/, 'urlPort'],
  [/metadata|link-local/, 'urlMetadata'],
  [/public address|NAT64/, 'urlPrivate'],
]

export function refusalText(problem: string, words: UrlWords): string {
  const [, key = 'urlRefused'] = REASONS.find(([reason]) => reason.test(problem)) ?? []
  return words[key as keyof UrlWords]
}
