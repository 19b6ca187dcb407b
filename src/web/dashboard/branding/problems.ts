import type { BrandingForm, BrandingProblem } from '../../../usecases/hosted/save-branding.ts'
import { fill, type Lang } from '../../words.ts'
import { BRANDING_WORDS } from './words.ts'

export type Problem = { readonly field: keyof BrandingForm; readonly text: string }

export const problemTexts = (
  problems: readonly BrandingProblem[],
  form: BrandingForm,
  lang: Lang,
): readonly Problem[] =>
  problems.map((problem) => ({ field: problem.field, text: textOf(problem, form, lang) }))

function textOf(problem: BrandingProblem, form: BrandingForm, lang: Lang): string {
  const words = BRANDING_WORDS[lang]
  switch (problem.field) {
    case 'displayName':
      return words.displayName_NAME
    case 'support':
      return words.support_SUPPORT
    case 'logo':
      return fill(words[`logo_${problem.rule}`], { part: problem.part ?? '' })
    case 'returnSchemes':
      return fill(words[`scheme_${problem.rule}`], 'scheme' in problem ? { ...problem } : {})
    default:
      return colourText(problem, form, lang)
  }
}

function colourText(
  problem: Extract<BrandingProblem, { readonly field: 'accent' | 'accentDark' }>,
  form: BrandingForm,
  lang: Lang,
): string {
  const words = BRANDING_WORDS[lang]
  if (problem.rule === 'COLOUR') return words.colour_COLOUR
  if (problem.rule === 'ALONE') return words.accentDark_ALONE
  const { field, ratio, nearest } = problem
  // Rounded down: 4.5 must not be shown for what is below it.
  const shown = Math.floor(ratio * 100) / 100
  return fill(words[`${field}_CONTRAST`], {
    colour: form[field],
    ratio: new Intl.NumberFormat(lang, { minimumFractionDigits: 2 }).format(shown),
    nearest,
  })
}
