/** The merchant's colours, in the place of the usual ones. */
import {
  type Branding,
  darkAccentOf,
  PAGE_GROUNDS,
  type Palette,
  paletteFor,
} from '../../domain/hosted/branding.ts'
import { remember } from '../../domain/remember.ts'

/** A part of the page's one style block; colours were checked when they were saved. */
export function brandStyle(brand: Branding | undefined): string {
  const { accent, accentDark } = brand ?? {}
  if (accent === undefined) return ''
  const name = `${accent} ${accentDark ?? ''}`
  return knownStyle(name, { accent, accentDark })
}

const STYLES_KEPT = 500
const knownStyle = remember(STYLES_KEPT, styleOf)

type Accents = { readonly accent: string; readonly accentDark: string | undefined }

function styleOf(_: string, { accent, accentDark = darkAccentOf(accent) }: Accents): string {
  const light = rules(paletteFor(accent, 'light'))
  const dark = rules(paletteFor(accentDark, 'dark'))
  return (
    `:root{${light}}` +
    `@media (prefers-color-scheme:dark){:root{${dark};--on:${PAGE_GROUNDS.dark}}}`
  )
}

const rules = ({ accent, deep, tint }: Palette): string =>
  `--accent:${accent};--deep:${deep};--tint:${tint}`
