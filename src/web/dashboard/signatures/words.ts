import { fill, type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  intro:
    'Sign the requests that start payments, and a stolen token alone starts none. Your private key stays with you; give us its public half.',
  keysCaption: 'Public keys that verify your signatures',
  keyId: 'Key id',
  kind: 'Kind and algorithms',
  fingerprint: 'Fingerprint (SHA-256)',
  created: 'Added',
  used: 'Used',
  usedOnce: 'Once',
  usedTimes: '{count} times',
  usedNever: 'Never',
  lastUsed: 'Last used',
  remove: 'Remove',
  removeOne: 'Remove {name}',
  noKeysYet: 'There is no key yet.',
  noKeys: 'There is no key yet. Add one below to sign your requests.',

  addHeading: 'Add a key',
  keyIdHint: 'The name by which your signatures say which key they were made with.',
  pem: 'Public key (PEM)',
  pemHint: 'Made with: openssl pkey -in private.pem -pubout',
  add: 'Add the key',
  added: 'The key {name} is valid from now on.',
  removed: 'The key {name} is removed. Its signatures are refused within a second.',
  missing: 'There is no key of that name. Nothing was changed.',
  last: 'It is the last key, and signatures are required: every request that starts a payment would be refused. Add another key first, or stop requiring signatures.',

  requireHeading: 'Require signatures',
  requiredNow: 'Required: requests without a good signature start nothing.',
  notRequiredNow: 'Not required: requests with no signature, or a wrong one, are taken too.',
  dryRun: 'Of the last {all} requests that could be signed, {passed} would pass.',
  dryRunOn: 'Of the last {all} requests that have to be signed, {passed} passed.',
  dryRunNone: 'No request that could be signed came in the last {days} days.',
  dryRunCaption: 'Signatures of the last {days} days',
  verdict: 'Result',
  count: 'Requests',
  lastAt: 'Last',
  replayed: 'Those that were sent again are among the good ones.',
  anyway: 'Require them although {failed} of these requests would be refused',
  require: 'Require signatures',
  stop: 'Stop requiring signatures',
  required: 'Signatures are required from now on.',
  stopped: 'Signatures are not required any more.',
  noKey: 'Add a key first: without one, every request that starts a payment would be refused.',
  harm: 'Requests of the last days would have been refused. Look at the list, or tick the box to go on.',

  settingsHeading: 'More about signatures',
  signedCallbacks: 'Sign the callbacks that are sent to you',
  coverAuthority: 'Refuse signatures that do not cover the host (@authority)',
  maxAge: 'Age of a signature at most, in seconds',
  maxAgeHint:
    'From 1 to {max}; each signature then counts once. Empty: of any age. It holds while signatures are required.',
  save: 'Save',
  saved: 'The settings are saved.',
  maxAgeWrong: 'Give whole seconds from 1 to {max}, or leave it empty.',

  pemPrivate:
    'This is a private key. Keep it to yourself, and give its public half: openssl pkey -in private.pem -pubout',
  pemSeveral: 'There is more than one key in it. Give one public key at a time.',
  pemCertificate:
    'This is a certificate. Give the public key in it: openssl x509 -in cert.pem -pubkey -noout',
  pemNone:
    'This is not a public key as PEM, which starts with -----BEGIN PUBLIC KEY-----. Make it with: openssl pkey -in private.pem -pubout',
  pemDamaged:
    'The public key cannot be read: its text is damaged or of a kind not known here. Export it again with: openssl pkey -in private.pem -pubout',
  pemCurve: 'The key is on the curve {fact}. Use EC P-256, EC P-384 or RSA.',
  pemKind: 'The key is of the kind {fact}. Use EC P-256, EC P-384 or RSA.',
  pemShort: 'The RSA key has {fact} bits. Use one of 2048 bits or more.',
  pemOdd: 'The RSA key has an unusual size or exponent and may not be safe. Make another one.',
  keyIdWrong:
    'This key id cannot be used. Take 1 to 100 letters, digits and signs of ASCII without quotation marks and backslashes, such as shop-2026.',
  keyIdTaken:
    'This key id is taken. Choose another one, so that both are valid while you change over.',
  keyRefused: 'This key cannot be used.',
} as const

export type SignatureWords = Readonly<Record<keyof typeof en, string>>

