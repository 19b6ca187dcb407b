/** What a customer's request says: who looks, in which language, with what in the form. */
import type { PageRequest } from '../../http/app.ts'
import type { Context } from '../../usecases/context.ts'
import type { PayForm } from '../../usecases/hosted/form.ts'
import { languageOf } from '../language.ts'
import type { Lang } from '../words.ts'
import type { HostedView, Visit } from './visit.ts'

const WAIT_MAX_S = 25
const FIELD_MAX = 200

const FIELDS = [
  'country',
  'phoneNumber',
  'provider',
  'currency',
  'amount',
  'preAuthorisationCode',
] as const satisfies readonly (keyof PayForm)[]

export function formOf({ form }: PageRequest): PayForm {
  const entries = FIELDS.map((name) => [name, form.get(name)?.slice(0, FIELD_MAX) ?? undefined])
  return Object.fromEntries(entries) as PayForm
}

/** Browsers say where a form comes from; one that says nothing still needs the secret address. */
export function isFromHere(publicUrl: string, { headers }: PageRequest): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  const given = URL.canParse(String(origin)) ? new URL(String(origin)) : undefined
  return given !== undefined && (given.host === host || given.host === new URL(publicUrl).host)
}

/** How long the customer would wait for news. */
export function secondsIn({ query }: PageRequest): number {
  const seconds = Number(query.wait)
  return Number.isFinite(seconds) ? Math.min(WAIT_MAX_S, Math.max(0, seconds)) : 0
}

export function visitOf(
  ctx: Context,
  kind: Visit['kind'],
  request: PageRequest,
  view: HostedView | undefined,
): Visit {
  const { query, form } = request
  const merchantsChoice = view && 'language' in view ? view.language : undefined
  const chosenLang = asLang(query.lang)
  const country = form.get('country') ?? query.country
  return {
    lang: chosenLang ?? asLang(cookieOf(request, LANG)) ?? merchantsChoice ?? languageOf(request),
    chosenLang,
    now: ctx.clock.now(),
    isSandbox: ctx.environment === 'sandbox',
    kind,
    isLive: query.wait !== undefined,
    wantsForm: query.again === '1',
    ...(typeof country === 'string' ? { country } : {}),
  }
}

const asLang = (text: unknown): Lang | undefined =>
  text === 'en' || text === 'fr' ? text : undefined

const LANG = 'lang'
const PAYER = 'payer'
const PAYER_SECONDS = 3600

const cookieOf = ({ headers }: PageRequest, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w-]+)`).exec(String(headers.cookie ?? ''))?.[1]

/** Of the browser that started an attempt on this checkout; see `openCheckout`. */
export const payerIn = (request: PageRequest): string | undefined => cookieOf(request, PAYER)

/** Kept for this one link, so that the way back from a provider's page has the language too. */
export function languageCookie(
  publicUrl: string,
  path: string,
  { query }: PageRequest,
): Readonly<Record<string, string>> {
  const lang = asLang(query.lang)
  return lang === undefined ? {} : setCookie(publicUrl, path, `${LANG}=${lang}`)
}

/** For as long as a checkout can be open: the form begins with the number that was sent. */
export const payerCookie = (publicUrl: string, path: string, payer: string) =>
  setCookie(publicUrl, path, `${PAYER}=${payer}`, `; Max-Age=${PAYER_SECONDS}`)

function setCookie(
  publicUrl: string,
  path: string,
  pair: string,
  age = '',
): Readonly<Record<string, string>> {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return { 'set-cookie': `${pair}; Path=${path}${age}; HttpOnly; SameSite=Lax${secure}` }
}
