import { createHash } from 'node:crypto'
import {
  type Branding,
  type ContrastProblem,
  contrastProblem,
  readSupport,
} from '../../domain/hosted/branding.ts'
import { readColour } from '../../domain/hosted/colour.ts'
import { LOGO_MAX_BYTES, type LogoProblem, readLogo } from '../../domain/hosted/logo.ts'
import { brokenSchemeRule, type SchemeRule } from '../../domain/hosted/return-url.ts'
import { present } from '../../domain/present.ts'
import { lockMerchant, type NewLogo, putBranding } from '../../store/accounts/branding.ts'
import { findMerchant, setReturnSchemes } from '../../store/accounts/merchants.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'

/** As typed; an empty text takes a setting away. */
export type BrandingForm = {
  readonly displayName: string
  readonly accent: string
  readonly accentDark: string
  readonly support: string
  readonly language: string
  /** Between spaces, commas or lines. */
  readonly returnSchemes: string
  /** Undefined leaves the picture as it is. */
  readonly logo: Uint8Array | 'NONE' | undefined
}

export type BrandingProblem =
  | { readonly field: 'displayName'; readonly rule: 'NAME' }
  | { readonly field: 'accent' | 'accentDark'; readonly rule: 'COLOUR' }
  | ({ readonly field: 'accent' | 'accentDark'; readonly rule: 'CONTRAST' } & ContrastProblem)
  | { readonly field: 'accentDark'; readonly rule: 'ALONE' }
  | { readonly field: 'support'; readonly rule: 'SUPPORT' }
  | ({ readonly field: 'logo' } & LogoProblem)
  | { readonly field: 'returnSchemes'; readonly rule: SchemeRule; readonly scheme: string }
  | { readonly field: 'returnSchemes'; readonly rule: 'TOO_MANY' }

const NAME_MAX = 60
const SCHEMES_MAX = 20

/** Saves all of it or nothing, and answers what is wrong. Every node shows it within a second. */
export async function saveBranding(
  ctx: PeopleContext,
  person: Person,
  form: BrandingForm,
): Promise<readonly BrandingProblem[]> {
  const schemes = schemesIn(form.returnSchemes)
  const logo = logoOf(form.logo)
  const problems = [
    ...nameProblems(form),
    ...colourProblems('accent', form.accent),
    ...colourProblems('accentDark', form.accentDark),
    ...(form.accentDark !== '' && form.accent === '' ? [ALONE] : []),
    ...(form.support !== '' && readSupport(form.support) === undefined ? [SUPPORT] : []),
    ...(logo !== undefined && logo !== 'NONE' && 'rule' in logo
      ? [{ field: 'logo' as const, ...logo }]
      : []),
    ...schemeProblems(ctx, schemes),
  ]
  if (problems.length > 0 || (typeof logo === 'object' && 'rule' in logo)) return problems
  await write(ctx, person, { branding: brandingOf(form), schemes, logo })
  return []
}

const ALONE = { field: 'accentDark', rule: 'ALONE' } as const
const SUPPORT = { field: 'support', rule: 'SUPPORT' } as const

function nameProblems({ displayName }: BrandingForm): readonly BrandingProblem[] {
  const isGood =
    [...displayName].length <= NAME_MAX && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(displayName)
  return isGood ? [] : [{ field: 'displayName', rule: 'NAME' }]
}

function colourProblems(field: 'accent' | 'accentDark', text: string): readonly BrandingProblem[] {
  if (text === '') return []
  const colour = readColour(text)
  if (colour === undefined) return [{ field, rule: 'COLOUR' }]
  const problem = contrastProblem(colour, field === 'accent' ? 'light' : 'dark')
  return problem === undefined ? [] : [{ field, rule: 'CONTRAST', ...problem }]
}

const schemesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .map((one) => one.replace(/:(?:\/\/)?$/, ''))
      .filter((one) => one !== ''),
  ),
]

function schemeProblems(
  { environment }: PeopleContext,
  schemes: readonly string[],
): readonly BrandingProblem[] {
  if (schemes.length > SCHEMES_MAX) return [{ field: 'returnSchemes', rule: 'TOO_MANY' }]
  return schemes.flatMap((scheme) => {
    const rule = brokenSchemeRule(scheme, environment)
    return rule === undefined ? [] : [{ field: 'returnSchemes' as const, rule, scheme }]
  })
}

function logoOf(given: BrandingForm['logo']): NewLogo | LogoProblem | 'NONE' | undefined {
  if (given === undefined || given === 'NONE') return given
  if (given.length > LOGO_MAX_BYTES) return { rule: 'TOO_LARGE' }
  const read = readLogo(given)
  if ('rule' in read) return read
  const hash = createHash('sha256').update(given).digest('hex').slice(0, 32)
  return { ...read, hash, bytes: given }
}

function brandingOf(form: BrandingForm): Omit<Branding, 'logo'> {
  const { displayName, support, language } = form
  return present({
    displayName: displayName || undefined,
    accent: readColour(form.accent),
    accentDark: readColour(form.accentDark),
    support: support || undefined,
    language: language === 'en' || language === 'fr' ? language : undefined,
  })
}

type Order = {
  readonly branding: Omit<Branding, 'logo'>
  readonly schemes: readonly string[]
  readonly logo: NewLogo | 'NONE' | undefined
}

async function write(
  ctx: PeopleContext,
  person: Person,
  { branding, schemes, logo }: Order,
): Promise<void> {
  const { id } = person.merchant
  await ctx.db.inTransaction(async (tx) => {
    await lockMerchant(tx, id)
    const before = await findMerchant(tx, id)
    await putBranding(tx, id, branding, logo)
    await setReturnSchemes(tx, id, schemes)
    const after = await findMerchant(tx, id)
    await announceChange(tx)
    await recordChange(ctx, tx, person, {
      action: 'branding changed',
      object: person.merchant.slug,
      before: before && { ...before.branding, returnSchemes: before.returnSchemes },
      after: after && { ...after.branding, returnSchemes: after.returnSchemes },
    })
  })
  ctx.merchants.forget()
}
