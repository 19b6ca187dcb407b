/** What a browser keeps for the sandbox: its session, one message and its last order. */
import { PAGES } from '../../domain/client-timing.ts'
import type { PageRequest } from '../../http/pages.ts'
import { SESSION_SECONDS } from '../../usecases/sandbox/sessions.ts'
import { messageText, readCookie, readMessage, setCookie } from '../cookies.ts'
import type { Headers } from '../response.ts'
import type { Flash } from './view.ts'
import { SANDBOX_WORDS } from './words.ts'

const SESSION = 'malipo_sandbox'
const FLASH = 'malipo_flash'
const ORDER = 'malipo_order'

export const sessionIn = (request: PageRequest): string | undefined => readCookie(request, SESSION)

export const keepSession = (publicUrl: string, session: string): Headers =>
  keep(publicUrl, SESSION, session, SESSION_SECONDS)
export const endSession = (publicUrl: string): Headers => keep(publicUrl, SESSION, '', 0)

/** The last checkout that the visitor started in the shop. */
export const orderIn = (request: PageRequest): string | undefined => readCookie(request, ORDER)
export const keepOrder = (publicUrl: string, checkoutId: string): Headers =>
  keep(publicUrl, ORDER, checkoutId, PAGES.checkoutKeptSeconds)

/** A message for the next page: kept out of the address, so that it is shown once. */
export const keepFlash = (publicUrl: string, flash: Flash): Headers =>
  keep(publicUrl, FLASH, messageText(flash), PAGES.flashSeconds)
export const forgetFlash = (publicUrl: string): Headers => keep(publicUrl, FLASH, '', 0)

export const flashIn = (request: PageRequest): Flash | undefined =>
  readMessage<Flash>(readCookie(request, FLASH), ({ key, values }) =>
    Object.hasOwn(SANDBOX_WORDS.en, `flash_${key}`) ? { key, values: { ...values } } : undefined,
  )

const keep = (publicUrl: string, name: string, value: string, seconds: number): Headers =>
  setCookie(publicUrl, { name, value, path: '/sandbox', sameSite: 'Strict', seconds })
