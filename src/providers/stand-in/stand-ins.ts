import { AIRTEL_STAND_IN } from '../airtel/stand-in/operator.ts'
import { DARAJA_STAND_IN } from '../daraja/stand-in/operator.ts'
import { GSMA_STAND_IN } from '../gsma/stand-in/operator.ts'
import { MPESA_OPENAPI_STAND_IN } from '../mpesa-openapi/stand-in/operator.ts'
import { MTN_MOMO_STAND_IN } from '../mtn-momo/stand-in/operator.ts'
import { ORANGE_SONATEL_STAND_IN } from '../orange-sonatel/stand-in/operator.ts'
import { ORANGE_WEBPAY_STAND_IN } from '../orange-webpay/stand-in/operator.ts'
import { WAVE_STAND_IN } from '../wave/stand-in/operator.ts'
import type { StandInOperator } from './operator.ts'

export { startStandIn } from './server.ts'

/** Every operator that has one. */
export const STAND_INS: readonly StandInOperator[] = [
  MTN_MOMO_STAND_IN,
  DARAJA_STAND_IN,
  MPESA_OPENAPI_STAND_IN,
  AIRTEL_STAND_IN,
  ORANGE_WEBPAY_STAND_IN,
  ORANGE_SONATEL_STAND_IN,
  WAVE_STAND_IN,
  GSMA_STAND_IN,
]
