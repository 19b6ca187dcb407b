import type { Merchant } from '../../domain/accounts/merchant.ts'
import { adjustmentAccount, walletAccounts } from '../../domain/payments/ledger.ts'
import type { Availability, OperationType } from '../../domain/provider.ts'
import { KeyProblem } from '../../signing/public-keys.ts'
import { setAnyUuid, setAvailability } from '../../store/accounts/merchants.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { type Database, type Db, untilItPasses } from '../../store/engine/database.ts'
import { enterLine, releaseEnqueued } from '../../store/payments/enqueued.ts'
import { adjustTo, openAccounts } from '../../store/payments/ledger.ts'
import { wipeMerchant } from '../../store/sandbox/reset.ts'
import { openProviders, setReceiverFails } from '../../store/sandbox/switches.ts'
import {
  changeSignatures,
  NoKeyLeft,
  type SignatureChange,
} from '../accounts/manage-merchant-keys.ts'
import { fundWallets, openAccountsFor } from '../accounts/manage-merchants.ts'
import { type CallbackUrls, saveCallbackUrls } from '../callbacks/save-callback-urls.ts'
import { saveReturnSchemes } from '../hosted/return-schemes.ts'
import type { SandboxContext } from './context.ts'

/** What a developer does to the world around a test. None of it exists in production. */

/** A refusal names the field and why; nothing is changed then. */
export type ControlRefusal = { readonly field: string; readonly problem: string }

export async function setCallbackUrls(
  ctx: SandboxContext,
  merchant: Merchant,
  urls: CallbackUrls,
): Promise<ControlRefusal | undefined> {
  const { refusalOf } = ctx.callbacks
  const refused = await saveCallbackUrls(ctx.db, { merchantId: merchant.id, urls, refusalOf })
  if (refused !== undefined) return { field: refused.kind, problem: refused.problem }
  ctx.merchants.forget()
  return undefined
}

/** From the next attempt on. What is owed meanwhile is tried again by the usual schedule. */
export async function letReceiverFail(
  ctx: SandboxContext,
  merchant: Merchant,
  fails: boolean,
): Promise<void> {
  await change(ctx, (tx) => setReceiverFails(tx, merchant.id, fails))
}

/** Also for requests that are on their way to other nodes, within a moment. */
export async function setIdentifiers(
  ctx: SandboxContext,
  merchant: Merchant,
  { anyUuid }: { readonly anyUuid: boolean },
): Promise<void> {
  await change(ctx, (tx) => setAnyUuid(tx, merchant.id, anyUuid))
}

export async function changeAvailability(
  ctx: SandboxContext,
  merchant: Merchant,
  entry: { provider: string; operation: OperationType; status: Availability },
): Promise<ControlRefusal | undefined> {
  if (ctx.providers.find(entry.provider) === undefined) {
    return { field: 'provider', problem: `'${entry.provider}' is not in the catalogue` }
  }
  const line = { ...entry, merchantId: merchant.id }
  await change(ctx, async (tx) => {
    await enterLine(tx)
    await setAvailability(tx, merchant.id, entry, ctx.clock.now())
    if (entry.status === 'OPERATIONAL') await releaseEnqueued(tx, line)
  })
  ctx.work.wake()
  return undefined
}

export async function setSignatures(
  ctx: SandboxContext,
  merchant: Merchant,
  wanted: SignatureChange,
): Promise<ControlRefusal | undefined> {
  try {
    await changeSignatures(ctx.db, merchant.id, wanted, ctx.clock.realNow())
  } catch (error) {
    if (!(error instanceof KeyProblem)) throw error
    const field = error instanceof NoKeyLeft ? 'signedRequestsOnly' : 'keys'
    return { field, problem: error.message.replace(/\.$/, '') }
  }
  ctx.merchants.forget()
  return undefined
}

export async function changeReturnSchemes(
  ctx: SandboxContext,
  merchant: Merchant,
  schemes: readonly string[],
): Promise<ControlRefusal | undefined> {
  const problem = await saveReturnSchemes(ctx.db, ctx.environment, merchant.id, schemes)
  if (problem !== undefined) return { field: 'schemes', problem }
  ctx.merchants.forget()
  return undefined
}

/** A wallet of one provider comes into being here; from then on its payments use it. */
export async function setWalletBalance(
  ctx: SandboxContext,
  merchant: Merchant,
  entry: { country: string; currency: string; provider?: string | undefined; balance: string },
): Promise<ControlRefusal | undefined> {
  const { country, currency, provider } = entry
  const serving = ctx.providers.catalog.all.filter(
    (one) =>
      one.country === country && one.currencies.some((offered) => offered.currency === currency),
  )
  if (serving.length === 0) {
    return { field: 'currency', problem: `no provider serves '${currency}' in '${country}'` }
  }
  if (provider !== undefined && !serving.some((one) => one.code === provider)) {
    const problem = `'${provider}' does not serve '${currency}' in '${country}'`
    return { field: 'provider', problem }
  }
  const [wallet, reserve] = walletAccounts(country, currency, provider)
  await change(ctx, async (tx) => {
    await openAccounts(tx, merchant.id, [wallet, reserve, adjustmentAccount(currency)])
    await adjustTo(tx, merchant.id, {
      key: ctx.newKey(),
      account: wallet.name,
      against: adjustmentAccount(currency).name,
      balance: entry.balance,
      now: ctx.clock.now(),
    })
  })
  return undefined
}

/** Wipes what happened, restores the wallets and mends what was broken; addresses and tokens stay. */
export async function resetMerchant(ctx: SandboxContext, merchant: Merchant): Promise<void> {
  const enabled = ctx.providers.catalog.all.filter((one) => merchant.providers.has(one.code))
  // What is counted and not yet written would come back after the reset.
  await ctx.legacyUsage.flush()
  await ctx.signatureChecks.flush()
  await change(
    ctx,
    async (tx) => {
      await wipeMerchant(tx, merchant.id)
      await openProviders(tx, merchant.id)
      await setReceiverFails(tx, merchant.id, false)
      await openAccountsFor(tx, merchant.id, enabled)
      await fundWallets(tx, merchant.id, enabled, {
        balance: SANDBOX_BALANCE,
        now: ctx.clock.now(),
        newKey: ctx.newKey,
      })
    },
    ctx.db.inLongTransaction,
  )
}

export const SANDBOX_BALANCE = '1000000'

/** A change of settings: every node is notified. */
export async function change(
  ctx: SandboxContext,
  work: (tx: Db) => Promise<void>,
  inTransaction: Database['inTransaction'] = ctx.db.inTransaction,
): Promise<void> {
  const changed = async (tx: Db): Promise<void> => {
    await work(tx)
    await announceChange(tx)
  }
  await ctx.inTurn(() => untilItPasses(() => inTransaction(changed)))
  // Other nodes are notified; this one must not answer from memory meanwhile.
  ctx.merchants.forget()
  ctx.writes.accept.forget()
}
