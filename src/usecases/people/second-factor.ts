/** The authenticator, the recovery codes and the passkeys of a person. */
import { randomInt } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { seal, unseal } from '../../signing/keys.ts'
import { codeKeyUrl, newCodeKey, stepOfCode } from '../../signing/one-time-codes.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  type Passkey,
  renamePasskey,
  takeChallenge,
} from '../../store/people/passkeys.ts'
import { countRecoveryCodes, replaceRecoveryCodes } from '../../store/people/sign-in.ts'
import { changeUser, findUser } from '../../store/people/users.ts'
import { changeAs, recordChange } from './change.ts'
import type { PeopleContext, Person } from './context.ts'
import type { Site } from './passkeys.ts'
import { hasSecondFactor, recoveryHash } from './proofs.ts'

/** A new key, which counts once a code of it was given. False where there is an authenticator. */
export async function beginAuthenticator(ctx: PeopleContext, person: Person): Promise<boolean> {
  const { user } = person
  if (user.hasCode) return false
  const sealedCodeKey = seal(ctx.people.secretKey, newCodeKey())
  const change = { action: 'authenticator begun', object: user.email }
  await changeAs(ctx, person, change, (tx) => changeUser(tx, user.userId, { sealedCodeKey }))
  return true
}

/** The key that waits for its first code, as text and as an address for a QR code. */
export function waitingKey(
  ctx: PeopleContext,
  { user }: Person,
): { readonly key: string; readonly url: string } | undefined {
  if (user.hasCode || user.sealedCodeKey === null) return undefined
  const key = unseal(ctx.people.secretKey, user.sealedCodeKey)
  return { key, url: codeKeyUrl(key, user.email) }
}

export type Added =
  /** With recovery codes where the person had none; they are nowhere else in clear. */
  { readonly status: 'ADDED'; readonly codes: readonly string[] } | { readonly status: 'WRONG' }

/** The first code proves that the authenticator has the key. */
export async function confirmAuthenticator(
  ctx: PeopleContext,
  person: Person,
  code: string,
): Promise<Added> {
  const { user } = person
  const waiting = waitingKey(ctx, person)
  const now = ctx.clock.realNow()
  const codeStep = waiting && stepOfCode(waiting.key, code, now)
  if (codeStep === undefined) return { status: 'WRONG' }
  const change = { action: 'authenticator added', object: user.email }
  const codes = await changeAs(ctx, person, change, async (tx) => {
    await changeUser(tx, user.userId, { codeSinceMs: now, codeStep })
    return codesIfNone(tx, user.userId)
  })
  return { status: 'ADDED', codes }
}

export async function removeAuthenticator(ctx: PeopleContext, person: Person): Promise<void> {
  const { user } = person
  const change = { action: 'authenticator removed', object: user.email }
  await changeAs(ctx, person, change, async (tx) => {
    await changeUser(tx, user.userId, { sealedCodeKey: null, codeSinceMs: null })
    await dropCodesIfAlone(tx, user.userId)
  })
}

/** Ten, which replace those that there were. Undefined where they would be of no use. */
export async function makeRecoveryCodes(
  ctx: PeopleContext,
  person: Person,
): Promise<readonly string[] | undefined> {
  const { user } = person
  if (!hasSecondFactor(user)) return undefined
  const change = { action: 'recovery codes made', object: user.email }
  return changeAs(ctx, person, change, (tx) => newCodes(tx, user.userId))
}

const CODES = 10
/** Without letters and digits that look alike. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789'

async function newCodes(tx: Db, userId: number): Promise<readonly string[]> {
  const part = (): string =>
    Array.from({ length: 5 }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  const codes = Array.from({ length: CODES }, () => `${part()}-${part()}`)
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => recoveryHash(userId, code)),
  )
  return codes
}

const codesIfNone = async (tx: Db, userId: number): Promise<readonly string[]> =>
  (await countRecoveryCodes(tx, userId)) === 0 ? newCodes(tx, userId) : []

/** Recovery codes stand in for a second factor; without one they go too. */
async function dropCodesIfAlone(tx: Db, userId: number): Promise<void> {
  const user = await findUser(tx, userId)
  if (user !== undefined && !hasSecondFactor(user)) await replaceRecoveryCodes(tx, userId, [])
}

