/**
 * Every sentence of the page frames, in both languages. The type of the French catalogue is made
 * of the English keys, so a sentence missing in one language does not compile.
 * Backticks mark code; `{name}` marks a value put in by `fill`.
 */
export type Lang = 'en' | 'fr'

/** Each language named in itself, for the switch: the only text shown in the other language. */
export const LANGUAGE_NAMES: Readonly<Record<Lang, string>> = { en: 'English', fr: 'Français' }

const en = {
  skip: 'Skip to content',
  siteLinks: 'Pages',
  languages: 'Language',
  homeLink: 'Overview',
  docsLink: 'Documentation',
  copy: 'Copy',
  colon: ': ',
  copied: 'Copied',
  copyFailed: 'Copying failed: the text is selected instead',

  missingHeading: 'Page not found',
  missingText: 'There is nothing at this address. Check it for typing errors, or start from here:',

  homeTitle: 'Malipo: mobile-money payments',
  homeHeading: 'Mobile-money payments, on your own server',
  homeLead:
    'Malipo collects money from your customers’ mobile wallets, keeps the books, and reports each outcome in a signed callback. You call one JSON API; the ledger and the data stay with you.',
  baseUrl: 'Base URL',
  sandbox: 'Sandbox',
  sandboxMeaning: 'Operators are simulated and no money moves.',
  production: 'Production',
  productionMeaning: 'Payments started here move real money.',
  productionNoOperator: 'No operator is connected yet, so no money moves.',

  stateHeading: 'Right now',
  stateReady: 'Accepting payments',
  stateNotReady: 'Not accepting payments',
  stateNotReadyMeaning:
    'The database is not responding. No accepted payment is lost; the service resumes by itself once the database is back.',
  stateNoOperator:
    'No operator account, so every payment is refused. Add one with malipo operator add.',
  database: 'Database',
  reachable: 'reachable',
  unreachable: 'not reachable',
  waitingPayments: 'Payments waiting',
  waitingCallbacks: 'Callbacks waiting',
  unknown: 'unknown',
  version: 'Version',
  testClock: 'Test clock',
  clockAhead: '{duration} ahead',
  readAt: 'As of {time}. Reload the page for newer figures.',

  firstHeading: 'Your first payment',
  browserText: 'In the browser: buy something in the demo shop and answer on the virtual phone.',
  browserShop: 'Open the demo shop',
  browserPhone: 'Open the virtual phone',
  apiText: 'Or with the API, step by step:',
  tokenHeading: 'Get your token',
  tokenText:
    'The API token was printed when the service started. Store it in a shell variable; this page never shows it.',
  tokenPlaceholder: 'paste-the-printed-token-here',
  sendHeading: 'Collect a deposit',
  sendText:
    'Its phone number belongs to a simulated customer who always approves. The answer says `ACCEPTED`: the payment is stored and in progress.',
  outcomeHeading: 'See the outcome',
  outcomeText:
    'A moment later the same deposit is `COMPLETED`. To be notified instead of polling, set your callback URL with `PUT /sandbox/callbacks`.',
  othersHeading: 'Make it fail',
  othersText:
    'Every operator has test numbers whose last digits decide what happens: refused by the customer, insufficient balance, a limit reached, or no answer at all.',
  othersLink: 'Test numbers and their outcomes',
  codeToken: 'Shell: the token',
  codeSend: 'Shell: send a deposit',
  codeOutcome: 'Shell: look at the deposit',

  liveHeading: 'Calling the API',
  liveText:
    'Send your production token as `Authorization: Bearer $MALIPO_TOKEN` with every call. Check the `status` field of every response, and rely on callbacks for the outcome.',

  placesHeading: 'Where things are',
  sandboxText: 'The virtual phone, and the controls of the sandbox.',
  shopText: 'A demo shop: a payment as a customer sees it.',
  docsText: 'Guides, and every operation with its fields, failure codes and examples.',
  openapiText: 'The same reference as an OpenAPI 3.1 document, for generators and tools.',
  livezText: 'Answers 200 while the process runs.',
  readyzText: 'Answers 200 only while payments can be accepted.',
  metricsText: 'Metrics for Prometheus, from this machine or with the metrics token.',
} as const

export type Words = Readonly<Record<keyof typeof en, string>>

