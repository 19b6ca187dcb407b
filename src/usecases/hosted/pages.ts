import { type CheckoutView, openCheckout } from './checkout.ts'
import type { HostedContext } from './context.ts'
import type { Opened } from './opened.ts'
import { openPage, type PageView } from './page.ts'

/** How customers open the hosted pages. The link alone identifies them. */
export type HostedPages = {
  openPage(token: string): Promise<Opened<PageView>>
  openCheckout(code: string, payer?: string): Promise<Opened<CheckoutView>>
}

export const createHostedPages = (ctx: HostedContext): HostedPages => ({
  openPage: (token) => openPage(ctx, token),
  openCheckout: (code, payer) => openCheckout(ctx, code, payer),
})
