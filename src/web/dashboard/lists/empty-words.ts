/** What a list says that has no rows: none fits the filter, or there is none at all. */
import { type Lang, withFrenchSpaces } from '../../words.ts'
import type { ListPlace } from './shape.ts'

type EmptyWords = Readonly<Record<`${'noneMatch' | 'noneYet'}_${ListPlace}`, string>>

const en: EmptyWords = {
  noneMatch_deposits: 'No deposits match.',
  noneMatch_payouts: 'No payouts match.',
  noneMatch_refunds: 'No refunds match.',
  noneMatch_remittances: 'No remittances match.',
  'noneMatch_split-payments': 'No split payments match.',
  noneMatch_checkouts: 'No checkouts match.',
  noneYet_deposits: 'No deposits yet. They appear as soon as they are accepted.',
  noneYet_payouts: 'No payouts yet. They appear as soon as they are accepted.',
  noneYet_refunds: 'No refunds yet. They appear as soon as they are accepted.',
  noneYet_remittances: 'No remittances yet. They appear as soon as they are accepted.',
  'noneYet_split-payments': 'No split payments yet. They appear as soon as they are accepted.',
  noneYet_checkouts: 'No checkouts yet. They appear as soon as they are created.',
}

const fr: EmptyWords = {
  noneMatch_deposits: 'Aucun dépôt ne correspond.',
  noneMatch_payouts: 'Aucun versement ne correspond.',
  noneMatch_refunds: 'Aucun remboursement ne correspond.',
  noneMatch_remittances: 'Aucun transfert ne correspond.',
  'noneMatch_split-payments': 'Aucun paiement partagé ne correspond.',
  noneMatch_checkouts: 'Aucune session de paiement ne correspond.',
  noneYet_deposits: 'Aucun dépôt pour l’instant. Ils apparaissent dès qu’ils sont acceptés.',
  noneYet_payouts: 'Aucun versement pour l’instant. Ils apparaissent dès qu’ils sont acceptés.',
  noneYet_refunds: 'Aucun remboursement pour l’instant. Ils apparaissent dès qu’ils sont acceptés.',
  noneYet_remittances: 'Aucun transfert pour l’instant. Ils apparaissent dès qu’ils sont acceptés.',
  'noneYet_split-payments':
    'Aucun paiement partagé pour l’instant. Ils apparaissent dès qu’ils sont acceptés.',
  noneYet_checkouts:
    'Aucune session de paiement pour l’instant. Elles apparaissent dès leur création.',
}

export const EMPTY_WORDS: Readonly<Record<Lang, EmptyWords>> = { en, fr: withFrenchSpaces(fr) }
