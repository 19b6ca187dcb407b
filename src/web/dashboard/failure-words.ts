/**
 * Every failure code in words. What operators and the API say is kept in English; a page says it in
 * the language of its reader, with the code beside it.
 */
import {
  type Failure,
  type FailureCode,
  isPaymentFailureCode,
  PAYMENT_FAILURE_MESSAGES,
} from '../../domain/failure.ts'
import { type Lang, withFrenchSpaces } from '../words.ts'

type Texts = Readonly<Record<FailureCode, string>>

const en: Texts = {
  ...PAYMENT_FAILURE_MESSAGES,
  AUTHENTICATION_ERROR: 'The API token is missing or not valid.',
  AUTHORISATION_ERROR: 'The API token may not do this.',
  DEPOSITS_NOT_ALLOWED: 'Deposits are not enabled for your account.',
  PAYOUTS_NOT_ALLOWED: 'Payouts are not enabled for your account.',
  REFUNDS_NOT_ALLOWED: 'Refunds are not enabled for your account.',
  REMITTANCES_NOT_ALLOWED: 'Remittances are not enabled for your account.',
  SPLIT_PAYMENTS_NOT_ALLOWED: 'Split payments are not enabled for your account.',
  INVALID_INPUT: 'The request cannot be read.',
  MISSING_PARAMETER: 'A required value is missing.',
  INVALID_PARAMETER: 'A value does not have the required form.',
  UNSUPPORTED_PARAMETER: 'A value was sent that is not known here.',
  DUPLICATE_METADATA_FIELD: 'A metadata field is there twice.',
  INVALID_PROVIDER: 'This provider cannot be used.',
  INVALID_CURRENCY: 'The provider does not take this currency.',
  INVALID_COUNTRY: 'This country cannot be used.',
  INVALID_PHONE_NUMBER: 'The phone number does not fit the provider.',
  INVALID_AMOUNT: 'The amount does not have the form that the provider takes.',
  AMOUNT_OUT_OF_BOUNDS: 'The amount is outside the provider’s limits.',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'The provider takes no payments of this kind right now.',
  NOT_FOUND: 'It was not found.',
  INVALID_STATE: 'Its status does not allow this.',
  AMOUNT_TOO_LARGE: 'The amount is more than what can still be refunded.',
  REFUND_IN_PROGRESS: 'Another refund of this deposit is under way.',
  DEPOSIT_ALREADY_REFUNDED: 'The deposit has been refunded in full.',
  PAYOUT_EXCEEDS_DEPOSIT: 'The payouts come to more than the deposit.',
  INVALID_CALLBACK_URL: 'The callback URL cannot be used.',
  INVALID_DATE_RANGE: 'The period cannot be used.',
  WALLET_NOT_FOUND: 'There is no such wallet.',
}

