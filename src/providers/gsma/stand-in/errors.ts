import { ifGiven, present } from '../../../domain/present.ts'
import type { StandInAnswer } from '../../stand-in/operator.ts'

/** Each category has its HTTP status. */
const STATUS_OF = {
  businessRule: 400,
  validation: 400,
  authorisation: 401,
  identification: 404,
} as const

type Category = keyof typeof STATUS_OF

/** What is not here is a rule of the business. */
const CATEGORY_OF: Readonly<Record<string, Category>> = {
  lengthError: 'validation',
  formatError: 'validation',
  negativeValue: 'validation',
  currencyNotSupported: 'validation',
  mandatoryValueNotSupplied: 'validation',
  invalidOffset: 'validation',
  clientAuthorisationError: 'authorisation',
  requestDeclined: 'authorisation',
  requestingPartyAuthorisationError: 'authorisation',
  servicingPartyAuthorisationError: 'authorisation',
  identifierError: 'identification',
}

const categoryOf = (code: string): Category => CATEGORY_OF[code] ?? 'businessRule'

/** An error as the operator writes it, with the member that it is about. */
export const errorBody = (errorCode: string, about?: string): object => ({
  errorCategory: categoryOf(errorCode),
  errorCode,
  errordescription: about === undefined ? errorCode : `${errorCode}: ${about}`,
  errorDateTime: new Date().toISOString(),
  ...present({ errorParameters: ifGiven(about, (value) => [{ key: 'property', value }]) }),
})

export const refusal = (errorCode: string, about?: string): StandInAnswer => ({
  status: STATUS_OF[categoryOf(errorCode)],
  body: errorBody(errorCode, about),
})
