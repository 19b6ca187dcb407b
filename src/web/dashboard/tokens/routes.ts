import { isScope, type Scope } from '../../../domain/accounts/token.ts'
import { mayGrantScope } from '../../../domain/people/grantable-scopes.ts'
import type { Page } from '../../../http/pages.ts'
import {
  addToken,
  endToken,
  isWorking,
  readTokens,
  rotateToken,
  type TokenSummary,
} from '../../../usecases/accounts/tokens-of-merchant.ts'
import { fill } from '../../words.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { LASTS, type Refused, tokensPage } from './list.tsx'
import { madePage, OVERLAPS, tokenPage } from './one.tsx'
import { TOKEN_WORDS } from './words.ts'

const HOUR_MS = 3_600_000
const LIST = '/dashboard/tokens'

export const TOKEN_ROUTES: readonly DashboardRoute[] = [
  {
    path: LIST,
    permission: 'developers:manage',
    answer: async (visit) => tokensPage(visit, await readTokens(visit.ctx, visit.person)),
  },
  {
    path: LIST,
    method: 'POST',
    permission: 'developers:manage',
    isSensitive: true,
    isForAllCountries: true,
    answer: create,
  },
  {
    path: `${LIST}/:tokenId`,
    permission: 'developers:manage',
    answer: (visit) => withToken(visit, (token) => tokenPage(visit, token)),
  },
  {
    path: `${LIST}/:tokenId/rotate`,
    method: 'POST',
    permission: 'developers:manage',
    isSensitive: true,
    isForAllCountries: true,
    answer: (visit) => withToken(visit, (token) => rotate(visit, token)),
  },
  {
    path: `${LIST}/:tokenId/revoke`,
    method: 'POST',
    permission: 'developers:manage',
    isSensitive: true,
    answer: (visit) => withToken(visit, (token) => revoke(visit, token)),
  },
]

/** A token of this merchant that works; others are not found. */
async function withToken(
  visit: Visit,
  then: (token: TokenSummary) => Page | Promise<Page>,
): Promise<Page> {
  const { ctx, person, request } = visit
  const tokens = await readTokens(ctx, person)
  const token = tokens.find(({ tokenId }) => tokenId === request.params.tokenId)
  if (token === undefined || !isWorking(token, ctx.clock.realNow())) return missingPage(visit)
  return then(token)
}

async function create(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const label = (request.form.get('label') ?? '').trim()
  const texts = request.form.getAll('scope')
  const problem = problemOf(visit, label, texts)
  const tokenId = newIdIn(visit)
  if (problem !== undefined || tokenId === undefined) {
    const tokens = await readTokens(ctx, person)
    return tokensPage(visit, tokens, { label, scopes: texts, problem: problem ?? 'nameWrong' })
  }
  const scopes = plainScopes(texts.filter(isScope))
  const made = await addToken(ctx, person, { tokenId, label, scopes, lastsMs: lastsIn(visit) })
  if (made === undefined) return goTo(visit, LIST, TOKEN_WORDS[lang].twice, true)
  return madePage(visit, { token: made.token, label })
}

function problemOf(
  { person, ctx }: Visit,
  label: string,
  scopes: readonly string[],
): Refused['problem'] | undefined {
  if (label.length < 1 || label.length > 80 || /\p{Cc}/u.test(label)) return 'nameWrong'
  if (scopes.length === 0 || !scopes.every(isScope)) return 'scopesWrong'
  if (!scopes.every((scope) => mayGrantScope(person.role, scope, ctx.environment))) return 'notHeld'
  return undefined
}

/** Everything includes all but personal data. */
const plainScopes = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.includes('*') ? scopes.filter((one) => one === '*' || one === 'pii') : scopes

async function rotate(visit: Visit, former: TokenSummary): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = TOKEN_WORDS[lang]
  const hours = OVERLAPS.find((one) => one === request.form.get('overlap')) ?? '0'
  const tokenId = newIdIn(visit)
  if (tokenId === undefined) return tokenPage(visit, former)
  // The person who rotates a token holds its text, and with it all that it may do.
  if (!former.scopes.every((scope) => mayGrantScope(person.role, scope, ctx.environment))) {
    return goTo(visit, `${LIST}/${former.tokenId}`, words.rotateNotHeld, true)
  }
  const overlapMs = Number(hours) * HOUR_MS
  const order = { former, tokenId, overlapMs, lastsMs: lastsIn(visit) }
  const made = await rotateToken(ctx, person, order)
  if (made === undefined) return goTo(visit, LIST, words.twice, true)
  if (made === 'GONE') return goTo(visit, LIST, words.gone, true)
  const { label, lastFour } = former
  return madePage(visit, {
    token: made.token,
    label,
    former: { lastFour, endsMs: made.formerEndsMs },
  })
}

async function revoke(visit: Visit, token: TokenSummary): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = TOKEN_WORDS[lang]
  if ((request.form.get('name') ?? '').trim() !== token.label.trim()) {
    return tokenPage(visit, token, true)
  }
  if (!(await endToken(ctx, person, token))) return goTo(visit, LIST, words.gone, true)
  return goTo(visit, LIST, fill(words.revoked, { name: token.label }))
}

function newIdIn({ request }: Visit): string | undefined {
  const text = request.form.get('tokenId') ?? ''
  return /^tok_[\w-]{12}$/.test(text) ? text : undefined
}

function lastsIn({ request }: Visit): number | undefined {
  const days = LASTS[(request.form.get('lasts') ?? 'none') as keyof typeof LASTS]
  return days === undefined ? undefined : days * 24 * HOUR_MS
}
