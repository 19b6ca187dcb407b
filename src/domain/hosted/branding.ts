import { CONTRAST_MIN, contrast, mixed, nearestOn } from './colour.ts'

/** How a merchant looks to its customers. What is absent is as it is without branding. */
export type Branding = {
  readonly displayName?: string
  /** On light screens. */
  readonly accent?: string
  /** On dark screens. Absent: made of the other one. */
  readonly accentDark?: string
  readonly support?: string
  readonly language?: 'en' | 'fr'
  readonly logo?: ShownLogo
}

export type LogoType = 'image/svg+xml' | 'image/png'

export type ShownLogo = {
  readonly hash: string
  readonly type: LogoType
  readonly width: number
  readonly height: number
}

/** What customers read. */
export const shownName = (merchant: {
  readonly name: string
  readonly branding: Branding
}): string => merchant.branding.displayName ?? merchant.name

const ENDINGS = { 'image/svg+xml': 'svg', 'image/png': 'png' } as const

export const logoAddress = ({ hash, type }: Pick<ShownLogo, 'hash' | 'type'>): string =>
  `/branding/${hash}.${ENDINGS[type]}`

/** The grounds on which customers read the accent; `pay.css` has the same. */
export const PAGE_GROUNDS = { light: '#ffffff', dark: '#191d1a', paper: '#f3f4f1' } as const

type Screen = 'light' | 'dark'

export type ContrastProblem = {
  readonly ratio: number
  /** The most similar colour that can be read. */
  readonly nearest: string
}

/**
 * In light, the accent is a ground for white text and text on a white page, which is the same ratio;
 * in dark it is both with the dark page.
 */
export function contrastProblem(colour: string, screen: Screen): ContrastProblem | undefined {
  const ground = PAGE_GROUNDS[screen]
  const ratio = contrast(colour, ground)
  if (ratio >= CONTRAST_MIN) return undefined
  return { ratio, nearest: nearestOn(colour, [ground], WAY[screen]) }
}

const WAY = { light: 'darker', dark: 'lighter' } as const

/** The colours of a page that follow from the accent. */
export type Palette = {
  readonly accent: string
  /** Under the pointer, and on a ground that is not quite white. */
  readonly deep: string
  readonly tint: string
}

export function paletteFor(accent: string, screen: Screen): Palette {
  const { light, dark, paper } = PAGE_GROUNDS
  if (screen === 'light') {
    const tint = mixed(accent, light, 0.1)
    const deep = nearestOn(mixed(accent, '#000000', 0.85), [light, paper, tint], 'darker')
    return { accent, deep, tint }
  }
  const tint = mixed(accent, dark, 0.12)
  return { accent, deep: nearestOn(mixed(accent, '#ffffff', 0.8), [dark, tint], 'lighter'), tint }
}

/** What a merchant did not choose for dark screens. */
export const darkAccentOf = (accent: string): string =>
  nearestOn(accent, [PAGE_GROUNDS.dark], 'lighter')

type Support = { readonly kind: 'PHONE' | 'EMAIL' | 'URL'; readonly address: string }

/** Whom customers can ask; undefined for what is none of the three. */
export function readSupport(text: string): Support | undefined {
  if (text.length > 200) return undefined
  const digits = text.replaceAll(/[\s().-]/g, '')
  if (/^\+?\d{6,15}$/.test(digits)) return { kind: 'PHONE', address: `tel:${digits}` }
  if (/^[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i.test(text)) {
    return { kind: 'EMAIL', address: `mailto:${text}` }
  }
  if (!/^https:\/\/[^\s/]+/i.test(text) || !URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  return username + password === '' ? { kind: 'URL', address: href } : undefined
}