const fr: SignatureWords = {
  intro:
    'Signez les requêtes qui lancent des paiements : un jeton volé ne suffit plus pour en lancer. Votre clé privée reste chez vous ; donnez-nous sa partie publique.',
  keysCaption: 'Clés publiques qui vérifient vos signatures',
  keyId: 'Identifiant',
  kind: 'Type et algorithmes',
  fingerprint: 'Empreinte (SHA-256)',
  created: 'Ajoutée le',
  used: 'Utilisée',
  usedOnce: '1 fois',
  usedTimes: '{count} fois',
  usedNever: 'Jamais',
  lastUsed: 'Dernière utilisation',
  remove: 'Supprimer',
  removeOne: 'Supprimer {name}',
  noKeysYet: 'Il n’y a pas encore de clé.',
  noKeys: 'Il n’y a pas encore de clé. Ajoutez-en une ci-dessous pour signer vos requêtes.',

  addHeading: 'Ajouter une clé',
  keyIdHint: 'Le nom par lequel vos signatures indiquent la clé utilisée.',
  pem: 'Clé publique (PEM)',
  pemHint: 'Obtenue avec : openssl pkey -in private.pem -pubout',
  add: 'Ajouter la clé',
  added: 'La clé {name} est valable dès maintenant.',
  removed: 'La clé {name} est supprimée. Ses signatures sont refusées en moins d’une seconde.',
  missing: 'Il n’y a pas de clé de ce nom. Rien n’a été modifié.',
  last: 'C’est la dernière clé et les signatures sont exigées : toute requête qui lance un paiement serait refusée. Ajoutez d’abord une autre clé, ou cessez d’exiger les signatures.',

  requireHeading: 'Exiger les signatures',
  requiredNow: 'Exigées : une requête sans signature correcte ne lance rien.',
  notRequiredNow:
    'Non exigées : les requêtes sans signature, ou mal signées, sont acceptées aussi.',
  dryRun: 'Sur les {all} dernières requêtes qui pouvaient être signées, {passed} passeraient.',
  dryRunOn: 'Sur les {all} dernières requêtes qui devaient être signées, {passed} sont passées.',
  dryRunNone: 'Aucune requête qui pouvait être signée n’est arrivée ces {days} derniers jours.',
  dryRunCaption: 'Signatures des {days} derniers jours',
  verdict: 'Résultat',
  count: 'Requêtes',
  lastAt: 'Dernière',
  replayed: 'Celles qui ont été reçues de nouveau font partie des correctes.',
  anyway: 'Les exiger alors que {failed} de ces requêtes seraient refusées',
  require: 'Exiger les signatures',
  stop: 'Ne plus exiger les signatures',
  required: 'Les signatures sont exigées dès maintenant.',
  stopped: 'Les signatures ne sont plus exigées.',
  noKey: 'Ajoutez d’abord une clé : sans elle, toute requête qui lance un paiement serait refusée.',
  harm: 'Des requêtes de ces derniers jours auraient été refusées. Regardez la liste, ou cochez la case pour continuer.',

  settingsHeading: 'Autres réglages des signatures',
  signedCallbacks: 'Signer les callbacks qui vous sont envoyés',
  coverAuthority: 'Refuser les signatures qui ne couvrent pas l’hôte (@authority)',
  maxAge: 'Âge maximal d’une signature, en secondes',
  maxAgeHint:
    'De 1 à {max} ; chaque signature ne sert alors qu’une fois. Vide : sans limite. Ne compte que si les signatures sont exigées.',
  save: 'Enregistrer',
  saved: 'Les réglages sont enregistrés.',
  maxAgeWrong: 'Indiquez un nombre entier de secondes de 1 à {max}, ou laissez vide.',

  pemPrivate:
    'C’est une clé privée. Gardez-la pour vous et donnez sa partie publique : openssl pkey -in private.pem -pubout',
  pemSeveral: 'Il y a plus d’une clé. Donnez une seule clé publique à la fois.',
  pemCertificate:
    'C’est un certificat. Donnez la clé publique qu’il contient : openssl x509 -in cert.pem -pubkey -noout',
  pemNone:
    'Ce n’est pas une clé publique au format PEM, qui commence par -----BEGIN PUBLIC KEY-----. Obtenez-la avec : openssl pkey -in private.pem -pubout',
  pemDamaged:
    'La clé publique est illisible : son texte est abîmé ou d’un type inconnu ici. Exportez-la de nouveau avec : openssl pkey -in private.pem -pubout',
  pemCurve: 'La clé utilise la courbe {fact}. Utilisez EC P-256, EC P-384 ou RSA.',
  pemKind: 'La clé est de type {fact}. Utilisez EC P-256, EC P-384 ou RSA.',
  pemShort: 'La clé RSA a {fact} bits. Utilisez-en une de 2048 bits ou plus.',
  pemOdd:
    'La clé RSA a une taille ou un exposant inhabituels et n’est peut-être pas sûre. Créez-en une autre.',
  keyIdWrong:
    'Cet identifiant ne peut pas servir. Prenez de 1 à 100 lettres, chiffres et signes ASCII sans guillemets ni barres obliques inverses, par exemple shop-2026.',
  keyIdTaken:
    'Cet identifiant est pris. Choisissez-en un autre : les deux clés seront valables pendant le changement.',
  keyRefused: 'Cette clé ne peut pas servir.',
}

export const SIGNATURE_WORDS: Readonly<Record<Lang, SignatureWords>> = {
  en,
  fr: withFrenchSpaces(fr),
}

/** Why a key cannot be used, in the words of the page; a group of the pattern is a fact. */
const PROBLEMS: readonly (readonly [RegExp, keyof SignatureWords])[] = [
  [/private key\. Keep/, 'pemPrivate'],
  [/more than one key/, 'pemSeveral'],
  [/is a certificate/, 'pemCertificate'],
  [/not a public key/, 'pemNone'],
  [/cannot be read/, 'pemDamaged'],
  [/on the curve (\S+)\. Use/, 'pemCurve'],
  [/of the kind (\S+)\. Use/, 'pemKind'],
  [/has (\d+) bits\. Use/, 'pemShort'],
  [/not usual/, 'pemOdd'],
  [/key id .* cannot be used/, 'keyIdWrong'],
  [/is taken/, 'keyIdTaken'],
]

export type KeyRefusal = { readonly field: 'keyId' | 'pem'; readonly text: string }

export function keyRefusal(problem: string, words: SignatureWords): KeyRefusal {
  for (const [pattern, key] of PROBLEMS) {
    const found = pattern.exec(problem)
    if (found === null) continue
    const field = key.startsWith('keyId') ? 'keyId' : 'pem'
    return { field, text: fill(words[key], { fact: found[1] ?? '' }) }
  }
  return { field: 'pem', text: words.keyRefused }
}