export const passkeysOf = (ctx: PeopleContext, { user }: Person): Promise<readonly Passkey[]> =>
  listPasskeys(ctx.db, user.userId)

const registrationPurpose = (userId: number): string => `passkey for ${userId}`

/** What a browser is asked for to make a passkey; it goes into the page as it is. */
export async function newPasskeyRequest(
  ctx: PeopleContext,
  { user }: Person,
  site: Site,
): Promise<object> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const known = await listPasskeys(ctx.db, user.userId)
  return generateRegistrationOptions({
    rpName: 'Malipo',
    rpID: site.host,
    userName: user.email,
    userDisplayName: user.name || user.email,
    userID: Uint8Array.from(Buffer.from(`user ${user.userId}`)),
    challenge: ctx.people.challenges.make(registrationPurpose(user.userId)),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({
      id,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

export async function addPasskey(
  ctx: PeopleContext,
  person: Person,
  { site, answer, name }: { readonly site: Site; readonly answer: string; readonly name: string },
): Promise<Added> {
  const { user } = person
  const made = await madePasskey(ctx, user.userId, site, answer)
  if (made === undefined) return { status: 'WRONG' }
  const { endsMs, challenge, ...passkey } = made
  return ctx.db.inTransaction(async (tx) => {
    const isNew =
      (await takeChallenge(tx, challenge, endsMs)) &&
      (await insertPasskey(tx, {
        ...passkey,
        userId: user.userId,
        name,
        createdMs: ctx.clock.realNow(),
      }))
    if (!isNew) return { status: 'WRONG' }
    await recordChange(ctx, tx, person, {
      action: 'passkey added',
      object: user.email,
      after: { name },
    })
    return { status: 'ADDED', codes: await codesIfNone(tx, user.userId) }
  })
}

async function madePasskey(ctx: PeopleContext, userId: number, site: Site, answer: string) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  let challenge = ''
  let endsMs: number | undefined
  try {
    const response = JSON.parse(answer) as RegistrationResponseJSON
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: (given) => {
        challenge = given
        endsMs = ctx.people.challenges.endOf(registrationPurpose(userId), given)
        return endsMs !== undefined
      },
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
    })
    if (registrationInfo === undefined || endsMs === undefined) return undefined
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      credentialId,
      publicKey: Buffer.from(publicKey),
      counter,
      transports,
      challenge,
      endsMs,
    }
  } catch {
    // The library throws whatever is wrong with an answer.
    return undefined
  }
}

/** False where there is no such passkey of this person. */
export async function namePasskey(
  ctx: PeopleContext,
  person: Person,
  credentialId: string,
  name: string,
): Promise<boolean> {
  const { user } = person
  return ctx.db.inTransaction(async (tx) => {
    const before = await renamePasskey(tx, user.userId, credentialId, name)
    if (before === undefined) return false
    await recordChange(ctx, tx, person, {
      action: 'passkey named',
      object: user.email,
      before: { name: before },
      after: { name },
    })
    return true
  })
}

export async function removePasskey(
  ctx: PeopleContext,
  person: Person,
  credentialId: string,
): Promise<boolean> {
  const { user } = person
  return ctx.db.inTransaction(async (tx) => {
    const name = await deletePasskey(tx, user.userId, credentialId)
    if (name === undefined) return false
    await dropCodesIfAlone(tx, user.userId)
    const before = { name }
    await recordChange(ctx, tx, person, { action: 'passkey removed', object: user.email, before })
    return true
  })
}
