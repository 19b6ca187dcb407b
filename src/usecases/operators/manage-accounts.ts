import { setTimeout as pause } from 'node:timers/promises'
import type { AccountForm, OperatorAccount } from '../../domain/operators/account.ts'
import {
  AccountProblem,
  type DescribedAccount,
  type Known,
  readAccountFile,
} from '../../domain/operators/account-file.ts'
import { OPERATION_TYPES } from '../../domain/provider.ts'
import { LIMITS } from '../../domain/timing.ts'
import type { Catalog } from '../../providers/catalog.ts'
import { OPERATOR_KINDS, operatorKind } from '../../providers/kinds.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import {
  countOpenPayments,
  deleteAccount,
  insertAccount,
  lockAccount,
  type StoredAccount,
  updateAccount,
} from '../../store/operators/accounts.ts'
import { closeBreakersOf, enterHealth } from '../../store/operators/health.ts'
import { requireFittingSecret } from '../accounts/signing-keys.ts'
import { rangeFault } from './address-ranges.ts'
import { newCallbackSecret, openSecrets, sealSecrets } from './open-account.ts'
import { decideHealth } from './rest-account.ts'

/** Making, changing and removing accounts with operators. All nodes follow at once. */
export type ManageParts = {
  readonly database: Database
  readonly catalog: Catalog
  readonly secretKey: string
  /** In the sandbox a simulated operator serves what no account serves. */
  readonly hasSimulator: boolean
  readonly now: number
}

const knownTo = (catalog: Catalog): Known => ({
  connectors: OPERATOR_KINDS.map(({ name }) => name),
  formOf: (connector) => operatorKind(connector)?.form,
  operationsOf: (code) => {
    const provider = catalog.find(code)
    return (
      provider &&
      OPERATION_TYPES.filter((operation) =>
        provider.currencies.some(({ operations }) => operations[operation] !== undefined),
      )
    )
  },
  rangeFault,
})

/** A key that cannot be read is found out here, and not by the first payment. */
function readable(parts: ManageParts, content: unknown): DescribedAccount {
  const described = readAccountFile(content, knownTo(parts.catalog))
  const { catalog, now } = parts
  const unused = (): never => {
    throw new Error('nothing is sent here')
  }
  try {
    operatorKind(described.connector)?.open({
      ...described,
      ...{ enabled: true, callbackSecret: '', catalog, referenceOf: unused, callbackUrl: unused },
      now: () => now,
      realNow: () => now,
    })
  } catch (error) {
    throw new AccountProblem(`The account cannot be used: ${(error as Error).message}`)
  }
  return described
}

export async function addAccount(parts: ManageParts, content: unknown): Promise<OperatorAccount> {
  const described = readable(parts, content)
  await requireKey(parts)
  const account = {
    ...storable(parts, described),
    enabled: true,
    callbackSecret: newCallbackSecret(),
  }
  await change(parts, async (tx) => {
    if (await insertAccount(tx, account, parts.now)) return
    throw new AccountProblem(
      `There is an account "${account.name}" already. Change it with malipo operator update.`,
    )
  })
  return account
}

/** Sealed under another key than everything else, no node could use it. */
async function requireKey({ database, secretKey }: ManageParts): Promise<void> {
  try {
    await requireFittingSecret(database, secretKey)
  } catch (error) {
    throw new AccountProblem(`${(error as Error).message}.`)
  }
}

