import type { Page, PageRequest } from '../../../http/pages.ts'
import { SAMPLE_SCREENS, sampleView } from '../../../usecases/hosted/samples.ts'
import { type BrandingForm, saveBranding } from '../../../usecases/hosted/save-branding.ts'
import { renderPay } from '../../pay/render.tsx'
import { privatePage } from '../../response.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { brandingPage } from './page.tsx'
import { BRANDING_WORDS } from './words.ts'

const PATH = '/dashboard/branding'

export const BRANDING_ROUTES: readonly DashboardRoute[] = [
  { path: PATH, permission: 'branding:manage', answer: (visit) => brandingPage(visit) },
  {
    path: PATH,
    method: 'POST',
    permission: 'branding:manage',
    isForAllCountries: true,
    answer: save,
  },
  { path: `${PATH}/preview/:screen`, permission: 'branding:manage', answer: preview },
]

async function save(visit: Visit): Promise<Page> {
  const form = formOf(visit.request)
  const problems = await saveBranding(visit.ctx, visit.person, form)
  if (problems.length > 0) return brandingPage(visit, { form, problems })
  return goTo(visit, PATH, BRANDING_WORDS[visit.lang].saved)
}

const FIELD_MAX = 1000

function formOf({ form, files }: PageRequest): BrandingForm {
  const text = (name: string): string => (form.get(name) ?? '').trim().slice(0, FIELD_MAX)
  const file = files.get('logo')
  const isFile = file !== undefined && file.bytes.length > 0
  return {
    displayName: text('displayName'),
    // The colour that was offered, if its button was pressed.
    accent: text('accentInstead') || text('accent'),
    accentDark: text('accentDarkInstead') || text('accentDark'),
    support: text('support'),
    language: text('language'),
    returnSchemes: text('returnSchemes'),
    logo: isFile ? file.bytes : form.get('removeLogo') === '1' ? 'NONE' : undefined,
  }
}

/** A screen of a customer with the branding that is saved, and no payment behind it. */
function preview(visit: Visit): Page {
  const { ctx, person, lang, request } = visit
  const screen = SAMPLE_SCREENS.find((one) => one === request.params.screen)
  if (screen === undefined) return missingPage(visit)
  const page = renderPay(sampleView(ctx, person.merchant, screen), {
    lang,
    chosenLang: lang,
    now: ctx.clock.now(),
    isSandbox: ctx.environment === 'sandbox',
    kind: 'checkout',
    isLive: false,
    wantsForm: false,
    isPreview: true,
  })
  return privatePage(page, 200)
}
