import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { ListedProvider } from '../../domain/provider.ts'
import type { Story } from '../../domain/sandbox/stories.ts'
import {
  CODE_LIVES_MS,
  dialledFor,
  PIN_TRIES,
  WRONG_PIN,
} from '../../providers/sandbox/approval.ts'
import { notifyAfter } from '../../providers/sandbox/notifications.ts'
import { countWrongPin, decideApproval, showApproval } from '../../store/sandbox/approvals.ts'
import { findPhoneOrders, keepCode, type PhoneOrder } from '../../store/sandbox/phones.ts'
import type { Context } from '../context.ts'
import { asksOf, codesFor, type OffScreen, waitingOn } from './phone-prompts.ts'

/** What a person does with a phone of the sandbox. */
type PhoneAction =
  | { readonly action: 'approve'; readonly pin?: string | undefined; readonly promptId?: string }
  | { readonly action: 'decline'; readonly promptId?: string }
  | { readonly action: 'dial'; readonly code: string }

export type PhoneReply =
  | {
      readonly kind: 'APPROVED' | 'DECLINED' | 'SHOWN' | 'NOTHING'
      readonly message: string
    }
  | { readonly kind: 'WRONG_PIN'; readonly message: string; readonly left: number }
  | { readonly kind: 'CODE'; readonly message: string; readonly code: string }
  /** There is nothing to approve or decline. */
  | { readonly kind: 'NO_PROMPT'; readonly message: string }
  /** Nobody answers to what was dialled. */
  | { readonly kind: 'UNKNOWN_CODE'; readonly message: string }

export async function actOnPhone(
  ctx: Context,
  merchant: Merchant,
  phoneNumber: string,
  act: PhoneAction,
): Promise<PhoneReply> {
  const orders = await findPhoneOrders(ctx.db, [{ merchantId: merchant.id, phoneNumber }])
  if (act.action === 'dial') return dial(ctx, merchant, phoneNumber, act.code, orders)
  const { prompts, offScreen } = asksOf(ctx, merchant, orders)
  const prompt = prompts.find(({ id }) => act.promptId === undefined || act.promptId === id)
  const order = orders.find(({ reference }) => reference === prompt?.id)
  if (order === undefined) return noPrompt(merchant, phoneNumber, offScreen)
  if (act.action === 'approve' && act.pin === WRONG_PIN) return wrongPin(ctx, merchant, order)
  return answer(ctx, merchant, order, act.action === 'approve' ? 'APPROVED' : 'DECLINED')
}

/** Of two answers at the same moment one counts; the other finds nothing to answer. */
async function answer(
  ctx: Context,
  merchant: Merchant,
  order: PhoneOrder,
  verdict: 'APPROVED' | 'DECLINED',
): Promise<PhoneReply> {
  const { reference, story, amount, currency } = order
  const now = ctx.clock.now()
  const notifyAt = notifyAfter(verdict, story as Story, now)
  const isFirst = await decideApproval(ctx.db, {
    merchantId: merchant.id,
    reference,
    verdict,
    now,
    notifyAt,
  })
  if (!isFirst) return { kind: 'NO_PROMPT', message: 'The payment was answered meanwhile.' }
  ctx.work.wake()
  const what = `the payment of ${currency} ${amount} to ${merchant.name}`
  return verdict === 'APPROVED'
    ? { kind: verdict, message: `You approved ${what}.` }
    : { kind: verdict, message: `You declined ${what}.` }
}

async function wrongPin(ctx: Context, merchant: Merchant, order: PhoneOrder): Promise<PhoneReply> {
  const { reference } = order
  const wrong = await countWrongPin(ctx.db, { merchantId: merchant.id, reference })
  if (wrong === undefined) {
    return { kind: 'NO_PROMPT', message: 'The payment was answered meanwhile.' }
  }
  if (wrong < PIN_TRIES) {
    const left = PIN_TRIES - wrong
    const tries = left === 1 ? 'one try' : `${left} tries`
    return { kind: 'WRONG_PIN', message: `The PIN is wrong. You have ${tries} left.`, left }
  }
  const reply = await answer(ctx, merchant, order, 'DECLINED')
  if (reply.kind !== 'DECLINED') return reply
  return { kind: 'DECLINED', message: 'The PIN was wrong too often. The payment was not made.' }
}

