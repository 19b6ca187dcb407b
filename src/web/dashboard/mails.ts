/** What people get by mail, in their language. */
import type { Mail } from '../../usecases/people/context.ts'
import { fill, type Lang, withFrenchSpaces } from '../words.ts'

const en = {
  inviteSubject: 'You are invited to {merchant} on Malipo',
  inviteText: `{by} invited you to {merchant} as {role}.

Choose a password with this link. It works once, for seven days:
{link}

If you do not expect this, ignore it.`,
  joinedSubject: 'You now belong to {merchant} on Malipo',
  joinedText: `{by} added you to {merchant} as {role}.

Sign in as usual:
{link}`,
  resetSubject: 'Choose another password for Malipo',
  resetText: `Somebody asked for a link to choose another password for {email}.

It works once, for seven days. Until then the old password stays:
{link}

If it was not you, ignore this mail. Nothing changes without the link.`,
  codeSubject: '{code} is your code for Malipo',
  codeText: `{code}

Type this code to sign in as {email}. It works once, for ten minutes, in the browser that asked for it.

If it was not you, somebody knows your password. Choose another one:
{link}`,
} as const

type MailWords = Readonly<Record<keyof typeof en, string>>

const fr: MailWords = {
  inviteSubject: 'Vous êtes invité à rejoindre {merchant} sur Malipo',
  inviteText: `{by} vous invite à rejoindre {merchant} avec le rôle : {role}.

Choisissez un mot de passe avec ce lien. Il fonctionne une seule fois, pendant sept jours :
{link}

Si vous n’attendiez pas ce message, ignorez-le.`,
  joinedSubject: 'Vous faites désormais partie de {merchant} sur Malipo',
  joinedText: `{by} vous a ajouté à {merchant} avec le rôle : {role}.

Connectez-vous comme d’habitude :
{link}`,
  resetSubject: 'Choisissez un autre mot de passe pour Malipo',
  resetText: `Quelqu’un a demandé un lien pour choisir un autre mot de passe pour {email}.

Il fonctionne une seule fois, pendant sept jours. D’ici là, l’ancien mot de passe reste valable :
{link}

Si ce n’était pas vous, ignorez ce message. Rien ne change sans le lien.`,
  codeSubject: '{code} est votre code pour Malipo',
  codeText: `{code}

Saisissez ce code pour vous connecter en tant que {email}. Il fonctionne une seule fois, pendant dix minutes, dans le navigateur qui l’a demandé.

Si ce n’était pas vous, quelqu’un connaît votre mot de passe. Choisissez-en un autre :
{link}`,
}

const MAIL_WORDS: Readonly<Record<Lang, MailWords>> = { en, fr: withFrenchSpaces(fr) }

type Invitation = {
  readonly to: string
  readonly by: string
  readonly merchant: string
  readonly role: string
  readonly link: string
  /** They choose a password first. */
  readonly isNew: boolean
}

export function invitationMail(lang: Lang, { to, isNew, ...values }: Invitation): Mail {
  const words = MAIL_WORDS[lang]
  const [subject, text] = isNew
    ? [words.inviteSubject, words.inviteText]
    : [words.joinedSubject, words.joinedText]
  return { to, subject: fill(subject, values), text: fill(text, values) }
}

export function resetMail(lang: Lang, email: string, link: string): Mail {
  const words = MAIL_WORDS[lang]
  return { to: email, subject: words.resetSubject, text: fill(words.resetText, { email, link }) }
}

/** The second factor of people who have no other one. */
export function codeMail(lang: Lang, to: string, values: { code: string; link: string }): Mail {
  const { codeSubject, codeText } = MAIL_WORDS[lang]
  return { to, subject: fill(codeSubject, values), text: fill(codeText, { ...values, email: to }) }
}
