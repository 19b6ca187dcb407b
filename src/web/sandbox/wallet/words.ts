import { type Lang, withFrenchSpaces } from '../../words.ts'

/** The sentences of the stand-in wallet page. */
const en = {
  title: 'Pay {money}',
  notice: 'Sandbox: this page stands in for the wallet of {provider}. No money moves.',
  ask: '{payee} asks for {money}.',
  approve: 'Approve',
  refuse: 'Refuse',
  scan: 'Scan this code to answer on another phone.',
  busyTitle: 'One moment',
  busy: 'This number answers by itself. The page continues in a moment.',
  paidTitle: 'Approved',
  paid: 'You approved {money} for {payee}. You can close this page.',
  notPaidTitle: 'Not paid',
  notPaid: '{money} for {payee} was not paid. You can close this page.',
  lostTitle: 'Nothing to pay here',
  lost: 'There is no payment behind this link. Check that it is complete.',
} as const

export type WalletWords = Readonly<Record<keyof typeof en, string>>

const fr: WalletWords = {
  title: 'Payer {money}',
  notice:
    'Bac à sable : cette page remplace l’application de {provider}. Aucun argent réel ne circule.',
  ask: '{payee} vous demande {money}.',
  approve: 'Valider',
  refuse: 'Refuser',
  scan: 'Scannez ce code pour répondre sur un autre téléphone.',
  busyTitle: 'Un instant',
  busy: 'Ce numéro répond tout seul. La page continue dans un instant.',
  paidTitle: 'Paiement validé',
  paid: 'Vous avez validé le paiement de {money} à {payee}. Vous pouvez fermer cette page.',
  notPaidTitle: 'Paiement non effectué',
  notPaid: 'Le paiement de {money} à {payee} n’a pas été effectué. Vous pouvez fermer cette page.',
  lostTitle: 'Rien à payer ici',
  lost: 'Il n’y a aucun paiement derrière ce lien. Vérifiez qu’il est complet.',
}

export const WALLET_WORDS: Readonly<Record<Lang, WalletWords>> = { en, fr: withFrenchSpaces(fr) }
