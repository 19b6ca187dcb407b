/** Passkeys (WebAuthn). The library is loaded when somebody uses one. */
import { isIP } from 'node:net'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import {
  findPasskey,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  takeChallenge,
} from '../../store/people/passkeys.ts'
import type { User } from '../../store/people/users.ts'
import type { PeopleContext } from './context.ts'

/** Where passkeys belong: browsers use them nowhere else. */
export type Site = { readonly origin: string; readonly host: string }

/** Browsers know passkeys for names reached by https, and for this machine. */
export function siteOf(publicUrl: string): Site | undefined {
  const { origin, hostname: host, protocol } = new URL(publicUrl)
  const isSafe = protocol === 'https:' || host === 'localhost'
  return isSafe && isIP(host.replace(/^\[|\]$/g, '')) === 0 ? { origin, host } : undefined
}

/** Instead of a password: whose passkey it is, is not known before. */
export const SIGN_IN_PURPOSE = 'sign in'

/** What a browser is asked for; it goes into the page as it is. */
export async function passkeyRequest(
  ctx: PeopleContext,
  site: Site,
  purpose: string,
  user?: User,
): Promise<object> {
  const known = user === undefined ? [] : await listPasskeys(ctx.db, user.userId)
  return {
    rpId: site.host,
    challenge: Buffer.from(ctx.people.challenges.make(purpose)).toString('base64url'),
    allowCredentials: known.map(({ credentialId: id, transports }) => ({
      id,
      type: 'public-key',
      transports,
    })),
    // Alone it stands for something one has and something one is or knows.
    userVerification: user === undefined ? 'required' : 'preferred',
  }
}

type PasskeyAnswer = {
  readonly site: Site | undefined
  readonly purpose: string
  /** What the browser answered, as JSON. */
  readonly answer: string
  /** Instead of a password: the authenticator must have made sure who holds it. */
  readonly isAlone: boolean
}

/** The passkey that signed, if it is a known one and signed what it was asked, for the first time. */
export async function passkeyOf(
  ctx: PeopleContext,
  { site, purpose, answer, isAlone }: PasskeyAnswer,
): Promise<Passkey | undefined> {
  const response = asResponse(answer)
  if (site === undefined || response === undefined) return undefined
  const passkey = await findPasskey(ctx.db, response.id)
  if (passkey === undefined) return undefined
  const signed = await signedBy(ctx, { site, purpose, isAlone }, passkey, response)
  if (signed === undefined) return undefined
  const isFirst = await takeChallenge(ctx.db, signed.challenge, signed.endsMs)
  if (!isFirst) return undefined
  await notePasskeyUse(ctx.db, passkey.credentialId, signed.counter, ctx.clock.realNow())
  return passkey
}

type Signed = { readonly challenge: string; readonly endsMs: number; readonly counter: number }

async function signedBy(
  ctx: PeopleContext,
  { site, purpose, isAlone }: { site: Site; purpose: string; isAlone: boolean },
  { credentialId: id, publicKey, counter }: Passkey,
  response: AuthenticationResponseJSON,
): Promise<Signed | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  let challenge = ''
  let endsMs: number | undefined
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (given) => {
        challenge = given
        endsMs = ctx.people.challenges.endOf(purpose, given)
        return endsMs !== undefined
      },
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: { id, publicKey: Uint8Array.from(publicKey), counter },
      requireUserVerification: isAlone,
    })
    if (!verified || endsMs === undefined) return undefined
    return { challenge, endsMs, counter: authenticationInfo.newCounter }
  } catch {
    // The library throws whatever is wrong with an answer.
    return undefined
  }
}

const ANSWER_MAX = 16_384

function asResponse(text: string): AuthenticationResponseJSON | undefined {
  if (text.length > ANSWER_MAX) return undefined
  try {
    const found = JSON.parse(text) as AuthenticationResponseJSON | null
    return typeof found?.id === 'string' ? found : undefined
  } catch {
    return undefined
  }
}
