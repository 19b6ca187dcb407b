/** What the buttons of the sandbox do. Each ends with a message for the next page. */

import { CALLBACK_KINDS, type Merchant } from '../../../domain/accounts/merchant.ts'
import { AMOUNT_PATTERN } from '../../../domain/amount.ts'
import { parsePaymentId } from '../../../domain/ids.ts'
import { fitsProvider, isTestNumber } from '../../../domain/phone-number.ts'
import { AVAILABILITIES, OPERATION_TYPES, type Provider } from '../../../domain/provider.ts'
import type { Caller } from '../../../usecases/accounts/merchant-directory.ts'
import type { Context } from '../../../usecases/context.ts'
import { actOnPhone, type PhoneReply } from '../../../usecases/sandbox/act-on-phone.ts'
import { advanceClock, resetClock } from '../../../usecases/sandbox/clock.ts'
import type { SandboxContext } from '../../../usecases/sandbox/context.ts'
import {
  type ControlRefusal,
  changeAvailability,
  letReceiverFail,
  resetMerchant,
  setCallbackUrls,
  setWalletBalance,
} from '../../../usecases/sandbox/controls.ts'
import { takePhone } from '../../../usecases/sandbox/phone.ts'
import { PHONE_PRESETS, PRESET_NAMES } from '../../../usecases/sandbox/phone-presets.ts'
import { answerInWalletApp } from '../../../usecases/sandbox/wallet.ts'
import type { Flash, FlashKey } from '../view.ts'

type Done = { readonly flash: Flash; readonly number?: string | undefined }
type Work = {
  readonly ctx: SandboxContext
  readonly merchant: Merchant
  readonly form: URLSearchParams
  /** The phone that the page is about. */
  readonly number: string
}
type Act = (work: Work) => Promise<Done>

const say = (key: FlashKey, values: Flash['values'] = {}): Flash => ({ key, values })

/** `number` is that of the phone that the page is about; empty where it is about none. */
export async function doAct(
  ctx: SandboxContext,
  caller: Caller,
  form: URLSearchParams,
  number: string,
): Promise<Done> {
  const name = form.get('do') ?? ''
  const act = ACTS.get(name)
  if (act === undefined) return { flash: failed(`'${name.slice(0, 40)}' is no control`), number }
  const done = await act({ ctx, merchant: caller.merchant, form, number })
  return { number, ...done }
}

const take: Act = async ({ ctx, merchant, form, number }) => {
  const typed = form.get('typed')?.trim() ?? ''
  const wanted = (typed || form.get('listed') || number).replaceAll(/[\s+().-]/g, '')
  if (providersOf(ctx, wanted).length === 0) {
    return { flash: say('NUMBER', { number: typed.slice(0, 40) }), number }
  }
  const { story } = merchant.phoneStories.get(wanted) ?? {}
  await takePhone(ctx, merchant, wanted, { mode: 'interactive', story })
  return { flash: say('TAKEN'), number: wanted }
}

const auto: Act = async ({ ctx, merchant, number }) => {
  if (providersOf(ctx, number).length === 0) return { flash: say('NUMBER') }
  const { story } = merchant.phoneStories.get(number) ?? {}
  await takePhone(ctx, merchant, number, { mode: 'auto', story })
  return { flash: say('AUTO') }
}

const preset: Act = async ({ ctx, merchant, form, number }) => {
  const name = PRESET_NAMES.find((one) => one === form.get('preset'))
  if (name === undefined) return { flash: failed('there is no such preset') }
  if (providersOf(ctx, number).length === 0) return { flash: say('NUMBER') }
  const { mode = 'auto' } = merchant.phoneStories.get(number) ?? {}
  await takePhone(ctx, merchant, number, { mode, story: PHONE_PRESETS[name] })
  return { flash: say('PRESET') }
}

const answer: Act = async ({ ctx, merchant, form, number }) => {
  const promptId = form.get('prompt') ?? ''
  if (form.get('refuse') !== null) {
    return {
      flash: replyFlash(await actOnPhone(ctx, merchant, number, { action: 'decline', promptId })),
    }
  }
  const pin = form.get('pin') ?? ''
  if (!/^\d{4}$/.test(pin)) return { flash: say('PIN_MISSING') }
  const act = { action: 'approve', pin, promptId } as const
  return { flash: replyFlash(await actOnPhone(ctx, merchant, number, act)) }
}

