/** Some changes hold for all countries. People who are limited to some may not make them. */
import type { Page } from '../../http/pages.ts'
import { fill } from '../words.ts'
import { dashboardPage, Message } from './frame.tsx'
import { countryName } from './payments/parts.tsx'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/** Why somebody may not, and who can; undefined for people who have all countries. */
export function countryLimitOf(visit: Visit): string | undefined {
  const { countries, merchant } = visit.person
  if (countries.length === 0) return undefined
  const names = countries.map((code) => countryName(visit, code)).join(', ')
  const values = { countries: names, merchant: merchant.name }
  return fill(DASHBOARD_WORDS[visit.lang].countryLimit, values)
}

export function countryLimitPage(visit: Visit, text: string): Page {
  const { forbiddenHeading: heading } = DASHBOARD_WORDS[visit.lang]
  return dashboardPage(visit, {
    heading,
    status: 403,
    isProblem: true,
    children: <Message visit={visit} heading={heading} text={text} />,
  })
}