const fr: Texts = {
  PAYMENT_NOT_APPROVED: 'Le client n’a pas validé le paiement.',
  INSUFFICIENT_BALANCE: 'Le solde du client est insuffisant.',
  PAYMENT_IN_PROGRESS:
    'Un autre paiement du client attend sa validation. Réessayez dans une dizaine de minutes.',
  PAYER_NOT_FOUND: 'Ce numéro n’a pas de compte chez cet opérateur.',
  PAYER_LIMIT_REACHED: 'Le client a atteint un plafond de son compte.',
  TRANSACTION_ALREADY_IN_PROCESS: 'L’opérateur traite encore un autre paiement de ce client.',
  RECIPIENT_NOT_FOUND: 'Ce numéro n’a pas de compte chez cet opérateur.',
  WALLET_LIMIT_REACHED: 'Le plafond du compte ne permet pas de recevoir ce montant.',
  RECIPIENT_LIMIT_REACHED: 'Le bénéficiaire a atteint un plafond de son compte.',
  PAWAPAY_WALLET_OUT_OF_FUNDS:
    'Votre portefeuille ne contenait pas assez pour ce paiement. Approvisionnez-le, puis lancez un nouveau paiement.',
  MANUALLY_CANCELLED: 'Le paiement a été annulé alors qu’il attendait l’opérateur.',
  UNSPECIFIED_FAILURE: 'L’opérateur a mis fin au paiement sans dire pourquoi.',
  OTHER_ERROR: 'L’opérateur a mis fin au paiement pour une raison qui n’a pas de code.',
  UNKNOWN_ERROR: 'Le paiement a échoué pour une raison inconnue.',
  AUTHENTICATION_ERROR: 'Le jeton d’API est absent ou n’est pas valable.',
  AUTHORISATION_ERROR: 'Le jeton d’API n’en donne pas le droit.',
  DEPOSITS_NOT_ALLOWED: 'Les dépôts ne sont pas activés pour votre compte.',
  PAYOUTS_NOT_ALLOWED: 'Les versements ne sont pas activés pour votre compte.',
  REFUNDS_NOT_ALLOWED: 'Les remboursements ne sont pas activés pour votre compte.',
  REMITTANCES_NOT_ALLOWED: 'Les transferts ne sont pas activés pour votre compte.',
  SPLIT_PAYMENTS_NOT_ALLOWED: 'Les paiements partagés ne sont pas activés pour votre compte.',
  INVALID_INPUT: 'La requête est illisible.',
  MISSING_PARAMETER: 'Il manque une valeur obligatoire.',
  INVALID_PARAMETER: 'Une valeur n’a pas la forme attendue.',
  UNSUPPORTED_PARAMETER: 'Une valeur envoyée est inconnue ici.',
  DUPLICATE_METADATA_FIELD: 'Un champ de métadonnées figure deux fois.',
  INVALID_PROVIDER: 'Cet opérateur ne peut pas être utilisé.',
  INVALID_CURRENCY: 'L’opérateur n’accepte pas cette devise.',
  INVALID_COUNTRY: 'Ce pays ne peut pas être utilisé.',
  INVALID_PHONE_NUMBER: 'Le numéro de téléphone ne convient pas à l’opérateur.',
  INVALID_AMOUNT: 'Le montant n’a pas la forme acceptée par l’opérateur.',
  AMOUNT_OUT_OF_BOUNDS: 'Le montant est hors des limites de l’opérateur.',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'L’opérateur n’accepte pas ce type de paiement en ce moment.',
  NOT_FOUND: 'Introuvable.',
  INVALID_STATE: 'Son statut ne le permet pas.',
  AMOUNT_TOO_LARGE: 'Le montant dépasse ce qui peut encore être remboursé.',
  REFUND_IN_PROGRESS: 'Un autre remboursement de ce dépôt est en cours.',
  DEPOSIT_ALREADY_REFUNDED: 'Le dépôt a déjà été remboursé en entier.',
  PAYOUT_EXCEEDS_DEPOSIT: 'Le total des versements dépasse le dépôt.',
  INVALID_CALLBACK_URL: 'L’URL de callback ne peut pas être utilisée.',
  INVALID_DATE_RANGE: 'La période ne peut pas être utilisée.',
  WALLET_NOT_FOUND: 'Ce portefeuille n’existe pas.',
}

const FAILURE_TEXTS: Readonly<Record<Lang, Texts>> = { en, fr: withFrenchSpaces(fr) }

/** The code itself where an older record has one that is not known any more. */
export const codeMeaning = (code: string, lang: Lang): string =>
  (FAILURE_TEXTS[lang] as Readonly<Record<string, string>>)[code] ?? code

/** With what was reported beyond the usual words of the code, as it was reported. */
export function failureText({ code, message }: Failure, lang: Lang): string {
  const isUsual =
    message === '' || (isPaymentFailureCode(code) && message === PAYMENT_FAILURE_MESSAGES[code])
  const meaning = codeMeaning(code, lang)
  return isUsual ? meaning : `${meaning} (${message})`
}