const inApp: Act = async ({ ctx, merchant, form }) => {
  const order = parsePaymentId(form.get('order') ?? '')
  if (order === undefined) return { flash: say('NO_PROMPT') }
  const verdict = form.get('refuse') === null ? 'APPROVED' : 'DECLINED'
  return { flash: say(await answerInWalletApp(ctx, merchant, order, verdict)) }
}

const dial: Act = async ({ ctx, merchant, form, number }) => {
  const code = (form.get('code') ?? '').slice(0, 40)
  return { flash: replyFlash(await actOnPhone(ctx, merchant, number, { action: 'dial', code })) }
}

const replyFlash = (reply: PhoneReply): Flash => {
  if (reply.kind === 'CODE') return say('CODE', { code: reply.code })
  if (reply.kind === 'WRONG_PIN') return say('WRONG_PIN', { left: String(reply.left) })
  return say(reply.kind)
}

const availability: Act = async ({ ctx, merchant, form }) => {
  const provider = form.get('provider') ?? ''
  const operation = OPERATION_TYPES.find((one) => one === form.get('operation'))
  const status = AVAILABILITIES.find((one) => one === form.get('status'))
  if (operation === undefined || status === undefined)
    return { flash: failed('the state is unknown') }
  const refusal = await changeAvailability(ctx, merchant, { provider, operation, status })
  return { flash: refused(refusal) ?? say('AVAILABILITY', { provider, operation, status }) }
}

const receiver: Act = async ({ ctx, merchant, form }) => {
  const fails = form.get('fails') === 'yes'
  await letReceiverFail(ctx, merchant, fails)
  return { flash: say(fails ? 'RECEIVER_FAILS' : 'RECEIVER_WORKS') }
}

/** One address for everything; the API sets each kind by itself. */
const callbacks: Act = async ({ ctx, merchant, form }) => {
  const url = form.get('url')?.trim() ?? ''
  const isGoing = form.get('remove') !== null
  const urls = new Map(CALLBACK_KINDS.map((kind) => [kind, isGoing ? undefined : url]))
  const refusal = await setCallbackUrls(ctx, merchant, urls)
  if (refusal !== undefined) {
    return { flash: say('ADDRESS', { url: url.slice(0, 500), problem: refusal.problem }) }
  }
  return { flash: say(isGoing ? 'CALLBACKS_REMOVED' : 'CALLBACKS_SET') }
}

const IS_AMOUNT = new RegExp(AMOUNT_PATTERN)

const wallet: Act = async ({ ctx, merchant, form }) => {
  const [country = '', currency = '', provider] = (form.get('wallet') ?? '').split(' ')
  const balance = form.get('balance')?.trim() ?? ''
  if (!IS_AMOUNT.test(balance)) return { flash: say('BALANCE') }
  const refusal = await setWalletBalance(ctx, merchant, { country, currency, provider, balance })
  return { flash: refused(refusal) ?? say('WALLET', { balance, currency }) }
}

const MOVES: ReadonlySet<string> = new Set(['60', '900', '3600', '86400'])

const advance: Act = async ({ ctx, form }) => {
  const seconds = form.get('seconds') ?? ''
  if (!MOVES.has(seconds)) return { flash: failed('the time is none of those offered') }
  await advanceClock(ctx, Number(seconds) * 1000)
  return { flash: say('CLOCK') }
}

const realTime: Act = async ({ ctx, merchant }) => {
  const refusal = await resetClock(ctx, merchant)
  return { flash: refused(refusal) ?? say('CLOCK_RESET') }
}

const reset: Act = async ({ ctx, merchant }) => {
  await resetMerchant(ctx, merchant)
  return { flash: say('RESET') }
}

const ACTS: ReadonlyMap<string, Act> = new Map([
  ['take', take],
  ['auto', auto],
  ['preset', preset],
  ['approve', answer],
  ['in-app', inApp],
  ['dial', dial],
  ['availability', availability],
  ['callbacks', callbacks],
  ['receiver', receiver],
  ['wallet', wallet],
  ['advance', advance],
  ['real-time', realTime],
  ['reset', reset],
])

/** The providers that the number could belong to; without one it would never get a payment. */
export const providersOf = (ctx: Context, number: string): readonly Provider[] =>
  ctx.providers.catalog.all.filter((one) => isTestNumber(number, one) || fitsProvider(number, one))

const failed = (problem: string): Flash => say('FAILED', { problem })

const refused = (refusal: ControlRefusal | undefined): Flash | undefined =>
  refusal && failed(`${refusal.field}: ${refusal.problem}`)
