import { randomBytes } from 'node:crypto'
import { permits } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { createLinkTokens } from '../../signing/link-token.ts'
import { findTokenById } from '../../store/accounts/tokens.ts'
import type { Caller } from '../accounts/merchant-directory.ts'
import type { Context } from '../context.ts'

/**
 * Sign-in to the sandbox in a browser: an API token is entered once and exchanged for a session. A
 * session is proved with the stored hash of its token, so that knowing the secret of the service is
 * not enough to forge one (that of a sandbox may be the default), and it ends with its token.
 */
export type SandboxSessions = {
  signIn(token: string): Promise<SignIn>
  visitorOf(session: string | undefined): Promise<Caller | undefined>
  /** A code that signs in once, on this node. */
  invite(who: Holder, ms: number): string
  /** The invitation to print at the start. */
  inviteHolder(token: string): Promise<string | undefined>
  /** A session for the first visitor with the code. */
  enter(code: string): Promise<string | undefined>
}

type SignIn =
  | { readonly status: 'IN'; readonly session: string }
  | { readonly status: 'UNKNOWN_TOKEN' | 'NO_RIGHT' }

type Holder = { readonly merchantId: MerchantId; readonly tokenId: string }
type Invitation = Holder & { readonly until: number }

export const SESSION_SECONDS = LIFETIMES.sandboxSessionMs / 1000
const INVITATIONS_MAX = 1000

export function createSandboxSessions(ctx: Context, secret: string): SandboxSessions {
  const proofs = createLinkTokens(secret, 'sandbox session v1')
  const invitations = new Map<string, Invitation>()

  const sessionFor = async ({ merchantId, tokenId }: Holder): Promise<string | undefined> => {
    const stored = await findTokenById(ctx.db, merchantId, tokenId, ctx.clock.realNow())
    if (stored === undefined) return undefined
    const until = Buffer.alloc(8)
    until.writeDoubleBE(ctx.clock.realNow() + SESSION_SECONDS * 1000)
    return [merchantId, tokenId, proofs.write(stored.hash.toString('hex'), until)].join('.')
  }

  const invite: SandboxSessions['invite'] = ({ merchantId, tokenId }, ms) => {
    const code = randomBytes(18).toString('base64url')
    // The oldest goes first, so that requests cannot fill the memory.
    const [oldest] = invitations.size < INVITATIONS_MAX ? [] : invitations.keys()
    if (oldest !== undefined) invitations.delete(oldest)
    invitations.set(code, { merchantId, tokenId, until: ctx.clock.realNow() + ms })
    return code
  }

  return {
    invite,
    signIn: async (token) => {
      const caller = await ctx.merchants.byToken(token)
      if (caller === undefined) return { status: 'UNKNOWN_TOKEN' }
      if (!mayEnter(caller)) return { status: 'NO_RIGHT' }
      const session = await sessionFor(holderOf(caller))
      return session === undefined ? { status: 'UNKNOWN_TOKEN' } : { status: 'IN', session }
    },
    visitorOf: async (session) => {
      const [, merchantId = '', tokenId = '', proof = ''] =
        /^(\d{1,9})\.([\w-]{1,64})\.([\w-]{1,200})$/.exec(session ?? '') ?? []
      if (proof === '') return undefined
      const now = ctx.clock.realNow()
      const stored = await findTokenById(ctx.db, Number(merchantId), tokenId, now)
      if (stored === undefined) return undefined
      const until = proofs.read(stored.hash.toString('hex'), proof)?.readDoubleBE()
      if (until === undefined || until < now) return undefined
      const merchant = await ctx.merchants.byId(stored.merchantId)
      if (merchant === undefined) return undefined
      const caller = { merchant, tokenId, scopes: new Set(stored.scopes) }
      return mayEnter(caller) ? caller : undefined
    },
    inviteHolder: async (token) => {
      const caller = await ctx.merchants.byToken(token)
      return caller === undefined ? undefined : invite(holderOf(caller), SESSION_SECONDS * 1000)
    },
    enter: async (code) => {
      const invitation = invitations.get(code)
      // Before the first await: of two visitors at once only one gets in.
      invitations.delete(code)
      if (invitation === undefined || invitation.until < ctx.clock.realNow()) return undefined
      return sessionFor(invitation)
    },
  }
}

const holderOf = ({ merchant, tokenId }: Caller): Holder => ({ merchantId: merchant.id, tokenId })

const mayEnter = ({ merchant, scopes }: Caller): boolean =>
  !merchant.suspended && permits(scopes, 'sandbox', 'write')
