import { ifGiven, present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { CallbackRequest, Claim, OpenAccount, Operator, OperatorKind } from '../operator.ts'
import { base32, jsonOf, ourFault, refused, textIn } from '../wire-kit.ts'
import { readCreated, readNothing, readStatus } from './answers.ts'
import { FORM, PROFILE } from './profile.ts'
import { createRequest, isWhole, segmentOf, statusRequest, tokenRequest } from './requests.ts'

/** Orange Money Web Payment: a page of Orange, on which the customer enters a one-time code. */
export const ORANGE_WEBPAY: OperatorKind = {
  name: 'orange-webpay',
  form: FORM,
  authType: 'REDIRECT_AUTH',
  open,
}

function open(account: OpenAccount): Operator {
  return {
    profile: PROFILE,
    // A UUID is too long.
    prepare: (order) => ({ reference: base32(account.referenceOf(order)) }),
    submit: (order, reference) =>
      obstacle(account, order) ?? {
        tokens: ['access'],
        request: (token = '') => createRequest(account, order, reference, token),
        read: (answer) => readCreated(answer, order),
      },
    query: (order, reference) => {
      const payToken = order.ids?.payToken
      if (payToken === undefined) return readNothing(order, account.now())
      return {
        tokens: ['access'],
        request: (token = '') => statusRequest(account, order, reference, payToken, token),
        read: (answer) => readStatus(answer, order, reference),
      }
    },
    tokens: { access: tokenSource(account) },
    isTokenRefused: ({ status }) => status === 401,
    readCallback,
  }
}

/** Why an order cannot be sent at all. */
function obstacle(account: OpenAccount, order: ProviderOrder): Outcome | undefined {
  if (segmentOf(account, order) === undefined) {
    return ourFault(`no path is known for ${order.provider}: set "country"`)
  }
  if (!isWhole(order)) return refused('UNSPECIFIED_FAILURE', 'Orange takes whole amounts only')
  return undefined
}

const tokenSource = (account: OpenAccount): Operator['tokens'][string] => ({
  request: () => tokenRequest(account),
  read: ({ json }) => {
    const value = textIn(json, 'access_token')
    const seconds = Number(textIn(json, 'expires_in') ?? '3600')
    return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
  },
})

/** Tokens are shorter by far. */
const LONGEST_TOKEN = 200

/**
 * The order is in the address. Whether the token is the right one shows beside that of the page,
 * when Orange is asked.
 */
function readCallback({ raw }: CallbackRequest): Claim {
  const token = textIn(jsonOf(raw), 'notif_token')
  return {
    isGenuine: true,
    reply: { status: 200 },
    ...present({
      ids: ifGiven(token, (given) => ({ callbackNotifToken: given.slice(0, LONGEST_TOKEN) })),
    }),
  }
}
