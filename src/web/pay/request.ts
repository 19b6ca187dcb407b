/** What a customer's request holds: the language, the form and the cookies. */
import { PAGES } from '../../domain/client-timing.ts'
import type { PageRequest } from '../../http/pages.ts'
import type { Context } from '../../usecases/context.ts'
import type { PayForm } from '../../usecases/hosted/form.ts'
import { readCookie, setCookie } from '../cookies.ts'
import { asLang, languageOf } from '../request.ts'
import type { Headers } from '../response.ts'
import type { HostedView, Visit } from './visit.ts'

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
    lang: chosenLang ?? asLang(readCookie(request, LANG)) ?? merchantsChoice ?? languageOf(request),
    chosenLang,
    now: ctx.clock.now(),
    isSandbox: ctx.environment === 'sandbox',
    kind,
    isLive: query.wait !== undefined,
    wantsForm: query.again === '1',
    wantsCountry: query.chosen === '1' && country === '',
    ...(typeof country === 'string' ? { country } : {}),
  }
}

const LANG = 'lang'
const PAYER = 'payer'

/** Of the browser that started an attempt on this checkout; see `openCheckout`. */
export const payerIn = (request: PageRequest): string | undefined => readCookie(request, PAYER)

/** Kept for this one link, so that the way back from a provider's page has the language too. */
export function languageCookie(publicUrl: string, path: string, { query }: PageRequest): Headers {
  const value = asLang(query.lang)
  if (value === undefined) return {}
  return setCookie(publicUrl, { name: LANG, value, path, sameSite: 'Lax' })
}

/** For as long as a checkout can be open: the form is prefilled with the number that was sent. */
export const payerCookie = (publicUrl: string, path: string, value: string): Headers =>
  setCookie(publicUrl, {
    name: PAYER,
    value,
    path,
    sameSite: 'Lax',
    seconds: PAGES.checkoutKeptSeconds,
  })