/** Says what to do instead: a prompt may be waiting for its code to be dialled. */
function noPrompt(
  merchant: Merchant,
  phoneNumber: string,
  offScreen: OffScreen | undefined,
): PhoneReply {
  const kind = 'NO_PROMPT'
  const [code] = offScreen?.codes ?? []
  if (code !== undefined) {
    return { kind, message: `A payment waits, but it is not on the screen. Dial ${code} first.` }
  }
  const isAuto = merchant.phoneStories.get(phoneNumber)?.mode !== 'interactive'
  const hint = isAuto ? " In the mode 'auto' the number answers by itself." : ''
  return { kind, message: `No payment waits for an answer on this phone.${hint}` }
}

async function dial(
  ctx: Context,
  merchant: Merchant,
  phoneNumber: string,
  dialled: string,
  orders: readonly PhoneOrder[],
): Promise<PhoneReply> {
  const code = dialled.replaceAll(' ', '')
  const waiting = waitingOn(ctx, orders)
  if (waiting !== undefined && codesFor(ctx, waiting).includes(code)) {
    return show(ctx, merchant, waiting)
  }
  const answering = answeringTo(ctx, phoneNumber)
  if (!answering.some((one) => one.code === code)) {
    const known = [...new Set(answering.map((one) => one.code))].join(', ')
    const hint = known === '' ? 'no provider of its country is dialled' : `try ${known}`
    return { kind: 'UNKNOWN_CODE', message: `nobody answers to it on this phone; ${hint}` }
  }
  if (answering.some((one) => one.code === code && one.makesCodes)) {
    return makeCode(ctx, merchant, phoneNumber)
  }
  return { kind: 'NOTHING', message: 'No payment waits for your approval.' }
}

/** Every code that a provider of the phone's country answers to. */
export function answeringTo(
  ctx: Context,
  phoneNumber: string,
): readonly { readonly code: string; readonly makesCodes: boolean }[] {
  const nearby = ctx.providers.catalog.all.filter(({ callingCode }) =>
    phoneNumber.startsWith(callingCode),
  )
  return nearby.flatMap((provider) => codesOf(provider))
}

const codesOf = ({ currencies }: ListedProvider) =>
  currencies.flatMap(({ operations: { DEPOSIT: terms } }) =>
    dialledFor(terms).map((code) => ({ code, makesCodes: terms?.authType === 'PREAUTH' })),
  )

async function show(ctx: Context, merchant: Merchant, order: PhoneOrder): Promise<PhoneReply> {
  const { reference, currency, amount } = order
  const isShown = await showApproval(
    ctx.db,
    { merchantId: merchant.id, reference },
    ctx.clock.now(),
  )
  if (!isShown) return { kind: 'NOTHING', message: 'No payment waits for your approval.' }
  const message = `Pay ${currency} ${amount} to ${merchant.name}? Enter your PIN to approve.`
  return { kind: 'SHOWN', message }
}

async function makeCode(
  ctx: Context,
  merchant: Merchant,
  phoneNumber: string,
): Promise<PhoneReply> {
  const now = ctx.clock.now()
  const phone = { merchantId: merchant.id, phoneNumber }
  for (let attempt = 1; attempt <= CODE_ATTEMPTS; attempt += 1) {
    const code = String(Math.floor(100_000 + ctx.random() * 900_000))
    if (await keepCode(ctx.db, phone, code, { now, expiresAt: now + CODE_LIVES_MS })) {
      const message = `Your one-time code is ${code}. It is valid for 15 minutes, for one payment.`
      return { kind: 'CODE', message, code }
    }
  }
  return { kind: 'NOTHING', message: 'Too many codes are waiting to be used on this phone.' }
}

const CODE_ATTEMPTS = 20
