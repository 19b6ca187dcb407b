import { createHash } from 'node:crypto'
import type { Merchant, SignatureSettings } from '../../domain/accounts/merchant.ts'
import { KeyProblem, openPublicKey } from '../../signing/public-keys.ts'
import { listMerchantKeys, type MerchantKey } from '../../store/accounts/merchant-keys.ts'
import { findMerchant } from '../../store/accounts/merchants.ts'
import { changeAs, recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { AccountContext } from './context.ts'
import {
  addMerchantKeyIn,
  changeSignaturesIn,
  type NewKey,
  NoKeyLeft,
  removeMerchantKeyIn,
} from './manage-merchant-keys.ts'
import { type CheckReport, readSignatureChecks } from './signature-checks.ts'

/** What people of a merchant do about signatures. */
type SignatureContext = PeopleContext & AccountContext

export type ShownKey = Omit<MerchantKey, 'merchant'> & {
  /** What people call it: `EC P-256`. */
  readonly kind: string
  readonly algorithms: readonly string[]
  /** SHA-256 of the key in DER, as other programs show it. */
  readonly fingerprint: string
}

export type SignatureFacts = {
  readonly merchant: Merchant
  readonly keys: readonly ShownKey[]
  readonly checks: CheckReport
}

export async function readSignatures(
  ctx: SignatureContext,
  { merchant }: Person,
): Promise<SignatureFacts> {
  await ctx.signatureChecks.flush()
  await ctx.lastUses.flush(true)
  const [fresh, keys, checks] = await Promise.all([
    findMerchant(ctx.db, merchant.id),
    listMerchantKeys(ctx.db, merchant.id),
    readSignatureChecks(ctx.db, merchant.id, ctx.clock.realNow()),
  ])
  return { merchant: fresh ?? merchant, keys: keys.map(shown), checks }
}

function shown(key: MerchantKey): ShownKey {
  const { name: kind, algorithms, key: opened } = openPublicKey(key.publicKey)
  const der = opened.export({ type: 'spki', format: 'der' })
  const digits = createHash('sha256').update(der).digest('hex').toUpperCase()
  return { ...key, kind, algorithms, fingerprint: digits.match(/../g)?.join(':') ?? '' }
}

/** Why it cannot be used, in plain words, where it cannot. */
export async function addKey(
  ctx: SignatureContext,
  person: Person,
  key: NewKey,
): Promise<string | undefined> {
  const { id } = person.merchant
  try {
    await ctx.db.inTransaction(async (tx) => {
      const kind = await addMerchantKeyIn(tx, id, key, ctx.clock.realNow())
      const change = { action: 'signature key added', object: key.keyId, after: { kind } }
      await recordChange(ctx, tx, person, change)
    })
  } catch (error) {
    if (error instanceof KeyProblem) return error.message
    throw error
  }
  ctx.merchants.forget()
  return undefined
}

/** LAST: signatures are required and no other key is left, so nothing could be initiated. */
export async function removeKey(
  ctx: SignatureContext,
  person: Person,
  keyId: string,
): Promise<'REMOVED' | 'MISSING' | 'LAST'> {
  const { id } = person.merchant
  try {
    const isRemoved = await ctx.db.inTransaction(async (tx) => {
      // Locks the merchant: what is required cannot change meanwhile.
      await changeSignaturesIn(tx, id, {}, ctx.clock.realNow())
      const { removed, left } = await removeMerchantKeyIn(tx, id, keyId)
      const isRequired = (await findMerchant(tx, id))?.signedRequestsOnly === true
      if (removed && left === 0 && isRequired) throw new NoKeyLeft(keyId)
      if (!removed) return false
      await recordChange(ctx, tx, person, { action: 'signature key removed', object: keyId })
      return true
    })
    if (isRemoved) ctx.merchants.forget()
    return isRemoved ? 'REMOVED' : 'MISSING'
  } catch (error) {
    if (error instanceof NoKeyLeft) return 'LAST'
    throw error
  }
}

/** HARM: initiations of the last days would have been refused, and nobody said to go on anyway. */
export async function requireSignatures(
  ctx: SignatureContext,
  person: Person,
  wanted: { readonly isRequired: boolean; readonly isAnyway: boolean },
): Promise<'CHANGED' | 'NO_KEY' | 'HARM'> {
  const { isRequired, isAnyway } = wanted
  const { merchant, keys, checks } = await readSignatures(ctx, person)
  if (isRequired && keys.length === 0) return 'NO_KEY'
  if (isRequired && checks.failed > 0 && !isAnyway) return 'HARM'
  if (merchant.signedRequestsOnly === isRequired) return 'CHANGED'
  const change = { signedRequestsOnly: isRequired }
  const before = { signedRequestsOnly: merchant.signedRequestsOnly }
  const action = isRequired ? 'signatures required' : 'signatures not required'
  try {
    await save(ctx, person, { action, before, change })
  } catch (error) {
    if (error instanceof NoKeyLeft) return 'NO_KEY'
    throw error
  }
  return 'CHANGED'
}

type SignatureChoices = Required<
  Pick<SignatureSettings, 'maxSignatureAge' | 'coverAuthority' | 'signedCallbacks'>
>

export async function chooseSignatures(
  ctx: SignatureContext,
  person: Person,
  choices: SignatureChoices,
): Promise<void> {
  const { merchant } = await readSignatures(ctx, person)
  const { maxSignatureAge = 0, coverAuthority, signedCallbacks } = merchant
  const before = { maxSignatureAge, coverAuthority, signedCallbacks }
  await save(ctx, person, { action: 'signature settings changed', before, change: choices })
}

async function save(
  ctx: SignatureContext,
  person: Person,
  order: { readonly action: string; readonly before: object; readonly change: SignatureSettings },
): Promise<void> {
  const { action, before, change } = order
  const { id, slug } = person.merchant
  await changeAs(ctx, person, { action, object: slug, before, after: change }, (tx) =>
    changeSignaturesIn(tx, id, change, ctx.clock.realNow()),
  )
  ctx.merchants.forget()
}
