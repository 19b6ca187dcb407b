import { actOnPhone } from '../../usecases/sandbox/act-on-phone.ts'
import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import { readPhone, takePhone } from '../../usecases/sandbox/phone.ts'
import { messagesOf } from '../../usecases/sandbox/phone-entries.ts'
import { invalid, RequestFault } from '../../wire/fault.ts'
import {
  fromPhone,
  PhoneActionAnswer,
  PhoneActionRequest,
  PhoneScript,
  PhoneState,
  readPhoneAction,
  readPhoneScript,
} from '../../wire/sandbox/phones.ts'
import type { Endpoint } from '../endpoint.ts'
import { control } from './control.ts'
import { ACTION_EXAMPLES, PHONE_EXAMPLES } from './examples.ts'

/** The virtual phone: how a number behaves, what it shows, and what a person does with it. */
export const phoneEndpoints = (ctx: SandboxContext): readonly Endpoint[] => [
  setting(ctx),
  view(ctx),
  actions(ctx),
]

function msisdnIn(params: Readonly<Record<string, string>>): string {
  const number = params.msisdn ?? ''
  if (!/^[0-9]{1,32}$/.test(number))
    throw invalid('msisdn', 'it must be 1 to 32 digits and nothing else')
  return number
}

const setting = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'PUT',
  path: '/sandbox/phones/:msisdn',
  operationId: 'setPhoneScript',
  summary: 'Set how a number behaves',
  description:
    'A script overrides the table outcome of the number for every operation. `afterSeconds` counts ' +
    'from the moment the operator gets the order; in the mode `interactive` deposits wait for the ' +
    'phone, and it counts from the approval. An empty script goes by the tables again. Receipts ' +
    'are kept for numbers that were set once.',
  body: PhoneScript,
  answer: undefined,
  handle: async ({ caller, params, body }) => {
    await takePhone(ctx, caller.merchant, msisdnIn(params), readPhoneScript(body()))
    return undefined
  },
})

const view = (ctx: SandboxContext): Endpoint => ({
  ...control('read'),
  method: 'GET',
  path: '/sandbox/phones/:msisdn',
  operationId: 'getPhone',
  summary: 'Look at a phone',
  description: 'How the number behaves, the payment it asks about, and the messages it got.',
  answer: PhoneState,
  examples: PHONE_EXAMPLES,
  handle: async ({ caller, params }) => {
    const phone = await readPhone(ctx, caller.merchant, msisdnIn(params))
    return fromPhone({ ...phone, messages: messagesOf(phone.entries, 'en') })
  },
})

const actions = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'POST',
  path: '/sandbox/phones/:msisdn/actions',
  operationId: 'actOnPhone',
  summary: 'Do what a person does with a phone',
  description:
    'Approves or declines the payment on the screen, or dials a code: a short code brings a ' +
    'waiting payment onto the screen, or makes a one-time code. 404 when there is nothing to ' +
    'approve or decline.',
  body: PhoneActionRequest,
  answer: PhoneActionAnswer,
  examples: ACTION_EXAMPLES,
  refusals: [400, 401, 403, 404],
  handle: async ({ caller, params, body }) => {
    const number = msisdnIn(params)
    const reply = await actOnPhone(ctx, caller.merchant, number, readPhoneAction(body()))
    if (reply.kind === 'NO_PROMPT') throw new RequestFault('NOT_FOUND', reply.message)
    if (reply.kind === 'UNKNOWN_CODE') throw invalid('code', reply.message)
    const { message } = reply
    return reply.kind === 'CODE' ? { message, code: reply.code } : { message }
  },
})
