import { type Lang, withFrenchSpaces } from '../../words.ts'

const en = {
  heading: 'Search',
  ask: 'Type an id, a checkout code, a phone number, a provider transaction id, a client reference, a whole metadata value, a short reference, an amount or a day.',
  tokens:
    'Or fields: status:FAILED provider:MTN_MOMO_ZMB country:ZMB currency:ZMW amount>100 amount<=500 phone:… ref:… meta.orderId:… from:2026-01-01 to:2026-01-31. All kinds are looked through unless you name one: kind:payout',
  none: 'Nothing was found for “{q}”.',
  fullValue:
    'Use the full value: parts of a metadata value or reference find nothing. Capital letters count, unless all are capitals.',
  found: 'Found for “{q}”',
  unknownField: 'Unknown field: {field}. Fields are {fields}.',
  badValue: '“{value}” cannot be the value of that field.',
  onDay: 'Payments of {day}',
  asList: '{kind}: open as a list',
  moreInList: '{kind}: there are more, open the list',
} as const

type SearchWords = Readonly<Record<keyof typeof en, string>>

const fr: SearchWords = {
  heading: 'Recherche',
  ask: 'Saisissez un identifiant, un code de session de paiement, un numéro de téléphone, un numéro de transaction opérateur, une référence client, une valeur de métadonnée entière, une référence courte, un montant ou un jour.',
  tokens:
    'Ou des champs : status:FAILED provider:MTN_MOMO_ZMB country:ZMB currency:ZMW amount>100 amount<=500 phone:… ref:… meta.orderId:… from:2026-01-01 to:2026-01-31. La recherche porte sur tous les types, sauf si vous en nommez un : kind:payout',
  none: 'Rien n’a été trouvé pour « {q} ».',
  fullValue:
    'Saisissez la valeur entière : une partie d’une métadonnée ou d’une référence ne trouve rien. Les majuscules comptent, sauf si tout est en majuscules.',
  found: 'Trouvé pour « {q} »',
  unknownField: 'Champ inconnu : {field}. Les champs sont {fields}.',
  badValue: '« {value} » n’est pas une valeur possible de ce champ.',
  onDay: 'Paiements du {day}',
  asList: '{kind} : ouvrir en liste',
  moreInList: '{kind} : il y en a d’autres, ouvrir la liste',
}

export const SEARCH_WORDS: Readonly<Record<Lang, SearchWords>> = { en, fr: withFrenchSpaces(fr) }
