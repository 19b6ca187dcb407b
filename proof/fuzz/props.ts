import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { checkoutBody, pageBody } from '../../harness/hosted.ts'
import { payoutBody } from '../../harness/payouts.ts'
import { remittanceBody, recipient as remitted } from '../../harness/remittances.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { statementBody } from '../../harness/statements.ts'
import type { Call } from './calls.ts'
import type { Link, Props } from './world.ts'

/** Enqueues payouts, refunds and remittances of the paying merchant. */
export const DELAYED = 'AIRTEL_OAPI_ZMB'
const DELAYED_NUMBER = '260973456789'
/** Of a customer who is sent to the page of a wallet, and has to answer there. */
export const WALLET_NUMBER = '221781000001'

/** It has no payments, so that its file stays small however long the run is. */
const QUIET_WALLET = { country: 'RWA', currency: 'RWF' }

type Hands = {
  readonly call: Call
  /** Of the merchant whose payments are counted. */
  readonly token: string
  /** Of another one: what waits for a customer would keep the first from being settled. */
  readonly walletsToken: string
  /** Of somebody who signed in to the sandbox. */
  readonly session: string
}

/** How many are made at once, and how many there are. */
const NEW = { pages: 6, checkouts: 6, wallets: 6, codes: 3, enqueued: 8 } as const
const KEPT = 4
const WAIT_MAX_MS = 60_000
const SOON_MS = 3000
const PAUSE_MS = 50

export const noProps = (): Props => ({
  pages: [],
  checkouts: [],
  statements: [],
  wallets: [],
  codes: [],
  enqueued: { payout: [], refund: [], remittance: [] },
})

/** Creates some of each and drops the oldest; notes what that stored, as `name/id`. */
export async function freshen(props: Props, hands: Hands, made: Set<string>): Promise<void> {
  const several = async <T>(list: T[], count: number, make: () => Promise<T>): Promise<void> => {
    const isFirst = list.length === 0
    for (let left = isFirst ? count * KEPT : count; left > 0; left -= 1) {
      list.push(await make())
      if (!isFirst) list.shift()
    }
  }
  const named = async (name: string, making: Promise<Link>): Promise<Link> => {
    const link = await making
    made.add(name === 'page' ? pageName(link.token) : `${name}/${link.id}`)
    return link
  }
  const { enqueued } = props
  await several(props.pages, NEW.pages, () => named('page', newPage(hands)))
  await several(props.checkouts, NEW.checkouts, () => named('checkout', newCheckout(hands)))
  await several(props.wallets, NEW.wallets, () => newWallet(hands))
  await several(props.codes, NEW.codes, () => newCode(hands))
  for (const kind of ['payout', 'remittance', 'refund'] as const) {
    await several(enqueued[kind], NEW.enqueued, async () => {
      const id = randomUUID()
      made.add(`${kind}/${id}`)
      await ENQUEUE[kind](hands, id, made)
      return id
    })
  }
  const isFirst = props.statements.length === 0
  const statement = await newStatement(hands, made, isFirst ? WAIT_MAX_MS : SOON_MS)
  if (statement !== undefined) await several(props.statements, 1, async () => statement)
}

/** Tables hold the hash of what opens a page. */
export const pageName = (token: string): string => `page/${hash('sha256', token, 'hex')}`

const lastPart = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

async function newPage({ call, token }: Hands): Promise<Link> {
  const body = pageBody()
  const { redirectUrl } = await call(token, 'POST', '/v2/paymentpage', body)
  return { token: lastPart(redirectUrl), id: body.depositId }
}

async function newCheckout({ call, token }: Hands): Promise<Link> {
  const body = checkoutBody()
  const { checkoutCode } = await call(token, 'POST', '/v2/checkouts', body)
  return { token: checkoutCode, id: body.checkoutId }
}

/** Undefined if its file is not written soon: it waits behind those of hostile requests. */
async function newStatement(
  { call, token }: Hands,
  made: Set<string>,
  withinMs: number,
): Promise<Link | undefined> {
  const body = statementBody({ wallet: QUIET_WALLET })
  const { statementId } = await call(token, 'POST', '/v2/statements', body)
  made.add(`statement/${statementId}`)
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const { data } = await call(token, 'GET', `/v2/statements/${statementId}`)
    if (data.status === 'COMPLETED') return { token: lastPart(data.downloadUrl), id: statementId }
    await pause(PAUSE_MS)
  }
  return undefined
}

async function newWallet(hands: Hands): Promise<Link> {
  const { call, walletsToken } = hands
  const body = depositBody({
    amount: '100',
    currency: 'XOF',
    payer: payer(WALLET_NUMBER, 'WAVE_SEN'),
    successfulUrl: 'https://shop.example/ok',
    failedUrl: 'https://shop.example/no',
  })
  await call(walletsToken, 'POST', '/v2/deposits', body)
  const { authorizationUrl } = await eventually(async () => {
    const { data } = await call(walletsToken, 'GET', `/v2/deposits/${body.depositId}`)
    assert.ok(data.authorizationUrl !== undefined || IS_OVER.has(data.status), data.status)
    return data
  }, WAIT_MAX_MS)
  // Hostile requests move the clock too, so it may be over before it is looked at.
  if (authorizationUrl === undefined) return newWallet(hands)
  return { token: lastPart(authorizationUrl), id: body.depositId }
}

const IS_OVER: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED'])

/** The page says it in a cookie, once. */
async function newCode({ call, session }: Hands): Promise<Link> {
  const flash = await call.form('/sandbox/acts', { do: 'device' }, session)
  const { values } = JSON.parse(Buffer.from(flash.split('=')[1] ?? '', 'base64url').toString())
  return { token: values.link, id: values.link }
}

type Enqueue = (hands: Hands, id: string, made: Set<string>) => Promise<void>

const ENQUEUE: Readonly<Record<keyof Props['enqueued'], Enqueue>> = {
  payout: async ({ call, token }, payoutId) => {
    const body = payoutBody({ payoutId, recipient: payer(DELAYED_NUMBER, DELAYED) })
    await call(token, 'POST', '/v2/payouts', body)
  },
  remittance: async ({ call, token }, remittanceId) => {
    const body = remittanceBody({ remittanceId, recipient: remitted(DELAYED_NUMBER, DELAYED) })
    await call(token, 'POST', '/v2/remittances', body)
  },
  refund: async ({ call, token }, refundId, made) => {
    const deposit = depositBody({ payer: payer(DELAYED_NUMBER, DELAYED) })
    const { depositId } = deposit
    made.add(`deposit/${depositId}`)
    await call(token, 'POST', '/v2/deposits', deposit)
    const body = { refundId, depositId, amount: '15', currency: 'ZMW' }
    // Not before the deposit is over.
    await eventually(() => call(token, 'POST', '/v2/refunds', body), WAIT_MAX_MS)
  },
}
