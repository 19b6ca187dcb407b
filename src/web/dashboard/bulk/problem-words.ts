/** What is wrong with a file, a row or a payout, in words that say how to put it right. */
import type { RowProblem } from '../../../domain/bulk/bulk-check.ts'
import type { FileFault } from '../../../domain/bulk/bulk-file.ts'
import { fill, type Lang, withFrenchSpaces } from '../../words.ts'
import { moneyText } from './parts.tsx'

const en = {
  file_EMPTY: 'Choose a file or paste rows.',
  file_NOT_TEXT: 'This is not a CSV file in UTF-8. In the spreadsheet, save as “CSV UTF-8”.',
  file_QUOTES: 'The quotation marks do not match. Save the file as CSV again.',
  file_TOO_LARGE: 'The file is larger than 1 MB. Divide it.',
  file_TOO_MANY_ROWS: 'The file has more than {max} rows. Divide it.',
  file_NO_ROWS: 'There are no rows under the column names.',
  file_UNKNOWN_COLUMN:
    'There is no column “{column}”. Use the names below; your own values go into columns such as metadata.orderId.',
  file_COLUMN_TWICE: 'The column “{column}” is there twice.',
  file_MISSING_COLUMN: 'The column “{column}” is missing from the first line.',
  file_TOO_MANY_CELLS: 'Row {row} has more cells than there are columns.',

  row_MISSING: 'Fill this in.',
  row_AMOUNT_FORM:
    'Write an amount such as 1500 or 15.50. A comma before three digits can be read in two ways.',
  row_AMOUNT_WHOLE: '{provider} takes whole amounts only.',
  row_AMOUNT_DECIMALS: '{provider} takes at most {decimals} decimals.',
  row_AMOUNT_BOUNDS: '{provider} takes {min} to {max}.',
  row_CURRENCY_FORM: 'Write three letters, such as ZMW.',
  row_CURRENCY_OTHER: '{provider} pays out in {currencies}.',
  row_PHONE_FORM:
    'Write digits with the country code. In the spreadsheet, format the column as text.',
  row_PHONE_COUNTRY:
    'The country code is missing. Write 260763456789 for 0763456789 in Zambia, for example.',
  row_PHONE_OTHER: '{provider} takes +{callingCode} and {lengths} digits.',
  row_PROVIDER_UNCLEAR:
    'The number does not tell the provider. Check its country code, or fill in the provider.',
  row_PROVIDER_UNKNOWN: 'There is no provider “{provider}” for payouts in {currency}.',
  row_PROVIDER_NOT_ALLOWED: 'Payouts with {provider} are not enabled for your account.',
  row_PROVIDER_CLOSED: '{provider} takes no payouts right now.',
  row_COUNTRY_OTHER: 'The country {country} is not one of yours.',
  row_ID_FORM: 'Write a UUID version 4, or leave it empty in the file.',
  row_ID_TWICE: 'Row {row} has the same payout id.',
  row_ID_USED: 'There is a payout with this id already.',
  row_MESSAGE_FORM: 'Write {min} to {max} letters without accents, digits and spaces.',
  row_REFERENCE_LONG: 'Write at most {max} characters.',
  row_METADATA_MANY: 'At most {max} metadata values in one row.',
  row_METADATA_FORM:
    'Metadata “{name}”: the name has at most {nameMax} characters, the value {valueMax}.',

  code_PAYOUTS_NOT_ALLOWED: 'Payouts with this provider are not enabled.',
  code_INVALID_PROVIDER: 'This provider cannot be used.',
  code_INVALID_CURRENCY: 'The provider does not pay out in this currency.',
  code_INVALID_PHONE_NUMBER: 'The number does not fit the provider.',
  code_INVALID_AMOUNT: 'The amount has too many decimals.',
  code_AMOUNT_OUT_OF_BOUNDS: 'The amount is outside the provider’s limits.',
  code_PROVIDER_TEMPORARILY_UNAVAILABLE: 'The provider took no payouts at that moment.',
  code_PAWAPAY_WALLET_OUT_OF_FUNDS: 'The wallet held too little at that moment.',
  code_UNKNOWN_ERROR:
    'The database was restored meanwhile, so it may have been paid. Ask the provider first.',
} as const

type ProblemWords = Readonly<Record<keyof typeof en, string>>

