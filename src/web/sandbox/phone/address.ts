import { present } from '../../../domain/present.ts'
import type { PageRequest } from '../../../http/pages.ts'
import { languageOf } from '../../request.ts'
import { PANELS, type Panel } from '../view.ts'

/** The phone page about a number, as the request had it. */
export function phonePath(request: PageRequest, number: string | undefined): string {
  const query = new URLSearchParams({
    lang: languageOf(request),
    ...present({ phone: number }),
    ...(request.query.view === 'phone' && { view: 'phone' }),
    ...(request.query.tab === 'wallet' && { tab: 'wallet' }),
    ...(panelIn(request) !== 'phone' && { panel: panelIn(request) }),
  })
  return `/sandbox?${query}`
}

/** Which of the controls are shown beside the handset. */
export const panelIn = ({ query }: PageRequest): Panel =>
  PANELS.find((one) => one === query.panel) ?? 'phone'

export const numberIn = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\d{1,32}$/.test(text) ? text : undefined
