import type { Provider } from './provider.ts'

export const PHONE_PATTERN = '^[0-9]{1,32}$'

/**
 * A number fits a provider when it carries the country's calling code and has a length the country
 * uses. The network prefix is not judged: numbers move between operators and keep their prefix.
 */
export function fitsProvider(phoneNumber: string, provider: Provider): boolean {
  if (!phoneNumber.startsWith(provider.callingCode)) return false
  return provider.nationalNumberLengths.includes(phoneNumber.length - provider.callingCode.length)
}

/** Test numbers stand outside the number plan in places, so they are matched before any rule. */
export function isTestNumber(phoneNumber: string, provider: Provider): boolean {
  return Object.values(provider.testNumbers).some((numbers) =>
    numbers.some((number) => number.phoneNumber === phoneNumber),
  )
}

/** For the customer whose number it is: `+260 76 *** *789`. */
export function numberHint(phoneNumber: string, callingCode: string): string {
  const rest = phoneNumber.slice(callingCode.length)
  return `+${callingCode} ${rest.slice(0, 2)} *** *${rest.slice(-3)}`
}

/** Calling codes of the countries served have three digits, so a whole number shows its own. */
const WHOLE = /^[1-9]\d{10,14}$/

/**
 * The same of a number whose provider may not be known. One without a country stays as it was
 * written, such as `076 *** *789`; what is too short for that shows nothing.
 */
export function hiddenNumber(phoneNumber: string, callingCode?: string): string {
  const code = callingCode ?? (WHOLE.test(phoneNumber) ? phoneNumber.slice(0, 3) : undefined)
  if (code !== undefined && phoneNumber.startsWith(code)) return numberHint(phoneNumber, code)
  return phoneNumber.length < 9 ? '***' : `${phoneNumber.slice(0, 3)} *** *${phoneNumber.slice(-3)}`
}

/** In files, for people who may not see it whole: `260*****789`. */
export const maskedNumber = (phoneNumber: string): string =>
  phoneNumber.slice(0, 3) + '*'.repeat(Math.max(3, phoneNumber.length - 6)) + phoneNumber.slice(-3)

/** For reading: the calling code, then digits in groups. */
export function spacedNumber(phoneNumber: string, callingCode: string): string {
  const rest = phoneNumber.slice(callingCode.length)
  return `+${callingCode} ${rest.replaceAll(/\d{3}(?=\d{2})/g, '$& ')}`
}
