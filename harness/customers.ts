import type { CheckoutView } from '../src/usecases/hosted/checkout.ts'
import type { PayForm } from '../src/usecases/hosted/form.ts'
import type { Opened, PayResult } from '../src/usecases/hosted/opened.ts'
import type { PageView } from '../src/usecases/hosted/page.ts'
import type { HostedPages } from '../src/usecases/hosted/pages.ts'

/** What customers do, one request for each action: their link is opened again every time. */
export type Customers = {
  openPage(token: string): Promise<PageView>
  payOnPage(token: string, form: PayForm): Promise<PayResult>
  openCheckout(code: string, payer?: string): Promise<CheckoutView>
  payOnCheckout(code: string, form: PayForm): Promise<PayResult>
  cancelCheckout(code: string): Promise<void>
  predict(link: Link, form: PayForm): Promise<string | undefined>
  /** Resolves when there is something else to show than `version`, at the latest after `ms`. */
  waitForChange(link: Link, version: string, ms: number): Promise<void>
}

type Link = { readonly page: string } | { readonly checkout: string }

export function customersOf(pages: HostedPages): Customers {
  const open = (link: Link): Promise<Opened<PageView | CheckoutView>> =>
    'page' in link ? pages.openPage(link.page) : pages.openCheckout(link.checkout)
  return {
    openPage: async (token) => (await pages.openPage(token)).view,
    payOnPage: async (token, filled) => (await pages.openPage(token)).pay(filled),
    openCheckout: async (code, payer) => (await pages.openCheckout(code, payer)).view,
    payOnCheckout: async (code, filled) => (await pages.openCheckout(code)).pay(filled),
    cancelCheckout: async (code) => (await pages.openCheckout(code)).cancel(),
    predict: async (link, filled) => (await open(link)).predict(filled),
    waitForChange: async (link, version, ms) => {
      const opened = await open(link)
      const { view } = opened
      if (view.screen !== 'UNKNOWN' && view.version === version) await opened.waitForChange(ms)
    },
  }
}
