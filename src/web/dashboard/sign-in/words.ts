import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  error: 'Error: ',
  signIn: 'Sign in',
  email: 'E-mail',
  password: 'Password',
  codeHeading: 'Enter your code',
  codeText: 'Type the six digits of your authenticator app, or a recovery code.',
  mailedHeading: 'Look at your mail',
  mailedText: 'We sent six digits to {email}. They work for ten minutes, in this browser.',
  mailedKept: 'The sandbox sends no mail by itself.',
  mailedKeptLink: 'Read it here',
  mailedAgain: 'Send another code',
  mailedSent: 'Another code is on its way. The one before does not work any more.',
  wrongMailed:
    'This code is not right, was used already, or is too old. After five wrong ones, ask for another.',
  code: 'Code',
  next: 'Continue',
  trust: 'Do not ask again in this browser for 30 days',
  startOver: 'Sign in as somebody else',
  wrong: 'E-mail or password is not right.',
  wrongCode: 'This code is not right, or was used already.',
  wait: 'Too many attempts. Try again in {seconds} s.',
  linkUsed: 'This link was used already or is too old.',
  forgotten: 'Forgot the password?',
  forgottenHeading: 'Set another password',
  forgottenText: 'We send you a link with which you choose another password.',
  forgottenNoMail:
    'This service sends no mail. An owner or admin of your company can give you a link to set another password.',
  sendLink: 'Send the link',
  linkSent:
    'If there is an account with this e-mail, a link is on its way. It works once, for seven days.',
  backToSignIn: 'Back to sign in',
  passkey: 'Sign in with a passkey',
  passkeyCode: 'Use a passkey',
  company: 'Sign in with your company',
  companyText: 'Type your e-mail at work. We lead you to the sign-in page of your company.',
  companyNone:
    'No company has set this up for e-mails of this kind. Sign in with your password instead.',
  companyChosen: 'You sign in at your company, and come back here afterwards.',
  companyGo: 'Continue to {host} for {merchant}',
  companyRefused: 'Your company did not confirm who you are. Try again.',
  companyUnreachable: 'The sign-in page of your company cannot be reached. Try again in a moment.',
  companyNoMember:
    'You are not on the team here. Ask an owner or admin to invite you with this e-mail.',
  signedOut: 'You are signed out.',
  disabled: 'You have disabled your own access. Another owner or admin can enable it again.',
  busyHeading: 'Too many people are signing in',
  busy: 'The service cannot check passwords fast enough at the moment. Try again in a few seconds.',

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

type SignInWords = Readonly<Record<keyof typeof en, string>>

const fr: SignInWords = {
  error: 'Erreur : ',
  signIn: 'Se connecter',
  email: 'E-mail',
  password: 'Mot de passe',
  codeHeading: 'Saisissez votre code',
  codeText:
    'Saisissez les six chiffres de votre application d’authentification, ou un code de secours.',
  mailedHeading: 'Consultez vos e-mails',
  mailedText:
    'Nous avons envoyé six chiffres à {email}. Ils fonctionnent pendant dix minutes, dans ce navigateur.',
  mailedKept: 'Le bac à sable n’envoie pas d’e-mails.',
  mailedKeptLink: 'Lisez-le ici',
  mailedAgain: 'Envoyer un autre code',
  mailedSent: 'Un autre code est en route. Le précédent ne fonctionne plus.',
  wrongMailed:
    'Ce code n’est pas correct, a déjà servi ou est trop ancien. Après cinq erreurs, demandez-en un autre.',
  code: 'Code',
  next: 'Continuer',
  trust: 'Ne plus demander dans ce navigateur pendant 30 jours',
  startOver: 'Se connecter avec un autre compte',
  wrong: 'L’e-mail ou le mot de passe n’est pas correct.',
  wrongCode: 'Ce code n’est pas correct, ou a déjà servi.',
  wait: 'Trop de tentatives. Réessayez dans {seconds} s.',
  linkUsed: 'Ce lien a déjà servi ou est trop ancien.',
  forgotten: 'Mot de passe oublié ?',
  forgottenHeading: 'Choisir un autre mot de passe',
  forgottenText: 'Nous vous envoyons un lien qui permet de choisir un autre mot de passe.',
  forgottenNoMail:
    'Ce service n’envoie pas d’e-mails. Un propriétaire ou un administrateur de votre entreprise peut vous donner un lien pour choisir un autre mot de passe.',
  sendLink: 'Envoyer le lien',
  linkSent:
    'S’il existe un compte avec cet e-mail, un lien est en route. Il fonctionne une seule fois, pendant sept jours.',
  backToSignIn: 'Retour à la connexion',
  passkey: 'Se connecter avec une clé d’accès',
  passkeyCode: 'Utiliser une clé d’accès',
  company: 'Se connecter avec son entreprise',
  companyText:
    'Saisissez votre e-mail professionnel. Nous vous conduisons à la page de connexion de votre entreprise.',
  companyNone:
    'Aucune entreprise n’a prévu cela pour ce type d’e-mail. Connectez-vous avec votre mot de passe.',
  companyChosen: 'Vous vous connectez auprès de votre entreprise, puis vous revenez ici.',
  companyGo: 'Continuer vers {host} pour {merchant}',
  companyRefused: 'Votre entreprise n’a pas confirmé votre identité. Réessayez.',
  companyUnreachable:
    'La page de connexion de votre entreprise est injoignable. Réessayez dans un instant.',
  companyNoMember:
    'Vous ne faites pas partie de l’équipe. Demandez à un propriétaire ou à un administrateur de vous inviter avec cet e-mail.',
  signedOut: 'Vous êtes déconnecté.',
  disabled:
    'Vous avez désactivé votre propre accès. Un autre propriétaire ou administrateur peut le réactiver.',
  busyHeading: 'Trop de connexions à la fois',
  busy: 'Le service ne peut pas vérifier les mots de passe assez vite en ce moment. Réessayez dans quelques secondes.',

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