const fr: ProblemWords = {
  file_EMPTY: 'Choisissez un fichier ou collez des lignes.',
  file_NOT_TEXT:
    'Ce n’est pas un fichier CSV en UTF-8. Dans le tableur, enregistrez au format « CSV UTF-8 ».',
  file_QUOTES: 'Les guillemets ne se répondent pas. Enregistrez de nouveau le fichier en CSV.',
  file_TOO_LARGE: 'Le fichier dépasse 1 Mo. Divisez-le.',
  file_TOO_MANY_ROWS: 'Le fichier compte plus de {max} lignes. Divisez-le.',
  file_NO_ROWS: 'Il n’y a aucune ligne sous le nom des colonnes.',
  file_UNKNOWN_COLUMN:
    'La colonne « {column} » n’existe pas. Utilisez les noms ci-dessous ; vos propres valeurs vont dans des colonnes comme metadata.orderId.',
  file_COLUMN_TWICE: 'La colonne « {column} » figure deux fois.',
  file_MISSING_COLUMN: 'Il manque la colonne « {column} » dans la première ligne.',
  file_TOO_MANY_CELLS: 'La ligne {row} a plus de cases qu’il n’y a de colonnes.',

  row_MISSING: 'À compléter.',
  row_AMOUNT_FORM:
    'Écrivez un montant comme 1500 ou 15,50. Une virgule suivie de trois chiffres peut se lire de deux façons.',
  row_AMOUNT_WHOLE: '{provider} n’accepte que des montants entiers.',
  row_AMOUNT_DECIMALS: '{provider} accepte au plus {decimals} décimales.',
  row_AMOUNT_BOUNDS: '{provider} accepte de {min} à {max}.',
  row_CURRENCY_FORM: 'Écrivez trois lettres, par exemple ZMW.',
  row_CURRENCY_OTHER: '{provider} verse en {currencies}.',
  row_PHONE_FORM:
    'Écrivez des chiffres avec l’indicatif du pays. Dans le tableur, mettez la colonne au format texte.',
  row_PHONE_COUNTRY:
    'L’indicatif du pays manque. Pour 0763456789 en Zambie, par exemple, écrivez 260763456789.',
  row_PHONE_OTHER: '{provider} accepte +{callingCode} suivi de {lengths} chiffres.',
  row_PROVIDER_UNCLEAR:
    'Le numéro ne dit pas quel est l’opérateur. Vérifiez l’indicatif du pays ou indiquez l’opérateur.',
  row_PROVIDER_UNKNOWN: 'Aucun opérateur « {provider} » ne verse en {currency}.',
  row_PROVIDER_NOT_ALLOWED: 'Les versements avec {provider} ne sont pas activés pour votre compte.',
  row_PROVIDER_CLOSED: '{provider} n’accepte aucun versement en ce moment.',
  row_COUNTRY_OTHER: 'Le pays {country} ne fait pas partie des vôtres.',
  row_ID_FORM: 'Écrivez un UUID version 4, ou laissez la case vide dans le fichier.',
  row_ID_TWICE: 'La ligne {row} porte le même identifiant.',
  row_ID_USED: 'Un versement porte déjà cet identifiant.',
  row_MESSAGE_FORM: 'Écrivez {min} à {max} lettres sans accent, chiffres et espaces.',
  row_REFERENCE_LONG: 'Écrivez au plus {max} caractères.',
  row_METADATA_MANY: 'Au plus {max} métadonnées par ligne.',
  row_METADATA_FORM:
    'Métadonnée « {name} » : le nom a au plus {nameMax} caractères, la valeur {valueMax}.',

  code_PAYOUTS_NOT_ALLOWED: 'Les versements avec cet opérateur ne sont pas activés.',
  code_INVALID_PROVIDER: 'Cet opérateur ne peut pas être utilisé.',
  code_INVALID_CURRENCY: 'L’opérateur ne verse pas dans cette devise.',
  code_INVALID_PHONE_NUMBER: 'Le numéro ne convient pas à l’opérateur.',
  code_INVALID_AMOUNT: 'Le montant a trop de décimales.',
  code_AMOUNT_OUT_OF_BOUNDS: 'Le montant est hors des limites de l’opérateur.',
  code_PROVIDER_TEMPORARILY_UNAVAILABLE: 'L’opérateur n’acceptait aucun versement à ce moment.',
  code_PAWAPAY_WALLET_OUT_OF_FUNDS: 'Le portefeuille ne contenait pas assez à ce moment.',
  code_UNKNOWN_ERROR:
    'La base de données a été restaurée entre-temps : le versement a peut-être eu lieu. Demandez d’abord à l’opérateur.',
}

const WORDS: Readonly<Record<Lang, ProblemWords>> = { en, fr: withFrenchSpaces(fr) }

export const faultText = ({ rule, values = {} }: FileFault, lang: Lang): string =>
  fill(WORDS[lang][`file_${rule}`], values)

export const problemText = ({ rule, values }: RowProblem, lang: Lang): string =>
  fill(WORDS[lang][`row_${rule}`], rule === 'AMOUNT_BOUNDS' ? inMoney(values, lang) : values)

function inMoney({ min, max, currency, ...rest }: RowProblem['values'], lang: Lang) {
  const text = (bound: string | number = ''): string =>
    moneyText(String(bound), String(currency), lang)
  return { ...rest, min: text(min), max: text(max) }
}

/** Empty where the code says all there is to say. */
export const codeText = (code: string, lang: Lang): string =>
  WORDS[lang][`code_${code}` as keyof ProblemWords] ?? ''
