/** Signing in with the provider of one's company. */
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import {
  beginCompanySignIn,
  companiesFor,
  finishCompanySignIn,
} from '../../../usecases/people/company-sign-in.ts'
import { isOwnOrigin } from '../../request.ts'
import { privatePage, seeOther } from '../../response.ts'
import { companyIn, forgetCompany, keepCompany } from '../cookies.ts'
import type { DashboardParts } from '../visit.ts'
import { renderCompany } from './more-pages.tsx'
import { entered, langOf, originOf, safeNext, signInPage } from './request.ts'

const PATH = '/sign-in/company'
const ANSWER = `${PATH}/answer`

export const companyRoutes = (parts: DashboardParts): PageRoute[] => [
  { path: PATH, render: (request) => show(parts, request) },
  { path: PATH, method: 'POST', render: (request) => takeEmail(parts, request) },
  { path: `${PATH}/go`, render: (request) => go(parts, request) },
  { path: ANSWER, render: (request) => comeBack(parts, request) },
]

const textIn = ({ query }: PageRequest, name: string): string | undefined => {
  const value = query[name]
  return typeof value === 'string' ? value : undefined
}

async function show(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const domain = textIn(request, 'domain')
  const companies = domain === undefined ? undefined : await companiesFor(parts.ctx, domain)
  const next = safeNext(request.query.next)
  const page = renderCompany({ lang: langOf(parts, request), next, companies })
  return privatePage(page, companies?.length === 0 ? 404 : 200)
}

/** Only the domain goes on: nothing depends on whether there is such a person. */
function takeEmail(parts: DashboardParts, request: PageRequest): Page {
  if (!isOwnOrigin(parts.publicUrl(), request)) return seeOther(PATH)
  const domain = (request.form.get('email') ?? '').trim().split('@').at(-1) ?? ''
  const next = safeNext(request.form.get('next'))
  const query = new URLSearchParams({ domain, next, lang: langOf(parts, request) })
  return seeOther(`${PATH}?${query}`)
}

async function go(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  const next = safeNext(request.query.next)
  const merchant = textIn(request, 'merchant') ?? ''
  if (request.method === 'HEAD' || !/^\d{1,9}$/.test(merchant)) return seeOther(PATH)
  const begun = await beginCompanySignIn(parts.ctx, {
    merchantId: Number(merchant),
    redirectUri: publicUrl + ANSWER,
    next,
    isAgain: request.query.again === '1',
  })
  if (begun.status === 'GO') return seeOther(begun.location, keepCompany(publicUrl, begun.kept))
  if (begun.status === 'NOT_THERE') return seeOther(PATH)
  const lang = langOf(parts, request)
  return signInPage(parts, { lang, next, problem: 'companyUnreachable' }, 502)
}

const PROBLEMS = { REFUSED: 'companyRefused', NOT_A_MEMBER: 'companyNoMember' } as const

async function comeBack(parts: DashboardParts, request: PageRequest): Promise<Page> {
  const publicUrl = parts.publicUrl()
  const given = Object.entries(request.query).filter(([, value]) => typeof value === 'string')
  const answer = new URL(publicUrl + ANSWER)
  answer.search = new URLSearchParams(given as [string, string][]).toString()
  const kept = companyIn(publicUrl, request)
  const result = await finishCompanySignIn(parts.ctx, kept, answer, originOf(parts, request))
  if (result.status === 'IN') {
    return entered(parts, result, result.next, forgetCompany(publicUrl))
  }
  const lang = langOf(parts, request)
  return signInPage(parts, { lang, next: '/dashboard', problem: PROBLEMS[result.status] }, 403)
}
