/** What a browser brings along to the sandbox, and takes away: session, tour, and one sentence. */
import type { Page, PageRequest } from '../../http/app.ts'
import { SESSION_SECONDS } from '../../usecases/sandbox/sessions.ts'
import { languageOf } from '../language.ts'
import type { Page as Rendered } from '../page.tsx'
import type { Flash, FlashKey } from './view.ts'
import { SANDBOX_WORDS } from './words.ts'

const SESSION = 'malipo_sandbox'
const TOUR = 'malipo_tour'
const FLASH = 'malipo_flash'
const YEAR_SECONDS = 31_536_000
const FLASH_SECONDS = 60

type Headers = Readonly<Record<string, string>>

export const sessionIn = (request: PageRequest): string | undefined => cookie(request, SESSION)
export const hasSeenTour = (request: PageRequest): boolean => cookie(request, TOUR) !== undefined

export const keepSession = (publicUrl: string, session: string): Headers =>
  setCookie(publicUrl, SESSION, session, SESSION_SECONDS)
export const endSession = (publicUrl: string): Headers => setCookie(publicUrl, SESSION, '', 0)
export const keepTourSeen = (publicUrl: string): Headers =>
  setCookie(publicUrl, TOUR, 'seen', YEAR_SECONDS)

/** A sentence for the next page: kept out of the address, so that it is shown once. */
export const keepFlash = (publicUrl: string, flash: Flash): Headers =>
  setCookie(
    publicUrl,
    FLASH,
    Buffer.from(JSON.stringify(flash)).toString('base64url'),
    FLASH_SECONDS,
  )
export const forgetFlash = (publicUrl: string): Headers => setCookie(publicUrl, FLASH, '', 0)

export function flashIn(request: PageRequest): Flash | undefined {
  const text = cookie(request, FLASH)
  if (text === undefined) return undefined
  try {
    const { key, values } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Flash
    const isKnown = Object.hasOwn(SANDBOX_WORDS.en, `flash_${key}`)
    return isKnown ? { key: key as FlashKey, values: { ...values } } : undefined
  } catch {
    return undefined
  }
}

function cookie({ headers }: PageRequest, name: string): string | undefined {
  const pairs = String(headers.cookie ?? '').split(/;\s*/)
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

function setCookie(publicUrl: string, name: string, value: string, seconds: number): Headers {
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
