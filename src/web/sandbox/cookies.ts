/** What a browser brings along to the sandbox, and takes away: session, tour, and one sentence. */
import type { Page, PageRequest } from '../../http/app.ts'
import { SESSION_SECONDS } from '../../usecases/sandbox/sessions.ts'
import { languageOf } from '../language.ts'
import type { Page as Rendered } from '../page.tsx'
import type { Said, SaidKey } from './view.ts'
import { SANDBOX_WORDS } from './words.ts'

const SESSION = 'malipo_sandbox'
const TOUR = 'malipo_tour'
const SAID = 'malipo_said'
const YEAR_SECONDS = 31_536_000
const SAID_SECONDS = 60

type Headers = Readonly<Record<string, string>>

export const sessionIn = (request: PageRequest): string | undefined => cookie(request, SESSION)
export const hasSeenTour = (request: PageRequest): boolean => cookie(request, TOUR) !== undefined

export const keepSession = (publicUrl: string, session: string): Headers =>
  bake(publicUrl, SESSION, session, SESSION_SECONDS)
export const endSession = (publicUrl: string): Headers => bake(publicUrl, SESSION, '', 0)
export const keepTourSeen = (publicUrl: string): Headers =>
  bake(publicUrl, TOUR, 'seen', YEAR_SECONDS)

/** A sentence for the next page: kept out of the address, so that it is shown once. */
export const keepSaid = (publicUrl: string, said: Said): Headers =>
  bake(publicUrl, SAID, Buffer.from(JSON.stringify(said)).toString('base64url'), SAID_SECONDS)
export const forgetSaid = (publicUrl: string): Headers => bake(publicUrl, SAID, '', 0)

export function saidIn(request: PageRequest): Said | undefined {
  const text = cookie(request, SAID)
  if (text === undefined) return undefined
  try {
    const { key, values } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Said
    const isKnown = Object.hasOwn(SANDBOX_WORDS.en, `said_${key}`)
    return isKnown ? { key: key as SaidKey, values: { ...values } } : undefined
  } catch {
    return undefined
  }
}

function cookie({ headers }: PageRequest, name: string): string | undefined {
  const pairs = String(headers.cookie ?? '').split(/;\s*/)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

function bake(publicUrl: string, name: string, value: string, seconds: number): Headers {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const rules = `Path=/sandbox; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  return { 'set-cookie': `${name}=${value}; ${rules}` }
}

const PRIVATE = {
  'cache-control': 'no-store',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

export const asPage = ({ html, headers }: Rendered, status = 200, more: Headers = {}): Page => ({
  status,
  headers: { ...headers, ...PRIVATE, ...more },
  body: html,
})

export const goTo = (location: string, more: Headers = {}): Page => ({
  status: 303,
  headers: { ...PRIVATE, ...more, location },
  body: '',
})

export const asJson = (body: object, status = 200): Page => ({
  status,
  headers: { ...PRIVATE, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** The phone page about a number, as the request had it. */
export function phonePath(request: PageRequest, number: string | undefined): string {
  const query = new URLSearchParams({
    lang: languageOf(request),
    ...(number && { phone: number }),
    ...(request.query.view === 'phone' && { view: 'phone' }),
    ...(request.query.tab === 'wallet' && { tab: 'wallet' }),
  })
  return `/sandbox?${query}`
}