/** Members that are given replace those that are stored; secrets and settings one by one. */
export async function changeAccount(
  parts: ManageParts,
  name: string,
  content: unknown,
): Promise<OperatorAccount> {
  const part = memberMap(content)
  if (part.name !== undefined && part.name !== name) {
    throw new AccountProblem(`"name" cannot be changed. Remove the account and add another.`)
  }
  return change(parts, async (tx) => {
    const before = await existing(tx, name)
    const { connector, baseUrl, providers, priority, settings, callbackSources, limits } = before
    const secrets = openSecrets(parts.secretKey, before.sealedSecrets)
    const merged = {
      ...{ name, connector, baseUrl, providers, priority, callbackSources, limits },
      ...part,
      settings: merge(settings, part.settings),
      secrets: merge(secrets, part.secrets),
    }
    const described = readable(parts, merged)
    const moved = LEADING.find(
      (member) => JSON.stringify(described[member]) !== JSON.stringify(before[member]),
    )
    if (moved !== undefined && (await countOpenPayments(tx, name)) > 0) {
      throw new AccountProblem(
        `"${moved}" cannot be changed while payments of the account are open: they are looked up ` +
          'where they were sent. Add another account, and disable this one.',
      )
    }
    const account = { ...before, ...storable(parts, described) }
    await updateAccount(tx, account)
    await closeBreakersOf(tx, name, parts.now)
    return account
  })
}

/** What decides where an order goes: elsewhere nobody knows it, and it could be sent once more. */
const LEADING = ['connector', 'baseUrl', 'settings'] as const

export async function enableAccount(
  parts: ManageParts,
  name: string,
  enabled: boolean,
): Promise<OperatorAccount> {
  return change(parts, async (tx) => {
    const account = { ...(await existing(tx, name)), enabled }
    await updateAccount(tx, account)
    if (enabled) await closeBreakersOf(tx, name, parts.now)
    return account
  })
}

/** Nodes let go of it first: none of them may be about to send something through it. */
export async function removeAccount(parts: ManageParts, name: string): Promise<void> {
  const wasEnabled = await change(parts, async (tx) => {
    const account = await existing(tx, name)
    await refuseWhileOpen(tx, name)
    await updateAccount(tx, { ...account, enabled: false })
    return account.enabled
  })
  if (wasEnabled) await pause(LIMITS.changeFollowedMs)
  try {
    await change(parts, async (tx) => {
      await refuseWhileOpen(tx, name)
      await deleteAccount(tx, name)
    })
  } catch (error) {
    if (wasEnabled) await enableAccount(parts, name, true)
    throw error
  }
}

async function refuseWhileOpen(tx: Db, name: string): Promise<void> {
  const open = await countOpenPayments(tx, name)
  if (open === 0) return
  throw new AccountProblem(
    `${open} ${open === 1 ? 'payment' : 'payments'} of the account "${name}" ` +
      `${open === 1 ? 'is' : 'are'} still open. See malipo payment list --operator ${name}. Disable ` +
      'the account, and remove it when they have ended; payouts in line can be cancelled.',
  )
}

/** For people: every secret by its name, never its value. */
export function secretNames(
  form: AccountForm | undefined,
  stored: StoredAccount,
  secretKey: string,
): Readonly<Record<string, 'set' | 'absent'>> {
  const secrets = openSecrets(secretKey, stored.sealedSecrets)
  return Object.fromEntries(
    Object.keys(form?.secrets ?? {}).map((name) => [
      name,
      secrets[name] === undefined ? 'absent' : 'set',
    ]),
  )
}

const storable = (
  { secretKey }: ManageParts,
  { secrets, ...described }: DescribedAccount,
): Omit<StoredAccount, 'enabled' | 'callbackSecret'> => ({
  ...described,
  sealedSecrets: sealSecrets(secretKey, secrets),
})

async function existing(tx: Db, name: string): Promise<StoredAccount> {
  const account = await lockAccount(tx, name)
  if (account !== undefined) return account
  throw new AccountProblem(`There is no account "${name}". See malipo operator list.`)
}

function memberMap(content: unknown): Readonly<Record<string, unknown>> {
  if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
    return content as Record<string, unknown>
  }
  throw new AccountProblem('the file must be a JSON object.')
}

/** `null` removes a member. */
function merge(before: object, part: unknown): unknown {
  if (part === undefined) return before
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  const merged = Object.entries({ ...before, ...part }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

/** What providers are good for follows from the accounts, in the same transaction. */
async function change<T>(
  { database, hasSimulator, now }: ManageParts,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return database.inTransaction(async (tx) => {
    await enterHealth(tx)
    const result = await work(tx)
    await decideHealth(tx, hasSimulator, now)
    await announceChange(tx)
    return result
  })
}
