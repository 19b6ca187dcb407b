import { LINK_KINDS, type LinkForm } from '../../../domain/hosted/payment-link.ts'
import { type PaymentId, UUID_V4_PATTERN } from '../../../domain/ids.ts'
import { plainAmount } from '../../../domain/payments/typed-amount.ts'
import type { Page } from '../../../http/pages.ts'
import {
  createPaymentLink,
  expirePaymentLink,
  findPaymentLink,
} from '../../../usecases/hosted/payment-links.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { linksPage } from './list.tsx'
import { linkPage, printPage } from './page.tsx'
import { LINKS_PATH } from './parts.tsx'
import { LINK_WORDS } from './words.ts'

const permission = 'links:create'
const ONE = `${LINKS_PATH}/:id`

function formIn({ request: { form } }: Visit): LinkForm {
  const text = (name: keyof LinkForm): string =>
    (form.get(name) ?? '').replace(/\p{Cc}+/gu, ' ').trim()
  return {
    kind: LINK_KINDS.find((kind) => kind === form.get('kind')) ?? 'PAGE',
    amount: plainAmount(text('amount')),
    place: text('place'),
    reason: text('reason'),
    reference: text('reference'),
    metadataName: text('metadataName'),
    metadataValue: text('metadataValue'),
    expiresAfter: text('expiresAfter'),
    returnUrl: text('returnUrl'),
  }
}

async function make(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const id = (request.form.get('id') ?? '').toLowerCase()
  if (!new RegExp(UUID_V4_PATTERN).test(id)) return missingPage(visit)
  const form = formIn(visit)
  const problems = await createPaymentLink(ctx, person, id as PaymentId, form)
  if (problems.length > 0) return linksPage(visit, { id, form, problems })
  return goTo(visit, `${LINKS_PATH}/${id}`, LINK_WORDS[lang].flashMade)
}

async function expire(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const link = await findPaymentLink(ctx, person, request.params.id ?? '')
  if (link === undefined) return missingPage(visit)
  const path = `${LINKS_PATH}/${link.id}`
  const words = LINK_WORDS[lang]
  return (await expirePaymentLink(ctx, person, link))
    ? goTo(visit, path, words.flashExpired)
    : goTo(visit, path, words.flashOver, true)
}

export const LINK_ROUTES: readonly DashboardRoute[] = [
  { path: LINKS_PATH, permission, answer: (visit) => linksPage(visit) },
  { path: LINKS_PATH, method: 'POST', permission, answer: make },
  { path: ONE, permission, answer: linkPage },
  { path: `${ONE}/print`, permission, answer: printPage },
  { path: `${ONE}/expire`, method: 'POST', permission, answer: expire },
]
