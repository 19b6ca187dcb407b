/** The merchant's colours, in the place of the usual ones. */
import {
  type Branding,
  darkAccentOf,
  PAGE_GROUNDS,
  type Palette,
  paletteFor,
} from '../../domain/hosted/branding.ts'

const known = new Map<string, string>()
const KNOWN_MAX = 500

/** A part of the page's one style block; colours were checked when they were saved. */
export function brandStyle(brand: Branding | undefined): string {
  const { accent, accentDark } = brand ?? {}
  if (accent === undefined) return ''
  const name = `${accent} ${accentDark ?? ''}`
  const made = known.get(name) ?? styleOf(accent, accentDark ?? darkAccentOf(accent))
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(name, made)
  return made
}

function styleOf(accent: string, accentDark: string): string {
  const light = rules(paletteFor(accent, 'light'))
  const dark = rules(paletteFor(accentDark, 'dark'))
  return (
    `:root{${light}}` +
    `@media (prefers-color-scheme:dark){:root{${dark};--on:${PAGE_GROUNDS.dark}}}`
  )
}

const rules = ({ accent, deep, tint }: Palette): string =>
  `--accent:${accent};--deep:${deep};--tint:${tint}`
