import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { SandboxContext } from '../../../usecases/sandbox/context.ts'
import {
  answerOnWalletPage,
  openWalletPage,
  type WalletPage,
} from '../../../usecases/sandbox/wallet.ts'
import { languageOf } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { renderWallet } from './page.tsx'

/**
 * The stand-in wallet of the sandbox, for customers of providers that redirect them. The link alone
 * opens it. What is over leads on to the merchant at once, where the merchant gave an address.
 */
export function walletRoutes(ctx: SandboxContext): readonly PageRoute[] {
  const answering = (verdict: 'APPROVED' | 'DECLINED') => async (request: PageRequest) => {
    const token = tokenIn(request)
    const page = await answerOnWalletPage(ctx, token, verdict)
    if (page === undefined) return show(request, page)
    return goTo(page.returnUrl ?? `${pathOf(token)}?lang=${languageOf(request)}`)
  }
  return [
    {
      path: '/sandbox/wallet/:token',
      render: async (request) => {
        const page = await openWalletPage(ctx, tokenIn(request))
        return page?.returnUrl === undefined ? show(request, page) : goTo(page.returnUrl)
      },
    },
    { method: 'POST', path: '/sandbox/wallet/:token/approve', render: answering('APPROVED') },
    { method: 'POST', path: '/sandbox/wallet/:token/refuse', render: answering('DECLINED') },
  ]
}

const tokenIn = ({ params }: PageRequest): string => params.token ?? ''
const pathOf = (token: string): string => `/sandbox/wallet/${encodeURIComponent(token)}`

/**
 * To the merchant, who need not see this link. Addresses that were stored by an earlier version may
 * hold line breaks, which no header can.
 */
const goTo = (location: string): Page =>
  seeOther(location.replaceAll(/[\s\p{Cc}]/gu, ''), { 'referrer-policy': 'no-referrer' })

function show(request: PageRequest, page: WalletPage | undefined): Page {
  const rendered = renderWallet(page, pathOf(tokenIn(request)), languageOf(request))
  const isBusy = page?.state === 'BUSY'
  return privatePage(rendered, page === undefined ? 404 : 200, isBusy ? { refresh: '1' } : {})
}
