import type { Unpredictable } from '../domain/payments/prediction.ts'

/** Why a number is refused, in words for its sender. */
export const UNPREDICTABLE: Readonly<Record<Unpredictable, string>> = {
  UNKNOWN_COUNTRY:
    'it must begin with the country code of a country that this service reaches, such as 260',
  UNKNOWN_NETWORK:
    'its length and its first digits belong to no provider that this service reaches',
}
