import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  error: 'Error: ',
  signIn: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  codeHeading: 'Enter your code',
  codeText: 'Open your authenticator app and type the six digits, or use a recovery code.',
  code: 'Code',
  next: 'Continue',
  startOver: 'Sign in as somebody else',
  wrong: 'E-mail or password is not right.',
  wrongCode: 'This code is not right, or was used already.',
  wait: 'Too many attempts. Try again in {seconds} s.',
  linkUsed: 'This link was used already or is too old.',
  forgotten:
    'Forgot the password? An owner or admin of your company can send you a link to set another one.',
  signedOut: 'You are signed out.',

  passwordHeading: 'Choose a password',
  passwordFor: 'For {email}',
  passwordHint:
    'At least 12 characters. A few words in a row are easy to remember and hard to guess.',
  again: 'The same once more',
  save: 'Save the password',
  saved: 'Your password is set. Sign in with it.',
  TOO_SHORT: 'Use at least 12 characters.',
  TOO_LONG: 'Use at most 200 characters.',
  COMMON: 'Many people use this password, so it is easy to guess. Choose another one.',
  LIKE_EMAIL: 'The password is too much like your e-mail. Choose another one.',
  DIFFERENT: 'The two are not the same. Type them again.',
  linkGone: 'This link was used already or is too old. Ask for another one.',
} as const

export type SignInWords = Readonly<Record<keyof typeof en, string>>

const fr: SignInWords = {
  error: 'Erreur : ',
  signIn: 'Se connecter',
  email: 'E-mail',
  password: 'Mot de passe',
  codeHeading: 'Saisissez votre code',
  codeText:
    'Ouvrez votre application d’authentification et saisissez les six chiffres, ou utilisez un code de secours.',
  code: 'Code',
  next: 'Continuer',
  startOver: 'Se connecter avec un autre compte',
  wrong: 'L’e-mail ou le mot de passe n’est pas correct.',
  wrongCode: 'Ce code n’est pas correct, ou a déjà servi.',
  wait: 'Trop de tentatives. Réessayez dans {seconds} s.',
  linkUsed: 'Ce lien a déjà servi ou est trop ancien.',
  forgotten:
    'Mot de passe oublié ? Un propriétaire ou un administrateur de votre entreprise peut vous envoyer un lien pour en choisir un autre.',
  signedOut: 'Vous êtes déconnecté.',

  passwordHeading: 'Choisissez un mot de passe',
  passwordFor: 'Pour {email}',
  passwordHint:
    'Au moins 12 caractères. Quelques mots à la suite sont faciles à retenir et difficiles à deviner.',
  again: 'Encore une fois le même',
  save: 'Enregistrer le mot de passe',
  saved: 'Votre mot de passe est enregistré. Connectez-vous.',
  TOO_SHORT: 'Au moins 12 caractères sont nécessaires.',
  TOO_LONG: 'Pas plus de 200 caractères.',
  COMMON:
    'Beaucoup de gens utilisent ce mot de passe : il est facile à deviner. Choisissez-en un autre.',
  LIKE_EMAIL: 'Ce mot de passe ressemble trop à votre e-mail. Choisissez-en un autre.',
  DIFFERENT: 'Les deux mots de passe diffèrent. Saisissez-les de nouveau.',
  linkGone: 'Ce lien a déjà servi ou est trop ancien. Demandez-en un autre.',
}

export const SIGN_IN_WORDS: Readonly<Record<Lang, SignInWords>> = { en, fr: withFrenchSpaces(fr) }
