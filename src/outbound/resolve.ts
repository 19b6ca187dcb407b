/**
 * From a name to its addresses. Names of others may hang on purpose; so where only public addresses
 * count, name servers are asked directly, which occupies none of the few threads of the system
 * resolver and can be given up.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { LIMITS } from '../domain/timing.ts'

export type ResolvedAddress = { readonly address: string; readonly family: number }
export type Resolve = (hostname: string) => Promise<readonly ResolvedAddress[]>

/** Knows the names of this machine and its network as well. */
export const resolveSystem: Resolve = (hostname) => lookup(hostname, { all: true })

const ASK_TIMES = 2

/** Both families are asked; one that fails does not spoil the other. */
export const resolvePublic: Resolve = async (hostname) => {
  const resolver = new Resolver({ timeout: LIMITS.nameServerMs, tries: ASK_TIMES })
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const found = [...familyOf(four, 4), ...familyOf(six, 6)]
  if (found.length > 0) return found
  throw faultOf(four.status === 'rejected' ? four.reason : undefined, hostname)
}

function familyOf(
  answer: PromiseSettledResult<readonly string[]>,
  family: 4 | 6,
): readonly ResolvedAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}

const NO_SUCH_NAME: readonly unknown[] = ['ENOTFOUND', 'ENODATA', undefined]

/** A name server that does not answer, or fails, says nothing about the name. */
function faultOf(reason: unknown, hostname: string): Error {
  const code = (reason as NodeJS.ErrnoException | undefined)?.code
  const known = NO_SUCH_NAME.includes(code) ? 'ENOTFOUND' : 'EAI_AGAIN'
  return Object.assign(new Error(`${hostname}: ${code ?? 'no address'}`), { code: known })
}
