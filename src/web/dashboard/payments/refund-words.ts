import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  heading: 'Refund',
  left: 'Up to {amount} can be given back.',
  amount: 'Amount',
  next: 'Refund',
  reviewHeading: 'Check the refund',
  to: 'Goes to',
  of: 'Of the deposit',
  rest: 'Can still be given back afterwards',
  now: 'Refund {amount}',
  back: 'Back to the deposit',
  asked: 'The refund is accepted.',
  known: 'This refund was made already.',
  another: 'a refund of {amount} was made meanwhile. Look at what is left, then try again.',
  nothingLeft: 'Nothing of this deposit can be given back.',
  amountNone: 'Amount: write how much is given back, such as {example}.',
  amountForm: 'Amount: “{typed}” is not an amount. Write it like {example}.',
  amountUnclear:
    'Amount: “{typed}” can be read in two ways. Write {thousands} or {decimals}, whichever you mean.',
  amountDecimals:
    'Amount: “{typed}” has too many decimals. {currency} has {decimals}, as in {example}.',
  amountWhole: 'Amount: “{typed}” has decimals. Write a whole amount, such as {example}.',
  amountZero: 'Amount: write more than zero, such as {example}.',
  amountMore: 'Amount: “{typed}” is more than can be given back. Write {left} or less.',
} as const

type RefundWords = Readonly<Record<keyof typeof en, string>>

const fr: RefundWords = {
  heading: 'Rembourser',
  left: 'Jusqu’à {amount} peuvent être remboursés.',
  amount: 'Montant',
  next: 'Rembourser',
  reviewHeading: 'Vérifiez le remboursement',
  to: 'Destinataire',
  of: 'Sur le dépôt',
  rest: 'Restera remboursable ensuite',
  now: 'Rembourser {amount}',
  back: 'Retour au dépôt',
  asked: 'Le remboursement est accepté.',
  known: 'Ce remboursement avait déjà été effectué.',
  another:
    'un remboursement de {amount} a été fait entre-temps. Voyez ce qui reste, puis réessayez.',
  nothingLeft: 'Il n’y a plus rien à rembourser sur ce dépôt.',
  amountNone: 'Montant : indiquez la somme à rembourser, par exemple {example}.',
  amountForm: 'Montant : « {typed} » n’est pas un montant. Écrivez-le comme {example}.',
  amountUnclear:
    'Montant : « {typed} » peut se lire de deux façons. Écrivez {thousands} ou {decimals}, selon ce que vous voulez dire.',
  amountDecimals:
    'Montant : « {typed} » a trop de décimales. {currency} en a {decimals}, comme dans {example}.',
  amountWhole: 'Montant : « {typed} » a des décimales. Écrivez un montant entier, comme {example}.',
  amountZero: 'Montant : indiquez plus de zéro, par exemple {example}.',
  amountMore: 'Montant : « {typed} » dépasse ce qui peut être remboursé. Indiquez {left} ou moins.',
}

export const REFUND_WORDS: Readonly<Record<Lang, RefundWords>> = { en, fr: withFrenchSpaces(fr) }
