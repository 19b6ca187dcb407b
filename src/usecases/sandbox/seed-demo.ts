import { CALLBACK_KINDS } from '../../domain/accounts/merchant.ts'
import type { Environment } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Catalog } from '../../providers/catalog.ts'
import { seal, unseal } from '../../signing/keys.ts'
import { findMerchantBySlug, setCallbackUrl } from '../../store/accounts/merchants.ts'
import { findTokenOwner, reinstateToken, revokeTokens } from '../../store/accounts/tokens.ts'
import { announceChange, readState } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import { keepSandboxToken } from '../../store/sandbox/switches.ts'
import { createMerchant } from '../accounts/manage-merchants.ts'
import { newTokenText, storeToken } from '../accounts/manage-tokens.ts'
import { hashToken } from '../accounts/merchant-directory.ts'
import type { Context } from '../context.ts'
import { SANDBOX_BALANCE } from './controls.ts'

type DemoOptions = {
  readonly catalog: Catalog
  readonly environment: Environment
  readonly secret: string
  readonly now: number
  readonly newKey: Context['newKey']
  readonly token: string | undefined
  readonly callbackUrl: string | undefined
}

export const DEMO_SLUG = 'demo'
const NAME = 'Demo Merchant'
const LABEL = 'sandbox'

/**
 * The sandbox is ready to use at once: a merchant with every provider, money in every wallet, and
 * a token that stays the same over restarts. Two nodes that start at once agree on all of it.
 */
export async function seedDemo(database: Database, options: DemoOptions): Promise<string> {
  const id = await demoMerchant(database, options)
  return database.inTransaction(async (tx) => {
    // The row lock makes two starting nodes take turns.
    await tx.query('select from service_state for update')
    const token = await demoToken(tx, id, options)
    if (options.callbackUrl !== undefined) {
      for (const kind of CALLBACK_KINDS) await setCallbackUrl(tx, id, kind, options.callbackUrl)
      await announceChange(tx)
    }
    return token
  })
}

async function demoMerchant(database: Database, options: DemoOptions): Promise<MerchantId> {
  const existing = await findMerchantBySlug(database, DEMO_SLUG)
  if (existing !== undefined) return existing.id
  const created = await createMerchant(database, {
    slug: DEMO_SLUG,
    name: NAME,
    providers: options.catalog.all,
    now: options.now,
    funding: { balance: SANDBOX_BALANCE, newKey: options.newKey },
  })
  // Undefined when another node that starts at the same moment was first.
  return created ?? demoMerchant(database, options)
}

async function demoToken(tx: Db, merchantId: MerchantId, options: DemoOptions): Promise<string> {
  const { now } = options
  const kept = await keptToken(tx, options.secret, now)
  const token = options.token ?? kept ?? newTokenText(options.environment)
  if (token === kept) return token
  const hash = hashToken(token)
  const isStored =
    (await findTokenOwner(tx, hash, now)) !== undefined ||
    (await reinstateToken(tx, merchantId, hash))
  if (!isStored) {
    await storeToken(tx, { merchantId, label: LABEL, scopes: ['*'], now, token })
  }
  await keepSandboxToken(tx, seal(options.secret, token))
  await revokeTokens(tx, { merchantId, label: LABEL, exceptHash: hash }, now)
  await announceChange(tx)
  return token
}

/** The token of the last start; undefined once somebody has revoked it, or it has expired. */
export async function keptToken(tx: Db, secret: string, now: number): Promise<string | undefined> {
  const { sealedSandboxToken } = await readState(tx)
  if (sealedSandboxToken === undefined) return undefined
  const token = unseal(secret, sealedSandboxToken)
  return (await findTokenOwner(tx, hashToken(token), now)) === undefined ? undefined : token
}
