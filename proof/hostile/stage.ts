import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { payoutBody } from '../../harness/payouts.ts'
import { remittanceBody } from '../../harness/remittances.ts'
import { depositBody, eventually } from '../../harness/service.ts'
import { makeKey } from '../../harness/signers.ts'
import { splitBody } from '../../harness/splits.ts'
import type { Scope } from '../../src/domain/accounts/token.ts'
import { type MerchantId, paymentKeyFrom } from '../../src/domain/ids.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../../src/usecases/accounts/manage-tokens.ts'
import type { OpenApiDocument } from '../../src/web/reference/openapi.ts'
import { type Call, callerAt } from '../fuzz/calls.ts'
import { DELAYED, freshen, noProps, WALLET_NUMBER } from '../fuzz/props.ts'
import { targetsOf } from '../fuzz/targets.ts'
import type { World } from '../fuzz/world.ts'

/** A service to attack, with its merchants. */
export type Stage = {
  readonly port: number
  readonly database: Database
  readonly merchantId: number
  readonly signedMerchantId: number
  /** Of a merchant whose requests are all refused. */
  readonly powerlessMerchantId: number
  /** A merchant without payments, so that only calls of controls change its rows. */
  readonly lone: Lone
  readonly world: Omit<World, 'seed'>
  /** What the run has stored itself, as `name/id`. */
  readonly made: ReadonlySet<string>
  /** Replaces what was used up or has expired. */
  tend(): Promise<void>
  /** Waits until no payment has work left. */
  settled(): Promise<void>
  close(): Promise<void>
}

type Lone = {
  readonly merchantId: number
  readonly token: string
  /** The cookie of somebody who signed in with it. */
  readonly session: string
}

const DEPOSITS = 40
const FINISHED = 5

export async function prepareStage(service: {
  readonly port: number
  readonly databaseUrl: string
}): Promise<Stage> {
  const { port, databaseUrl } = service
  const database = openDatabase({ connectionString: databaseUrl }, 4)
  const [paying, control, signed, powerless, wallets, lone] = [
    await addMerchant(database, 'paying'),
    await addMerchant(database, 'control'),
    await addMerchant(database, 'signed'),
    await addMerchant(database, 'powerless'),
    await addMerchant(database, 'wallets'),
    await addMerchant(database, 'lone'),
  ]
  const call = callerAt(port)
  const { id, pem } = makeKey('k', 'ecdsa-p256-sha256')
  await call(signed.token, 'PUT', '/sandbox/signatures', {
    keys: [{ id, key: pem }],
    signedRequestsOnly: true,
  })
  for (const operationType of ['PAYOUT', 'REFUND', 'REMITTANCE']) {
    const delayed = { provider: DELAYED, operationType, status: 'DELAYED' }
    await call(paying.token, 'PUT', '/sandbox/availability', delayed)
  }
  await call(wallets.token, 'PUT', `/sandbox/phones/${WALLET_NUMBER}`, { mode: 'interactive' })
  // It has old payments that nothing may change, made before it lost its permissions.
  const settled = (): Promise<void> => hasSettled(database, [paying.id, signed.id, powerless.id])
  await makeFinished(call, powerless.token, settled)
  const finished = await makeFinished(call, paying.token, settled)
  const deposits = await makeDeposits(call, paying.token, DEPOSITS)
  await settled()

  const signIn = (token: string): Promise<string> => call.form('/sandbox/sign-in', { token })
  const session = await signIn(control.token)
  const props = noProps()
  const made = new Set<string>()
  const hands = { call, token: paying.token, walletsToken: wallets.token, session }
  const tend = (): Promise<void> => freshen(props, hands, made)
  await tend()
  const document: OpenApiDocument = await call(paying.token, 'GET', '/openapi.json')
  return {
    port,
    database,
    merchantId: paying.id,
    signedMerchantId: signed.id,
    powerlessMerchantId: powerless.id,
    lone: { merchantId: lone.id, token: lone.token, session: await signIn(lone.token) },
    made,
    tend,
    settled,
    close: database.close,
    world: {
      host: `127.0.0.1:${port}`,
      targets: targetsOf(document),
      token: paying.token,
      controlToken: control.token,
      session,
      signedToken: signed.token,
      powerlessToken: await addToken(database, powerless.id, 'powerless', []),
      deposits,
      finished,
      props,
    },
  }
}

const hasSettled = (database: Database, merchantIds: readonly number[]): Promise<void> =>
  eventually(async () => {
    const [left] = await database.query<{ count: number }>(
      `select count(*)::int as count from payments
       where due_at < 'infinity' and state <> 'ENQUEUED' and merchant_id = any ($1)`,
      [merchantIds],
    )
    assert.equal(left?.count, 0)
  }, 120_000)

async function makeDeposits(call: Call, token: string, count: number): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => depositBody({ amount: '1000' }))
  for (const body of bodies) await call(token, 'POST', '/v2/deposits', body)
  return bodies.map(({ depositId }) => depositId)
}

/** Some payments of every kind, all of them final. */
async function makeFinished(
  call: Call,
  token: string,
  settled: () => Promise<void>,
): Promise<World['finished']> {
  const several = async <Body>(path: string, make: (at: number) => Body): Promise<Body[]> => {
    const bodies = Array.from({ length: FINISHED }, (_, at) => make(at))
    for (const body of bodies) await call(token, 'POST', path, body)
    return bodies
  }
  const deposit = await makeDeposits(call, token, FINISHED)
  const refunded = await makeDeposits(call, token, FINISHED)
  const payouts = await several('/v2/payouts', () => payoutBody())
  const remittances = await several('/v2/remittances', () => remittanceBody())
  const splits = await several('/v2/split-payments', () => splitBody())
  await settled()
  const refunds = await several('/v2/refunds', (at) => ({
    refundId: randomUUID(),
    depositId: refunded[at],
    amount: '1000',
    currency: 'ZMW',
  }))
  await settled()
  return {
    deposit,
    payout: payouts.map(({ payoutId }) => payoutId),
    remittance: remittances.map(({ remittanceId }) => remittanceId),
    splitPayment: splits.map(({ splitPaymentId }) => splitPaymentId),
    refund: refunds.map(({ refundId }) => refundId),
  }
}

/** Created as an operator of the service does, with money in every wallet. */
export async function addMerchant(
  database: Database,
  slug: string,
): Promise<{ readonly id: MerchantId; readonly token: string }> {
  const now = Date.now()
  const id = await createMerchant(database, {
    slug: `${slug}-${randomUUID().slice(0, 8)}`,
    name: slug,
    providers: readCatalog(CATALOG_FILE).all,
    now,
    funding: { balance: '1000000000', newKey: () => paymentKeyFrom(Date.now(), randomBytes(10)) },
  })
  assert.ok(id !== undefined)
  return { id, token: await addToken(database, id, slug, ['*']) }
}

async function addToken(
  database: Database,
  merchantId: MerchantId,
  label: string,
  scopes: readonly Scope[],
): Promise<string> {
  const [environment, now] = ['sandbox' as const, Date.now()]
  const { token } = await createToken(database, { environment, merchantId, label, scopes, now })
  return token
}
