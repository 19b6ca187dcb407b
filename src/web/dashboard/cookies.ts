/** What a browser keeps for the dashboard. */

import { createHmac } from 'node:crypto'
import { PAGES } from '../../domain/client-timing.ts'
import { present } from '../../domain/present.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import type { PageRequest } from '../../http/pages.ts'
import { messageText, readCookie, readMessage, setCookie } from '../cookies.ts'
import { asLang, languageOf } from '../request.ts'
import type { Headers } from '../response.ts'
import type { Lang } from '../words.ts'

/** Over https the prefix binds a cookie to this host: no other one can set it. */
const nameOf = (publicUrl: string, name: string): string =>
  publicUrl.startsWith('https:') ? `__Host-${name}` : name

const SESSION = 'malipo_session'
const DEVICE = 'malipo_device'
const FLASH = 'malipo_flash'
const LANGUAGE = 'malipo_language'
const TRUST = 'malipo_trust'
const COMPANY = 'malipo_company'
const TRUST_SECONDS = LIFETIMES.trustedDeviceMs / 1000

const keep = (publicUrl: string, name: string, value: string, seconds?: number): Headers =>
  setCookie(publicUrl, {
    name: nameOf(publicUrl, name),
    value,
    path: '/',
    sameSite: 'Lax',
    ...present({ seconds }),
  })

const read = (publicUrl: string, request: PageRequest, name: string): string | undefined =>
  readCookie(request, nameOf(publicUrl, name))

export const sessionIn = (publicUrl: string, request: PageRequest): string | undefined =>
  read(publicUrl, request, SESSION)
export const keepSession = (publicUrl: string, session: string): Headers =>
  keep(publicUrl, SESSION, session)
export const endSession = (publicUrl: string): Headers => keep(publicUrl, SESSION, '', 0)

/** Names a browser in which somebody signed in, for a year. */
export const deviceIn = (publicUrl: string, request: PageRequest): string | undefined =>
  read(publicUrl, request, DEVICE)
export const keepDevice = (publicUrl: string, device: string): Headers =>
  keep(publicUrl, DEVICE, device, PAGES.browserKeptSeconds)

/** A browser that the person trusts: it is not asked for the second factor again for a while. */
export const trustIn = (publicUrl: string, request: PageRequest): string | undefined =>
  read(publicUrl, request, TRUST)
export const keepTrust = (publicUrl: string, trust: string): Headers =>
  keep(publicUrl, TRUST, trust, TRUST_SECONDS)

/** On the way to the provider of a company, until the person comes back. */
export const companyIn = (publicUrl: string, request: PageRequest): string | undefined =>
  read(publicUrl, request, COMPANY)
export const keepCompany = (publicUrl: string, kept: string): Headers =>
  keep(publicUrl, COMPANY, kept, LIFETIMES.companySignInMs / 1000)
export const forgetCompany = (publicUrl: string): Headers => keep(publicUrl, COMPANY, '', 0)

/** A sentence for the next page: kept out of the address, so that it is shown once. */
export type Flash = { readonly text: string; readonly isProblem?: true }

export const keepFlash = (publicUrl: string, flash: Flash): Headers =>
  keep(publicUrl, FLASH, messageText(flash), PAGES.flashSeconds)
export const forgetFlash = (publicUrl: string): Headers => keep(publicUrl, FLASH, '', 0)

export const flashIn = (publicUrl: string, request: PageRequest): Flash | undefined =>
  readMessage<Flash>(read(publicUrl, request, FLASH), (found) =>
    typeof found.text === 'string' ? found : undefined,
  )

/** The address says it, or the browser kept it, or the person set it, or the browser prefers it. */
export const languageFor = (
  publicUrl: string,
  request: PageRequest,
  preferred: Lang | null | undefined,
): Lang =>
  asLang(request.query.lang) ??
  asLang(read(publicUrl, request, LANGUAGE)) ??
  preferred ??
  languageOf(request)

export const keepLanguage = (publicUrl: string, request: PageRequest): Headers | undefined => {
  const chosen = asLang(request.query.lang)
  return chosen && keep(publicUrl, LANGUAGE, chosen, PAGES.browserKeptSeconds)
}

/** The token in every form, which no other site can know. */
export const formTokenFor = (session: string): string =>
  createHmac('sha256', session).update('form').digest('base64url').slice(0, 32)
