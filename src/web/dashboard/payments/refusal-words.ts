/** Why something that a person asked for was not done, in words that name no ids and no codes. */
import type { Failure } from '../../../domain/failure.ts'
import { fill, type Lang, withFrenchSpaces } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'
import { money } from '../money-text.ts'

const en = {
  tooLarge: 'At most {left} can still be refunded.',
  disputed: 'The provider contradicts itself about whether the money was collected. Ask us first.',
  takenBack:
    'The provider has taken back that the money was collected, and your wallet was corrected.',
  refundDisputed:
    'The provider contradicts itself about whether an earlier refund was paid. Ask us first.',
  refundUnderWay: 'Another refund of this deposit is under way. Try again when it has ended.',
  failed: 'The deposit failed, so there is nothing to refund.',
  notEnqueued: 'The payment is not enqueued any more, so it cannot be cancelled.',
  notEnded: 'The payment has not ended. Its callback is sent as soon as it has.',
  noUrl:
    'No callback URL is set for this kind of payment. Set one on the page Callback URLs first.',
  archived: 'The callbacks of {year} are archived and cannot be sent again.',
} as const

type RefusalWords = Readonly<Record<keyof typeof en, string>>

const fr: RefusalWords = {
  tooLarge: 'Il reste au plus {left} à rembourser.',
  disputed:
    'L’opérateur se contredit : on ne sait pas si l’argent a été encaissé. Contactez-nous d’abord.',
  takenBack: 'L’opérateur est revenu sur l’encaissement, et votre portefeuille a été corrigé.',
  refundDisputed:
    'L’opérateur se contredit : on ne sait pas si un remboursement précédent a été payé. Contactez-nous d’abord.',
  refundUnderWay:
    'Un autre remboursement de ce dépôt est en cours. Réessayez quand il sera terminé.',
  failed: 'Le dépôt a échoué : il n’y a rien à rembourser.',
  notEnqueued: 'Le paiement n’est plus en file d’attente : il ne peut plus être annulé.',
  notEnded: 'Le paiement n’est pas terminé. Son callback part dès qu’il l’est.',
  noUrl:
    'Aucune URL de callback n’est définie pour ce type de paiement. Définissez-la d’abord à la page URL de callback.',
  archived: 'Les callbacks de {year} sont archivés et ne peuvent plus être renvoyés.',
}

const WORDS: Readonly<Record<Lang, RefusalWords>> = { en, fr: withFrenchSpaces(fr) }

export const refusalWords = (lang: Lang): RefusalWords => WORDS[lang]

/** One code has several reasons; which one it is, its message says. A named group is a fact. */
const REASONS: readonly (readonly [RegExp, keyof RefusalWords])[] = [
  [/at most '(?<left>[\d.]+)' can be refunded/, 'tooLarge'],
  [/contradicts itself about whether the money/, 'disputed'],
  [/has taken back/, 'takenBack'],
  [/contradicts itself about whether an earlier/, 'refundDisputed'],
  [/has another refund under way/, 'refundUnderWay'],
  [/is FAILED\. Only a COMPLETED/, 'failed'],
  [/is not enqueued/, 'notEnqueued'],
  [/has not finished processing/, 'notEnded'],
  [/callbacks of (?<year>\d+) are archived/, 'archived'],
]

export function refusalText(
  { code, message }: Failure,
  { currency }: { readonly currency: string },
  lang: Lang,
): string {
  for (const [pattern, name] of REASONS) {
    const found = pattern.exec(message)
    if (found === null) continue
    const { left, year = '' } = found.groups ?? {}
    const values = { year, left: left === undefined ? '' : money(left, currency, lang) }
    return fill(WORDS[lang][name], values)
  }
  return codeMeaning(code, lang)
}
