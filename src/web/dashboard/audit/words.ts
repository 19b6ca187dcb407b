import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  heading: 'Audit log',
  lead: 'Who changed what. Each entry carries a hash over itself and the one before it, so none can be changed or removed unnoticed.',
  actor: 'Who (e-mail)',
  action: 'Action',
  anyAction: 'All actions',
  from: 'From',
  to: 'To',
  show: 'Show',
  clear: 'Clear the filter',
  export: 'Download as CSV',
  exportSheet: 'CSV for spreadsheets',
  caption: 'Newest first',
  time: 'Time',
  who: 'Who',
  object: 'What',
  address: 'Address',
  change: 'Before and after',
  before: 'Before',
  after: 'After',
  hash: 'Hash',
  none: 'No entry fits.',
  next: 'Older entries',
  badTime: 'A day is written like 2026-11-17.',
} as const

export type AuditWords = Readonly<Record<keyof typeof en, string>>

const fr: AuditWords = {
  heading: 'Journal d’audit',
  lead: 'Qui a modifié quoi. Chaque entrée porte une empreinte calculée sur elle-même et sur la précédente : aucune ne peut être modifiée ou supprimée sans que cela se voie.',
  actor: 'Qui (e-mail)',
  action: 'Action',
  anyAction: 'Toutes les actions',
  from: 'Du',
  to: 'Au',
  show: 'Afficher',
  clear: 'Effacer le filtre',
  export: 'Télécharger en CSV',
  exportSheet: 'CSV pour tableur',
  caption: 'Les plus récentes d’abord',
  time: 'Heure',
  who: 'Qui',
  object: 'Objet',
  address: 'Adresse',
  change: 'Avant et après',
  before: 'Avant',
  after: 'Après',
  hash: 'Empreinte',
  none: 'Aucune entrée ne correspond.',
  next: 'Entrées plus anciennes',
  badTime: 'Une date s’écrit comme 2026-11-17.',
}

export const AUDIT_WORDS: Readonly<Record<Lang, AuditWords>> = { en, fr: withFrenchSpaces(fr) }
