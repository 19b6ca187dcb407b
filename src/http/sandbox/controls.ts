import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import {
  type ControlRefusal,
  changeAvailability,
  changeReturnSchemes,
  letReceiverFail,
  resetMerchant,
  setCallbackUrls,
  setIdentifiers,
  setSignatures,
  setWalletBalance,
} from '../../usecases/sandbox/controls.ts'
import { invalid } from '../../wire/fault.ts'
import {
  AvailabilityChange,
  CallbackUrls,
  IdentifierChange,
  ReceiverChange,
  ReturnSchemes,
  readAvailabilityChange,
  readCallbackUrls,
  readIdentifierChange,
  readReceiverChange,
  readReturnSchemes,
  readSignatureChange,
  readWalletChange,
  SignatureChange,
  WalletChange,
} from '../../wire/sandbox/controls.ts'
import type { Endpoint } from '../endpoint.ts'
import { clockEndpoints } from './clock.ts'
import { control } from './control.ts'
import { deliveries } from './deliveries.ts'
import { phoneEndpoints } from './phones.ts'

/** The controls of the sandbox. In production these paths do not exist. */
export function sandboxEndpoints(ctx: SandboxContext): readonly Endpoint[] {
  return [
    callbacks(ctx),
    receiver(ctx),
    signatures(ctx),
    returnSchemes(ctx),
    identifiers(ctx),
    availability(ctx),
    wallets(ctx),
    ...phoneEndpoints(ctx),
    ...clockEndpoints(ctx),
    deliveries(ctx),
    reset(ctx),
  ]
}

/** What opens a sentence of its own goes on after a colon here. */
const inSentence = (text: string): string => text.replace(/^The /, 'the ')

function refuseIf(refusal: ControlRefusal | undefined): void {
  if (refusal !== undefined) throw invalid(refusal.field, inSentence(refusal.problem))
}

const callbacks = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/callbacks',
  operationId: 'setCallbackUrls',
  summary: 'Set callback addresses',
  description: 'One address for each kind of payment. A kind not named stays; null removes it.',
  body: CallbackUrls,
  answer: undefined,
  handle: async ({ caller, body }) => {
    refuseIf(await setCallbackUrls(ctx, caller.merchant, readCallbackUrls(body())))
    return undefined
  },
})

const receiver = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/receiver',
  operationId: 'setReceiver',
  summary: 'Let your callback receiver fail',
  description:
    'While it fails, no request is sent: every attempt of every callback is kept as answered with ' +
    '500, and tried again by the schedule. `fails: false` calls your addresses again, from the ' +
    'next attempt on.',
  body: ReceiverChange,
  answer: undefined,
  handle: async ({ caller, body }) => {
    await letReceiverFail(ctx, caller.merchant, readReceiverChange(body()).fails)
    return undefined
  },
})

const signatures = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/signatures',
  operationId: 'setSignatures',
  summary: 'Set your keys and how signatures are used',
  description:
    'Your public keys, whether initiations must be signed and how, whether callbacks are, and in ' +
    'which form the service signs. What is not named stays.',
  body: SignatureChange,
  answer: undefined,
  handle: async ({ caller, body }) => {
    const { keys, ...settings } = readSignatureChange(body())
    const named = keys?.map(({ id, key }) => ({ keyId: id, pem: key }))
    refuseIf(await setSignatures(ctx, caller.merchant, { ...settings, keys: named }))
    return undefined
  },
})

const returnSchemes = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/return-schemes',
  operationId: 'setReturnSchemes',
  summary: 'Set the schemes of your apps',
  description:
    'Customers may return to https addresses, and to those that begin with one of these schemes. ' +
    'Schemes with which an address is a program or a file are refused.',
  body: ReturnSchemes,
  answer: undefined,
  handle: async ({ caller, body }) => {
    refuseIf(await changeReturnSchemes(ctx, caller.merchant, readReturnSchemes(body()).schemes))
  },
})

const identifiers = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/identifiers',
  operationId: 'setIdentifiers',
  summary: 'Allow identifiers of every UUID version',
  description:
    'For clients that derive the identifiers of payments, with version 5 or 7, so that a repeat ' +
    'has the same one. `anyUuid: false` allows version 4 only again.',
  body: IdentifierChange,
  answer: undefined,
  handle: async ({ caller, body }) => {
    await setIdentifiers(ctx, caller.merchant, readIdentifierChange(body()))
    return undefined
  },
})

const availability = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/availability',
  operationId: 'setAvailability',
  summary: 'Switch a provider on or off',
  description: 'OPERATIONAL, DELAYED or CLOSED for one operation of one provider, for you alone.',
  body: AvailabilityChange,
  answer: undefined,
  handle: async ({ caller, body }) => {
    const { provider, operationType, status } = readAvailabilityChange(body())
    const entry = { provider, operation: operationType, status }
    refuseIf(await changeAvailability(ctx, caller.merchant, entry))
    return undefined
  },
})

const wallets = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/wallets',
  operationId: 'setWalletBalance',
  summary: 'Set the balance of a wallet',
  description:
    'Posts the difference as a balanced adjustment. With `provider` a wallet of that provider ' +
    'alone is made, if there was none, and its payments use it from then on.',
  body: WalletChange,
  answer: undefined,
  handle: async ({ caller, body }) => {
    refuseIf(await setWalletBalance(ctx, caller.merchant, readWalletChange(body())))
    return undefined
  },
})

const reset = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'POST',
  path: '/sandbox/reset',
  operationId: 'resetSandbox',
  summary: 'Start over',
  description:
    'Forgets all payments of the account, fills its wallets again, opens every provider and calls ' +
    'your receiver again. Tokens and callback addresses stay.',
  answer: undefined,
  handle: async ({ caller }) => {
    await resetMerchant(ctx, caller.merchant)
    return undefined
  },
})
