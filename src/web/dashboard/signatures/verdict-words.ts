/** What came of the signature of a request. */
import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  VERIFIED: 'Good',
  REPLAYED: 'Good, and sent again',
  NOT_SIGNED: 'Not signed',
  HALF_SIGNED: 'One of the two headers is missing',
  UNREADABLE: 'A header cannot be read',
  NO_COMMON_LABEL: 'The two headers have no label in common',
  NOT_COVERED: 'Something required is not covered',
  UNKNOWN_COMPONENT: 'Something unknown is covered',
  REPEATED_COMPONENT: 'Something is covered twice',
  ABSENT_HEADER: 'A covered header is missing',
  NO_CREATED: 'Without the time it was made',
  CREATED_AHEAD: 'Made in the future',
  EXPIRED: 'Expired',
  TOO_OLD: 'Too old',
  NO_KEY_ID: 'Names no key',
  UNKNOWN_KEY: 'Unknown key',
  WRONG_ALGORITHM: 'The algorithm does not fit the key',
  NO_DIGEST: 'Without a digest of the body',
  UNKNOWN_DIGEST: 'Unknown kind of digest',
  WRONG_DIGEST: 'The digest is not that of the body',
  NOT_VERIFIED: 'Does not fit the key',
  USED_BEFORE: 'Used before',
} as const

type Verdicts = Readonly<Record<keyof typeof en, string>>

const fr: Verdicts = {
  VERIFIED: 'Correcte',
  REPLAYED: 'Correcte et reçue de nouveau',
  NOT_SIGNED: 'Non signée',
  HALF_SIGNED: 'Un des deux en-têtes manque',
  UNREADABLE: 'Un en-tête est illisible',
  NO_COMMON_LABEL: 'Aucune étiquette commune aux deux en-têtes',
  NOT_COVERED: 'Un élément exigé n’est pas couvert',
  UNKNOWN_COMPONENT: 'Un élément inconnu est couvert',
  REPEATED_COMPONENT: 'Un élément est couvert deux fois',
  ABSENT_HEADER: 'Un en-tête couvert est absent',
  NO_CREATED: 'Sans date de création',
  CREATED_AHEAD: 'Datée dans le futur',
  EXPIRED: 'Expirée',
  TOO_OLD: 'Trop ancienne',
  NO_KEY_ID: 'Ne nomme aucune clé',
  UNKNOWN_KEY: 'Clé inconnue',
  WRONG_ALGORITHM: 'L’algorithme ne convient pas à la clé',
  NO_DIGEST: 'Sans empreinte du corps',
  UNKNOWN_DIGEST: 'Type d’empreinte inconnu',
  WRONG_DIGEST: 'L’empreinte n’est pas celle du corps',
  NOT_VERIFIED: 'Ne correspond pas à la clé',
  USED_BEFORE: 'Déjà utilisée',
}

const WORDS: Readonly<Record<Lang, Verdicts>> = { en, fr: withFrenchSpaces(fr) }

export const verdictText = (verdict: string, lang: Lang): string =>
  (WORDS[lang] as Readonly<Record<string, string>>)[verdict] ?? verdict
