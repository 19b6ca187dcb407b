import { present } from '../../domain/present.ts'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { Balance, Look, OpenAccount, Operator, OperatorKind, Step } from '../operator.ts'
import { hex32, jsonOf, ourFault, refused, textIn } from '../wire-kit.ts'
import { isTokenRefused, readCreated, readRefunded, readStatus } from './answers.ts'
import { isHashRight, rsaKeyOf } from './crypto.ts'
import { COUNTRIES, FORM, PROFILE } from './profile.ts'
import {
  balanceRequest,
  type Client,
  createRequest,
  isSigned,
  type Place,
  statusRequest,
  tokenRequest,
  type Wallet,
  type Way,
  wayOf,
} from './requests.ts'

/** Airtel Africa Open API: collections and disbursements in fourteen countries. */
export const AIRTEL: OperatorKind = {
  name: 'airtel',
  form: FORM,
  authType: 'PROVIDER_AUTH',
  open,
}

/** One token for everything that the account may do. */
const TOKENS = ['access'] as const

function open(account: OpenAccount): Operator {
  const { publicKey, callbackKey } = account.secrets
  const client: Client = {
    account,
    rsaKey: typeof publicKey === 'string' ? rsaKeyOf(publicKey) : undefined,
  }
  return {
    profile: PROFILE,
    // Letters and digits only.
    prepare: (order) => ({ reference: hex32(account.referenceOf(order)) }),
    submit: (order, reference) => submit(client, order, reference),
    query: (order, reference) => query(account, order, reference),
    tokens: { access: tokenSource(account) },
    isTokenRefused,
    readCallback: ({ raw }) => ({
      reply: { status: 200 },
      isGenuine: typeof callbackKey !== 'string' || isHashRight(raw, callbackKey),
      ...present({ reference: textIn(jsonOf(raw), 'transaction', 'id') }),
    }),
    balances: balancesOf(account),
  }
}

function submit(client: Client, order: ProviderOrder, reference: string): Step | Outcome {
  const way = wayOf(client.account, order)
  if (way === 'none') {
    return refused(
      'UNSPECIFIED_FAILURE',
      'Airtel gives back whole amounts only, and the account may not pay out instead',
    )
  }
  const missing = missingFor(client, way)
  if (missing !== undefined) return ourFault(missing)
  const read = way === 'refund' ? readRefunded : readCreated
  return {
    tokens: TOKENS,
    request: (token = '') => createRequest(client, order, reference, token),
    read: (answer) => named(read(answer, order), order, way),
  }
}

function missingFor({ account, rsaKey }: Client, way: Way): string | undefined {
  const needsKey = way === 'disbursement' || isSigned(account, way)
  if (needsKey && rsaKey === undefined) return 'secrets.publicKey is missing, or is no RSA key'
  const needsPin = way === 'disbursement' && account.secrets.pin === undefined
  return needsPin ? 'secrets.pin is missing' : undefined
}

function query(account: OpenAccount, order: ProviderOrder, reference: string): Step | Outcome {
  const way = wayOf(account, order)
  // A refund has no reference of ours, and was answered or not: a person has to find out.
  if (way === 'refund') return named({ kind: 'UNKNOWN', why: 'AMBIGUOUS' }, order, way)
  return {
    tokens: TOKENS,
    request: (token = '') => statusRequest(account, order, reference, token),
    read: (answer) => named(readStatus(answer, order), order, way),
  }
}

/** Says of a refund how it was made, as long as it is not over. */
function named(outcome: Outcome, { operation }: ProviderOrder, way: Way): Outcome {
  if (operation !== 'REFUND') return outcome
  if (outcome.kind !== 'PENDING' && outcome.kind !== 'UNKNOWN') return outcome
  return { ...outcome, ids: { ...outcome.ids, by: way === 'refund' ? 'refund' : 'payout' } }
}

const tokenSource = (account: OpenAccount): Operator['tokens'][string] => ({
  request: () => tokenRequest(account),
  read: ({ json }) => {
    const value = textIn(json, 'access_token')
    const seconds = Number(textIn(json, 'expires_in') ?? '180')
    return value === undefined ? undefined : { value, livesMs: seconds * 1000 }
  },
})

const PRODUCTS: Readonly<Record<Wallet, string>> = { COLL: 'collection', DISB: 'disbursement' }

/** Each country and currency has its own wallets; two providers of one country share them. */
function balancesOf(account: OpenAccount): readonly Look<Balance>[] {
  const looks = new Map<string, Look<Balance>>()
  const isInOneCountry = new Set(Object.keys(account.providers).map(countryIn(account))).size === 1
  for (const [provider, operations] of Object.entries(account.providers)) {
    const country = countryIn(account)(provider)
    const wallets: Wallet[] = []
    if (operations.includes('DEPOSIT')) wallets.push('COLL')
    if (operations.some((one) => one === 'PAYOUT' || one === 'REMITTANCE')) wallets.push('DISB')
    for (const { currency } of account.catalog.find(provider)?.currencies ?? []) {
      for (const wallet of wallets) {
        const product = PRODUCTS[wallet] + (isInOneCountry ? '' : ` ${country}`)
        const look = balanceLook(account, { country, currency }, wallet, product)
        looks.set(look.name, look)
      }
    }
  }
  return [...looks.values()]
}

const countryIn =
  ({ catalog }: OpenAccount) =>
  (provider: string): string =>
    COUNTRIES[catalog.find(provider)?.country ?? ''] ?? ''

const balanceLook = (
  account: OpenAccount,
  place: Place,
  wallet: Wallet,
  product: string,
): Look<Balance> => ({
  name: `balance (${product}, ${place.currency})`,
  tokens: TOKENS,
  request: (token = '') => balanceRequest(account, place, wallet, token),
  read: ({ status, json }) => {
    const amount = textIn(json, 'data', 'balance')
    if (status !== 200 || amount === undefined) return undefined
    const { currency } = place
    return { product, amount: amount.replaceAll(',', ''), currency }
  },
})
