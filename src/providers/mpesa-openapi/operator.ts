import type { OpenAccount, Operator, OperatorKind } from '../operator.ts'
import { hex32 } from '../wire-kit.ts'
import { isSessionRefused, readCallback, readCreated, readSession, readStatus } from './answers.ts'
import { readPublicKey } from './crypto.ts'
import { FORM, PROFILE, SESSION } from './profile.ts'
import { createRequest, faultOf, sessionRequest, statusRequest, wayOf } from './requests.ts'

/** The OpenAPI platform of M-Pesa, version 2, for the markets of Vodacom and Vodafone. */
export const MPESA_OPENAPI: OperatorKind = {
  name: 'mpesa-openapi',
  form: FORM,
  authType: 'PROVIDER_AUTH',
  open,
}

function open(account: OpenAccount): Operator {
  const sealing = { account, key: readPublicKey(String(account.secrets.publicKey)) }
  return {
    profile: PROFILE,
    // Look-ups take 32 letters and digits at most.
    prepare: (order) => ({ reference: hex32(account.referenceOf(order)) }),
    submit: (order, reference) => {
      const refundBy = wayOf(account, order) === 'reverse' ? 'reversal' : 'payout'
      const by = order.operation === 'REFUND' ? refundBy : undefined
      return (
        faultOf(account, order) ?? {
          tokens: ['session'],
          request: (session = '') => createRequest(sealing, order, reference, session),
          read: (answer) => readCreated(answer, order, by),
        }
      )
    },
    query: (order, reference) => ({
      tokens: ['session'],
      request: (session = '') => statusRequest(sealing, reference, session),
      read: (answer) => readStatus(answer, order),
    }),
    tokens: {
      session: {
        request: () => sessionRequest(sealing),
        read: (answer) => {
          const value = readSession(answer)
          return value === undefined ? undefined : { value, ...SESSION }
        },
      },
    },
    isTokenRefused: isSessionRefused,
    readCallback,
  }
}
