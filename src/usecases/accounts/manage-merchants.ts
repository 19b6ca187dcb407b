import type { MerchantId, PaymentKey } from '../../domain/ids.ts'
import { adjustmentAccount, floatAccount, walletAccounts } from '../../domain/payments/ledger.ts'
import { OPERATION_TYPES, type Provider } from '../../domain/provider.ts'
import {
  enableProvider,
  insertMerchant,
  setAnyUuid,
  setSuspended,
} from '../../store/accounts/merchants.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import { adjustTo, openAccounts } from '../../store/payments/ledger.ts'

type NewMerchant = {
  readonly slug: string
  readonly name: string
  readonly providers: readonly Provider[]
  readonly now: number
  /** Sandbox only: money in every wallet from the start. */
  readonly funding?: { readonly balance: string; readonly newKey: () => PaymentKey }
}

/** Undefined when the short name is taken. Wallets exist, empty, from the first moment. */
export async function createMerchant(
  database: Database,
  merchant: NewMerchant,
): Promise<MerchantId | undefined> {
  return database.inTransaction((tx) => createMerchantIn(tx, merchant))
}

/** The same in a transaction of the caller. */
export async function createMerchantIn(
  tx: Db,
  merchant: NewMerchant,
): Promise<MerchantId | undefined> {
  const id = await insertMerchant(tx, merchant)
  if (id === undefined) return undefined
  for (const provider of merchant.providers) {
    await enableProvider(tx, id, provider.code, OPERATION_TYPES)
  }
  await openAccountsFor(tx, id, merchant.providers)
  if (merchant.funding !== undefined) {
    await fundWallets(tx, id, merchant.providers, { ...merchant.funding, now: merchant.now })
  }
  await announceChange(tx)
  return id
}

/** A wallet for each country and currency, a float for each provider and currency. */
export async function openAccountsFor(
  tx: Db,
  id: MerchantId,
  providers: readonly Provider[],
): Promise<void> {
  const accounts = providers.flatMap((provider) =>
    provider.currencies.flatMap(({ currency }) => [
      ...walletAccounts(provider.country, currency),
      floatAccount(provider.code, currency),
      adjustmentAccount(currency),
    ]),
  )
  const distinct = new Map(accounts.map((account) => [account.name, account]))
  await openAccounts(tx, id, [...distinct.values()])
}

/** Sandbox only: puts the same sum into every wallet, as a top-up that the ledger can explain. */
export async function fundWallets(
  tx: Db,
  id: MerchantId,
  providers: readonly Provider[],
  options: { balance: string; now: number; newKey: () => PaymentKey },
): Promise<void> {
  const wallets = new Map(
    providers.flatMap((provider) =>
      provider.currencies.map(({ currency }) => {
        const [wallet] = walletAccounts(provider.country, currency)
        return [wallet.name, wallet] as const
      }),
    ),
  )
  for (const wallet of wallets.values()) {
    await adjustTo(tx, id, {
      key: options.newKey(),
      account: wallet.name,
      against: adjustmentAccount(wallet.currency).name,
      balance: options.balance,
      now: options.now,
    })
  }
}

export async function suspendMerchant(
  tx: Db,
  id: MerchantId,
  suspendedAt: number | undefined,
): Promise<void> {
  await setSuspended(tx, id, suspendedAt)
  await announceChange(tx)
}

export async function allowAnyUuid(tx: Db, id: MerchantId, anyUuid: boolean): Promise<void> {
  await setAnyUuid(tx, id, anyUuid)
  await announceChange(tx)
}