const fr: Words = {
  skip: 'Aller au contenu',
  siteLinks: 'Pages du site',
  languages: 'Langue',
  homeLink: 'Vue d’ensemble',
  docsLink: 'Docs (en anglais)',
  copy: 'Copier',
  colon: ' : ',
  copied: 'Copié',
  copyFailed: 'La copie a échoué : le texte est sélectionné',

  missingHeading: 'Page introuvable',
  missingText: 'Il n’y a rien à cette adresse. Vérifiez-la, ou repartez d’ici :',

  homeTitle: 'Malipo : paiements mobile money',
  homeHeading: 'Les paiements mobile money, sur votre propre serveur',
  homeLead:
    'Malipo encaisse l’argent depuis les portefeuilles mobiles de vos clients, tient les comptes et vous signale chaque résultat par un callback signé. Vous utilisez une seule API JSON ; le grand livre et les données restent chez vous.',
  baseUrl: 'URL de base',
  sandbox: 'Bac à sable',
  sandboxMeaning: 'Les opérateurs sont simulés, aucun argent ne circule.',
  production: 'Production',
  productionMeaning: 'Les paiements lancés ici déplacent de l’argent réel.',
  productionNoOperator: 'Aucun opérateur n’est encore connecté : aucun argent ne circule.',

  stateHeading: 'En ce moment',
  stateReady: 'Paiements acceptés',
  stateNotReady: 'Paiements non acceptés',
  stateNotReadyMeaning:
    'La base de données ne répond pas. Rien de ce qui a été accepté n’est perdu ; le service reprend de lui-même dès son retour.',
  stateNoOperator:
    'Aucun compte opérateur : tous les paiements sont refusés. Ajoutez-en un avec malipo operator add.',
  database: 'Base de données',
  reachable: 'joignable',
  unreachable: 'injoignable',
  waitingPayments: 'Paiements en attente',
  waitingCallbacks: 'Callbacks en attente',
  unknown: 'inconnu',
  version: 'Version',
  testClock: 'Horloge de test',
  clockAhead: '{duration} d’avance',
  readAt: 'État à {time}. Rechargez la page pour des chiffres plus récents.',

  firstHeading: 'Votre premier paiement',
  browserText:
    'Dans le navigateur : achetez dans la boutique de démonstration et répondez sur le téléphone virtuel.',
  browserShop: 'Ouvrir la boutique',
  browserPhone: 'Ouvrir le téléphone virtuel',
  apiText: 'Ou par l’API, pas à pas :',
  tokenHeading: 'Récupérez votre jeton',
  tokenText:
    'Le jeton d’API a été affiché au démarrage du service. Gardez-le dans une variable du terminal ; cette page ne le montre jamais.',
  tokenPlaceholder: 'collez-ici-le-jeton-affiché',
  sendHeading: 'Encaissez un dépôt',
  sendText:
    'Le numéro de téléphone utilisé est celui d’un client simulé qui approuve toujours. La réponse indique `ACCEPTED` : le paiement est enregistré et en cours.',
  outcomeHeading: 'Voyez le résultat',
  outcomeText:
    'Un instant plus tard, le même dépôt indique `COMPLETED`. Pour être prévenu sans interroger l’API, indiquez votre URL de callback avec `PUT /sandbox/callbacks`.',
  othersHeading: 'Faites-le échouer',
  othersText:
    'Chaque opérateur a des numéros de test dont les derniers chiffres décident de la suite : refus du client, solde insuffisant, plafond atteint ou aucune réponse.',
  othersLink: 'Les numéros de test et leurs résultats (en anglais)',
  codeToken: 'Terminal : le jeton',
  codeSend: 'Terminal : envoyer un dépôt',
  codeOutcome: 'Terminal : consulter le dépôt',

  liveHeading: 'Appeler l’API',
  liveText:
    'Envoyez votre jeton de production dans `Authorization: Bearer $MALIPO_TOKEN` à chaque appel. Vérifiez le champ `status` de chaque réponse et fiez-vous aux callbacks pour le résultat.',

  placesHeading: 'Où trouver quoi',
  sandboxText: 'Le téléphone virtuel et les réglages du bac à sable.',
  shopText: 'Une boutique de démonstration : un paiement vu par un client.',
  docsText:
    'En anglais : des guides, et chaque opération avec ses champs, ses codes d’échec et ses exemples.',
  openapiText: 'La même référence au format OpenAPI 3.1, pour les générateurs et les outils.',
  livezText: 'Répond 200 tant que le processus tourne.',
  readyzText: 'Répond 200 seulement si des paiements peuvent être acceptés.',
  metricsText: 'Mesures pour Prometheus : depuis cette machine ou avec le jeton de mesure.',
}

export const CATALOGUES: Readonly<Record<Lang, Words>> = { en, fr: withFrenchSpaces(fr) }

/** French has spaces at which no line may break: by signs, in quotes, before units. Typed, unseen. */
export function withFrenchSpaces<T extends Readonly<Record<string, string>>>(words: T): T {
  const entries = Object.entries(words).map(([key, text]) => [
    key,
    text
      .replace(/ ([:»])/g, '\u00a0$1')
      .replace(/« /g, '«\u00a0')
      .replace(/ ([;!?])/g, '\u202f$1')
      .replace(
        /([\d}]) (?=(?:min|minutes?|secondes?|s|g|heures?|jours?|décimales|caractères)\b)/g,
        '$1\u00a0',
      ),
  ])
  return Object.fromEntries(entries) as T
}

const VOWEL = /^[aeiouàâéèêëîïôûœ]/i

/** In French, "de" and "que" lose their vowel before another one: d’Orange Money. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/(\b(?:de|que) )?\{(\w+)\}/g, (whole, before = '', name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return (VOWEL.test(String(value)) ? before.replace(/e $/, '’') : before) + String(value)
  })
}
