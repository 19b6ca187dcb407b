import { pageVersion } from '../../domain/hosted/page-session.ts'
import type { Watched } from '../../store/cluster/changes.ts'
import {
  type CheckoutView,
  cancelCheckout,
  findByCode,
  openCheckout,
  payOnCheckout,
  versionOf,
} from './checkout.ts'
import type { HostedContext } from './context.ts'
import { pageOffers } from './create-page-session.ts'
import { openOffers, type PayForm, predictFor } from './form.ts'
import { fixedTerms } from './initiate-checkout.ts'
import { findPage, openPage, type PageView, type PayResult, payOnPage } from './page.ts'

/** What customers do on the hosted pages. A link is all that says who they are. */
export type HostedPages = {
  openPage(token: string): Promise<PageView>
  payOnPage(token: string, form: PayForm): Promise<PayResult>
  openCheckout(code: string, payer?: string): Promise<CheckoutView>
  payOnCheckout(code: string, form: PayForm): Promise<PayResult>
  cancelCheckout(code: string): Promise<void>
  /** Whose number it most likely is, to suggest it; nothing where that cannot be told. */
  predict(link: Link, form: Pick<PayForm, 'country' | 'phoneNumber'>): Promise<string | undefined>
  /** Resolves when there is something else to show than `version`, at the latest after `ms`. */
  waitForChange(link: Link, version: string, ms: number): Promise<void>
}

export type Link = { readonly page: string } | { readonly checkout: string }

export function createHostedPages(ctx: HostedContext): HostedPages {
  return {
    openPage: (token) => openPage(ctx, token),
    payOnPage: (token, form) => payOnPage(ctx, token, form),
    openCheckout: (code, payer) => openCheckout(ctx, code, payer),
    payOnCheckout: (code, form) => payOnCheckout(ctx, code, form),
    cancelCheckout: (code) => cancelCheckout(ctx, code),
    predict: async (link, form) => {
      const found = await resolve(ctx, link)
      return found && predictFor(ctx, openOffers(ctx, found.merchant, found.fixed), form)
    },
    waitForChange: async (link, version, ms) => {
      const found = await resolve(ctx, link)
      if (found?.version !== version) return
      await ctx.changes.wait(found.watched, version, ms)
    },
  }
}

/** What the link leads to, in terms that both pages share. */
async function resolve(ctx: HostedContext, link: Link) {
  if ('page' in link) {
    const opened = await findPage(ctx, link.page)
    if (opened === undefined) return undefined
    const { session, merchant, deposit } = opened
    const { merchantId, depositId } = session
    const watched: Watched = { kind: 'deposit', merchantId, id: depositId }
    return {
      merchant,
      fixed: pageOffers(session.terms),
      watched,
      version: pageVersion(deposit),
    }
  }
  const opened = await findByCode(ctx, link.checkout)
  if (opened === undefined) return undefined
  const { checkout, merchant } = opened
  const { merchantId, id } = checkout
  const watched: Watched = { kind: 'checkout', merchantId, id }
  return { merchant, fixed: fixedTerms(checkout.terms), watched, version: versionOf(checkout) }
}
