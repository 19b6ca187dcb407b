import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  intro:
    'Programs call the API with a token. Give each program its own, with no more rights than it needs.',
  caption: 'Tokens that work, newest first',
  endedCaption: 'Tokens that ended',
  name: 'Name',
  lastFour: 'Ends in',
  scopes: 'Scopes',
  createdBy: 'Created by',
  created: 'Created',
  lastUsed: 'Last used',
  expires: 'Expires',
  ended: 'Ended',
  state: 'State',
  never: 'Never',
  commandLine: 'Command line',
  unknown: 'Not known',
  revokedState: 'Revoked',
  expiredState: 'Expired',
  change: 'Rotate or revoke',
  changeOne: 'Rotate or revoke {name}',
  none: 'There is no token that works. Create one below to call the API.',

  createHeading: 'Create a token',
  nameHint: 'Which program uses it, such as “Shop, production”.',
  scopesHint:
    'Everything, or only what you tick. “read” leaves out all that starts or changes something.',
  scopeAll: 'Everything (*)',
  scopePii: 'Also personal metadata in statements (pii)',
  scopeWrite: '{group}: all',
  scopeRead: '{group}: read',
  lasts: 'Works for',
  lasts_none: 'Until it is revoked',
  lasts_30: '30 days',
  lasts_90: '90 days',
  lasts_365: '1 year',
  create: 'Create the token',
  nameWrong: 'Give it a name of 1 to 80 characters.',
  scopesWrong: 'Tick at least one scope.',
  scopesHeld:
    'A token may do no more than the person who creates it. For other scopes, ask an owner or admin.',
  notHeld:
    'A token may do no more than the person who creates it, and your role does not hold all these scopes. Ask an owner or admin to create it.',
  rotateNotHeld: 'The new token could do more than your role. Ask an owner or admin to rotate it.',

  madeHeading: 'Your new token',
  madeText:
    'Copy it now and keep it in a safe place: it is shown this once, and only a hash of it is stored.',
  madeCode: 'Token {name}',
  formerEnds: 'The former token, which ends in {lastFour}, works until {time}.',
  back: 'Back to the tokens',
  twice:
    'This form was sent twice, so one token was made. If you did not keep its text, rotate or revoke it.',

  oneHeading: 'Token {name}',
  rotateHeading: 'Rotate',
  rotateText:
    'Makes a new token with the same name and scopes. The former one goes on working for a while, so that you can change over.',
  overlap: 'The former token works for another',
  overlap_0: 'Not at all: it ends now',
  overlap_1: '1 hour',
  overlap_24: '24 hours',
  overlap_168: '7 days',
  overlap_720: '30 days',
  rotate: 'Rotate the token',
  revokeHeading: 'Revoke',
  revokeText: 'Programs that use it are refused within a second. This cannot be undone.',
  revokeConfirm: 'Type the name of the token: {name}',
  revokeWrong: 'This is not the name of the token. Nothing was changed.',
  revoke: 'Revoke the token',
  revoked: 'The token {name} is revoked.',
  gone: 'This token does not work any more. Nothing was changed.',
} as const

export type TokenWords = Readonly<Record<keyof typeof en, string>>

const fr: TokenWords = {
  intro:
    'Les programmes appellent l’API avec un jeton. Donnez à chacun le sien, avec les seuls droits qu’il lui faut.',
  caption: 'Jetons valables, du plus récent au plus ancien',
  endedCaption: 'Jetons qui ne sont plus valables',
  name: 'Nom',
  lastFour: 'Se termine par',
  scopes: 'Droits',
  createdBy: 'Créé par',
  created: 'Créé le',
  lastUsed: 'Dernière utilisation',
  expires: 'Expire le',
  ended: 'Terminé le',
  state: 'État',
  never: 'Jamais',
  commandLine: 'Ligne de commande',
  unknown: 'Inconnu',
  revokedState: 'Révoqué',
  expiredState: 'Expiré',
  change: 'Renouveler ou révoquer',
  changeOne: 'Renouveler ou révoquer {name}',
  none: 'Aucun jeton n’est valable. Créez-en un ci-dessous pour appeler l’API.',

  createHeading: 'Créer un jeton',
  nameHint: 'Le programme qui l’utilise, par exemple « Boutique, production ».',
  scopesHint:
    'Tout, ou seulement ce que vous cochez. « lecture » exclut tout ce qui lance ou modifie quelque chose.',
  scopeAll: 'Tout (*)',
  scopePii: 'Et les métadonnées personnelles dans les relevés (pii)',
  scopeWrite: '{group} : tout',
  scopeRead: '{group} : lecture',
  lasts: 'Durée de validité',
  lasts_none: 'Jusqu’à sa révocation',
  lasts_30: '30 jours',
  lasts_90: '90 jours',
  lasts_365: '1 an',
  create: 'Créer le jeton',
  nameWrong: 'Donnez-lui un nom de 1 à 80 caractères.',
  scopesWrong: 'Cochez au moins un droit.',
  scopesHeld:
    'Un jeton ne peut pas avoir plus de droits que la personne qui le crée. Pour d’autres droits, adressez-vous à un propriétaire ou à un administrateur.',
  notHeld:
    'Un jeton ne peut pas avoir plus de droits que la personne qui le crée, et votre rôle ne les a pas tous. Demandez à un propriétaire ou à un administrateur de le créer.',
  rotateNotHeld:
    'Le nouveau jeton aurait plus de droits que votre rôle. Demandez à un propriétaire ou à un administrateur de le renouveler.',

  madeHeading: 'Votre nouveau jeton',
  madeText:
    'Copiez-le maintenant et gardez-le en lieu sûr : il n’est affiché qu’une fois, et seule son empreinte est enregistrée.',
  madeCode: 'Jeton {name}',
  formerEnds: 'L’ancien jeton, qui se termine par {lastFour}, reste valable jusqu’au {time}.',
  back: 'Retour aux jetons',
  twice:
    'Ce formulaire a été envoyé deux fois ; un seul jeton a été créé. Si vous n’avez pas gardé son texte, renouvelez-le ou révoquez-le.',

  oneHeading: 'Jeton {name}',
  rotateHeading: 'Renouveler',
  rotateText:
    'Crée un jeton de même nom et de mêmes droits. L’ancien reste valable quelque temps, pour que vous puissiez passer au nouveau.',
  overlap: 'L’ancien jeton reste valable',
  overlap_0: 'Pas du tout : il prend fin maintenant',
  overlap_1: '1 heure',
  overlap_24: '24 heures',
  overlap_168: '7 jours',
  overlap_720: '30 jours',
  rotate: 'Renouveler le jeton',
  revokeHeading: 'Révoquer',
  revokeText:
    'Les programmes qui l’utilisent sont refusés en moins d’une seconde. C’est irréversible.',
  revokeConfirm: 'Saisissez le nom du jeton : {name}',
  revokeWrong: 'Ce n’est pas le nom du jeton. Rien n’a été modifié.',
  revoke: 'Révoquer le jeton',
  revoked: 'Le jeton {name} est révoqué.',
  gone: 'Ce jeton n’est plus valable. Rien n’a été modifié.',
}

export const TOKEN_WORDS: Readonly<Record<Lang, TokenWords>> = { en, fr: withFrenchSpaces(fr) }
