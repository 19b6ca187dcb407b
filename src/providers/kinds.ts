import { AIRTEL } from './airtel/operator.ts'
import { DARAJA } from './daraja/operator.ts'
import { GSMA } from './gsma/operator.ts'
import { MPESA_OPENAPI } from './mpesa-openapi/operator.ts'
import { MTN_MOMO } from './mtn-momo/operator.ts'
import type { OperatorKind } from './operator.ts'
import { ORANGE_SONATEL } from './orange-sonatel/operator.ts'
import { ORANGE_WEBPAY } from './orange-webpay/operator.ts'
import { WAVE } from './wave/operator.ts'

/** Every connector that an account can name. */
export const OPERATOR_KINDS: readonly OperatorKind[] = [
  MTN_MOMO,
  DARAJA,
  MPESA_OPENAPI,
  AIRTEL,
  ORANGE_WEBPAY,
  ORANGE_SONATEL,
  WAVE,
  GSMA,
]

export const operatorKind = (name: string): OperatorKind | undefined =>
  OPERATOR_KINDS.find((one) => one.name === name)
