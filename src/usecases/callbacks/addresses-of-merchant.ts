import { randomUUID } from 'node:crypto'
import type { Delivery } from '../../callbacks/dispatch.ts'
import { CALLBACK_KINDS, type CallbackKind, type Merchant } from '../../domain/accounts/merchant.ts'
import { isAcknowledged } from '../../domain/callbacks/callback.ts'
import { findMerchant } from '../../store/accounts/merchants.ts'
import { findLastSuccesses, liftPauseOf } from '../../store/callbacks/endpoints.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { changeAs, recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { CallbackContext } from './context.ts'
import { type CallbackUrls, storeCallbackUrls } from './save-callback-urls.ts'

/** What people of a merchant do with the addresses of its callbacks. */
type AddressContext = PeopleContext & CallbackContext

export type Address = {
  readonly kind: CallbackKind
  readonly url: string | undefined
  /** FAILING is what this node found out by itself; PAUSED is known to all. */
  readonly state: 'NOT_SET' | 'ACTIVE' | 'FAILING' | 'PAUSED'
  readonly sinceMs: number | undefined
  readonly lastSuccessMs: number | undefined
}

export async function readAddresses(
  ctx: AddressContext,
  { merchant: known }: Person,
): Promise<readonly Address[]> {
  await ctx.lastUses.flush(true)
  const [fresh, successes] = await Promise.all([
    findMerchant(ctx.db, known.id),
    findLastSuccesses(ctx.db, known.id),
  ])
  const merchant = fresh ?? known
  return CALLBACK_KINDS.map((kind) => ({
    kind,
    url: merchant.callbackUrls[kind],
    ...healthOf(ctx, merchant, kind),
    lastSuccessMs: successes.get(kind),
  }))
}

function healthOf(
  ctx: AddressContext,
  merchant: Merchant,
  kind: CallbackKind,
): Pick<Address, 'state' | 'sinceMs'> {
  const url = merchant.callbackUrls[kind]
  if (url === undefined) return { state: 'NOT_SET', sinceMs: undefined }
  const pausedMs = merchant.callbackStates[kind]?.pausedMs ?? undefined
  if (pausedMs !== undefined) return { state: 'PAUSED', sinceMs: pausedMs }
  const { openedAt } = ctx.work.breakerOf(merchant.id, url)
  return openedAt === undefined
    ? { state: 'ACTIVE', sinceMs: undefined }
    : { state: 'FAILING', sinceMs: openedAt }
}

type RefusedAddress = { readonly kind: CallbackKind; readonly problem: string }

/** Each of them or none: the first one refused is answered, with why. */
export async function changeAddresses(
  ctx: AddressContext,
  person: Person,
  urls: CallbackUrls,
): Promise<RefusedAddress | undefined> {
  for (const [kind, url] of urls) {
    const problem = url === undefined ? undefined : ctx.callbacks.refusalOf(url)
    if (problem !== undefined) return { kind, problem }
  }
  const { id } = person.merchant
  await ctx.db.inTransaction(async (tx) => {
    await recordChange(ctx, tx, person, await storeCallbackUrls(tx, id, urls))
  })
  ctx.merchants.forget()
  return undefined
}

/** Ends the pause of an address, also for the other kinds that are sent to it. */
export async function resumeAddress(
  ctx: AddressContext,
  person: Person,
  kind: CallbackKind,
): Promise<boolean> {
  const { id } = person.merchant
  const wasPaused = await ctx.db.inTransaction(async (tx) => {
    if (!(await liftPauseOf(tx, id, kind))) return false
    await announceChange(tx)
    await recordChange(ctx, tx, person, { action: 'callbacks resumed', object: kind })
    return true
  })
  if (wasPaused) ctx.merchants.forget()
  return wasPaused
}

export type TestResult = {
  readonly url: string
  readonly body: string
  readonly delivery: Delivery
  readonly isAccepted: boolean
}

/** Sends an event that is about nothing, as callbacks are sent; undefined without an address. */
export async function testAddress(
  ctx: AddressContext,
  person: Person,
  kind: CallbackKind,
): Promise<TestResult | undefined> {
  const merchant = (await findMerchant(ctx.db, person.merchant.id)) ?? person.merchant
  const url = merchant.callbackUrls[kind]
  if (url === undefined) return undefined
  const body = JSON.stringify(testEvent(ctx, merchant, kind))
  const delivery = await ctx.callbacks.sendTest(body, merchant, url)
  const { httpStatus = null } = delivery
  const isAccepted = httpStatus !== null && isAcknowledged(httpStatus)
  const change = { action: 'callback test sent', object: kind, after: { url, httpStatus } }
  await changeAs(ctx, person, change, async () => {})
  if (isAccepted) ctx.lastUses.address(merchant.id, kind, url)
  return { url, body, delivery, isAccepted }
}

const NOTE = 'This is a test event. There is no such payment.'

/** In the shape of the real ones. It has failed, so that no receiver hands out goods for it. */
function testEvent(ctx: AddressContext, merchant: Merchant, kind: CallbackKind): object {
  const [provider] = ctx.providers.catalog.all.filter(({ code }) => merchant.providers.has(code))
  const [money] = provider?.currencies ?? []
  const created = `${new Date(ctx.clock.now()).toISOString().slice(0, 19)}Z`
  const party = {
    type: 'MMO',
    accountDetails: {
      phoneNumber: `${provider?.callingCode ?? ''}000000000`,
      provider: provider?.code ?? '',
    },
  }
  return {
    [`${kind}Id`]: randomUUID(),
    status: 'FAILED',
    amount: '1',
    currency: money?.currency ?? '',
    country: provider?.country ?? '',
    ...PARTY[kind]?.(party),
    customerMessage: 'Test event',
    created,
    failureReason: { failureCode: 'UNKNOWN_ERROR', failureMessage: NOTE },
    metadata: { testEvent: 'true' },
  }
}

const paid = (payer: object): object => ({ payer })
const received = (recipient: object): object => ({ recipient })

const PARTY: Readonly<Partial<Record<CallbackKind, (party: object) => object>>> = {
  deposit: paid,
  payout: received,
  refund: received,
  remittance: received,
}
