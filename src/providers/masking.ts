import type { Secrets } from '../domain/operators/account.ts'

/** What is kept of an exchange, for people: no secret, no code, and numbers without their middle. */
export type Mask = (text: string) => string

/** Members whose values nobody may read, however their names are written. */
const SECRET_MEMBERS =
  /("(?:[^"\\]|\\.)*(?:pin|otp|onetimecode|password|secret|credential|token|merchant_key|apikey|api_key|sessionid|authorization)(?:[^"\\]|\\.)*"\s*:\s*)("(?:[^"\\]|\\.)*"|-?\d[\d.]*)/gi

/** The same in a form or in the query of an address. */
const SECRET_PARAMETERS =
  /((?:^|[?&])[^=&\s]*(?:pin|otp|password|secret|credential|token|key)[^=&\s]*=)[^&\s]+/gi

/** Addresses that are a secret: of our callbacks, and of pages on which customers pay. */
const SECRET_LINKS = /(\/(?:operators\/[\w-]+|pay|checkout|pay_token)\/)[\w-]{20,}/g

/** Phone numbers, with or without a country: the beginning and the last two digits stay. */
const NUMBERS = /(?<![\w+-])(?<!\d\.)(\+?\d{3})\d{3,9}(\d{2})(?![\w-]|\.\d)/g

const KEPT_MAX = 4096

/** The number of a customer also where it is a part of something longer, such as an identifier. */
export const withoutNumber = (text: string, phoneNumber: string): string =>
  text.replaceAll(phoneNumber.slice(-8), `***${phoneNumber.slice(-2)}`)

export function createMask(secrets: Secrets): Mask {
  const values = Object.values(secrets)
    .flatMap((one) => (typeof one === 'string' ? [one] : Object.values(one)))
    .filter((one) => one.length >= 4)
    .toSorted((a, b) => b.length - a.length)
  return (text) => {
    let masked = text
    for (const value of values) masked = masked.replaceAll(value, '***')
    masked = masked
      .replace(SECRET_MEMBERS, '$1"***"')
      .replace(SECRET_PARAMETERS, '$1***')
      .replace(SECRET_LINKS, '$1***')
      .replace(NUMBERS, '$1***$2')
    return masked.length > KEPT_MAX ? `${masked.slice(0, KEPT_MAX)}…` : masked
  }
}
