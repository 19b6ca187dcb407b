import { present } from '../../domain/present.ts'
import type { OpenAccount, Operator, OperatorKind } from '../operator.ts'
import { jsonOf, textIn } from '../wire-kit.ts'
import { readCreated, readStatus } from './answers.ts'
import { FORM, PRODUCT_OF, PRODUCTS, PROFILE, type Product } from './profile.ts'
import {
  accountHeaders,
  createRequest,
  currencyOf,
  statusRequest,
  tokenRequest,
} from './requests.ts'

/** MTN MoMo Open API: collections, disbursements and remittances in fourteen countries. */
export const MTN_MOMO: OperatorKind = {
  name: 'mtn-momo',
  form: FORM,
  authType: 'PROVIDER_AUTH',
  open,
}

function open(account: OpenAccount): Operator {
  const products = PRODUCTS.filter((product) => account.secrets[product] !== undefined)
  return {
    profile: PROFILE,
    prepare: (order) => ({ reference: account.referenceOf(order) }),
    submit: (order, reference) => ({
      tokens: [PRODUCT_OF[order.operation]],
      request: (token = '') => createRequest(account, order, reference, token),
      read: (answer) => readCreated(answer, order),
    }),
    query: (order, reference) => ({
      tokens: [PRODUCT_OF[order.operation]],
      request: (token = '') => statusRequest(account, order, reference, token),
      read: (answer) => readStatus(answer, order, currencyOf(account, order)),
    }),
    tokens: Object.fromEntries(products.map((product) => [product, tokenSource(account, product)])),
    isTokenRefused: ({ status }) => status === 401,
    // Nothing in it can be trusted, and nothing is needed: the reference is in the address as well.
    readCallback: ({ raw }) => {
      const reference = textIn(jsonOf(raw), 'externalId')
      return {
        isGenuine: true,
        reply: { status: 200 },
        ...present({ reference }),
      }
    },
    balances: products.map((product) => ({
      name: `balance (${product})`,
      tokens: [product],
      request: (token = '') => ({
        method: 'GET',
        path: `/${product}/v1_0/account/balance`,
        headers: accountHeaders(account, product, token),
      }),
      read: ({ status, json }) => {
        const [amount, currency] = [textIn(json, 'availableBalance'), textIn(json, 'currency')]
        if (status !== 200 || amount === undefined || currency === undefined) return undefined
        return { product, amount, currency }
      },
    })),
  }
}

const tokenSource = (account: OpenAccount, product: Product): Operator['tokens'][string] => ({
  request: () => tokenRequest(account, product),
  read: ({ json }) => {
    const value = textIn(json, 'access_token')
    const seconds = Number(textIn(json, 'expires_in') ?? '3600')
    return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
  },
})
