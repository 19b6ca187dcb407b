import { permits, type Scope } from '../domain/accounts/token.ts'
import type { Caller } from '../usecases/accounts/merchant-directory.ts'
import type { Context } from '../usecases/context.ts'
import { RequestFault } from '../wire/fault.ts'
import type { Endpoint } from './endpoint.ts'

const BEARER = /^Bearer +(\S+) *$/i

/** The caller of a token that is in memory. */
export function inMemory(ctx: Context, header: string | undefined): Caller | undefined {
  if (header === undefined || !header.startsWith('Bearer ')) return undefined
  return ctx.merchants.known(header.slice('Bearer '.length))
}

/** The caller, when the token is in memory and permits the call; everything else takes longer. */
export function known(
  ctx: Context,
  header: string | undefined,
  access: Endpoint['access'],
): Caller | undefined {
  if (access === undefined) return undefined
  const caller = inMemory(ctx, header)
  if (caller === undefined || caller.merchant.suspended) return undefined
  return permitsCall(caller.scopes, access) ? caller : undefined
}

/** The caller of a valid token; 401 without one. */
export async function identify(ctx: Context, header: string | undefined): Promise<Caller> {
  const token = BEARER.exec(header ?? '')?.[1]
  if (token === undefined) {
    throw new RequestFault(
      'AUTHENTICATION_ERROR',
      header === undefined
        ? "The request has no API token. Send the header 'Authorization: Bearer <token>'."
        : "The Authorization header is not of the form 'Bearer <token>'.",
    )
  }
  const caller = await ctx.merchants.byToken(token)
  if (caller === undefined) {
    throw new RequestFault(
      'AUTHENTICATION_ERROR',
      'The API token is not valid here: it is unknown, has expired or was revoked.',
    )
  }
  return caller
}

/** 403 for a valid token without the permission. */
export function authorise({ merchant, scopes }: Caller, access: Endpoint['access']): void {
  if (access === undefined) return
  if (merchant.suspended) {
    throw new RequestFault('AUTHORISATION_ERROR', 'This account is suspended.')
  }
  if (!permitsCall(scopes, access)) {
    const [wanted, ...others] = scopesOf(access).map((scope) => `'${scope}'`)
    const or = others.length === 0 ? '' : `, or one of ${others.join(', ')}`
    throw new RequestFault(
      'AUTHORISATION_ERROR',
      `The API token may not use this endpoint: it lacks the scope ${wanted}${or}.`,
    )
  }
}

type Asked = NonNullable<Endpoint['access']>

const permitsCall = (scopes: ReadonlySet<Scope>, { group, orAny = [], level }: Asked): boolean =>
  permits(scopes, group, level) || orAny.some((one) => permits(scopes, one, level))

/** The least scopes with which it can be called, any of which is enough. */
export const scopesOf = ({ group, orAny = [], level }: Asked): readonly Scope[] =>
  [group, ...orAny].map((one): Scope => (level === 'read' ? `${one}:read` : one))
