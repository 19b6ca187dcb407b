/** Which pictures a merchant may show to customers: small, still, and made of nothing but itself. */
import type { LogoType } from './branding.ts'

export const LOGO_MAX_BYTES = 4096
const LOGO_MAX_SIDE = 2048

type Logo = { readonly type: LogoType; readonly width: number; readonly height: number }

export type LogoProblem = {
  readonly rule: 'TOO_LARGE' | 'NOT_A_PICTURE' | 'TOO_MANY_PIXELS' | 'NOT_ALLOWED' | 'BROKEN_SVG'
  /** What is not allowed, as it stands in the file. */
  readonly part?: string
}

export function readLogo(bytes: Uint8Array): Logo | LogoProblem {
  if (bytes.length > LOGO_MAX_BYTES) return { rule: 'TOO_LARGE' }
  if (PNG.every((byte, at) => bytes[at] === byte)) return readPng(bytes)
  const text = new TextDecoder('utf-8', { fatal: false }).decode(bytes)
  return /<svg[\s>]/.test(text) ? readSvg(text) : { rule: 'NOT_A_PICTURE' }
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] as const

/** Few bytes can claim to be a picture that fills the memory of a phone. */
function readPng(bytes: Uint8Array): Logo | LogoProblem {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 45 || view.getUint32(12) !== IHDR) return { rule: 'NOT_A_PICTURE' }
  return measured('image/png', view.getUint32(16), view.getUint32(20))
}

const IHDR = 0x49484452

function measured(type: LogoType, width: number, height: number): Logo | LogoProblem {
  if (!(width > 0 && height > 0)) return { rule: 'NOT_A_PICTURE' }
  if (width > LOGO_MAX_SIDE || height > LOGO_MAX_SIDE) return { rule: 'TOO_MANY_PIXELS' }
  return { type, width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

/** Everything else is refused: scripts, foreign content, links, animations that could set one. */
const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'svg g defs symbol use title desc path rect circle ellipse line polyline polygon text tspan ' +
    'linearGradient radialGradient stop clipPath mask pattern filter feGaussianBlur feOffset ' +
    'feBlend feColorMatrix feComposite feFlood feMerge feMergeNode feDropShadow style'
  ).split(' '),
)

const TOKEN = /<!--[\s\S]*?-->|<\?xml[^>]*\?>|<[^>"']*(?:"[^"]*"[^>"']*|'[^']*'[^>"']*)*>/g
const TAG =
  /^<(\/?)([A-Za-z][\w:.-]*)((?:\s+[A-Za-z_][\w:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>$/
const ATTRIBUTE = /([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
/** Without it, browsers show nothing. */
const SVG = 'http://www.w3.org/2000/svg'
const ENTITY = /&(?!(?:amp|lt|gt|quot|apos);)/

/** Not repaired but refused: what is stored is what was checked, byte by byte. */
function readSvg(text: string): Logo | LogoProblem {
  const open: string[] = []
  let root: ReadonlyMap<string, string> | undefined
  let at = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const between = text.slice(at, index)
    at = index + token.length
    const problem = textProblem(between, open)
    if (problem !== undefined) return problem
    if (token.startsWith('<!--') || (token.startsWith('<?xml') && index <= 1)) continue
    const [whole, closes, name = '', attributes = '', isEmpty] = TAG.exec(token) ?? []
    if (whole === undefined) return { rule: 'NOT_ALLOWED', part: token.slice(0, 40) }
    if (closes === '/') {
      if (open.pop() !== name) return { rule: 'BROKEN_SVG' }
      continue
    }
    if (!ELEMENTS.has(name)) return { rule: 'NOT_ALLOWED', part: `<${name}>` }
    const read = attributesOf(attributes)
    if ('rule' in read) return read
    if (open.length === 0 && (root !== undefined || name !== 'svg')) return { rule: 'BROKEN_SVG' }
    root ??= read
    if (isEmpty !== '/') open.push(name)
  }
  const rest = textProblem(text.slice(at), open)
  if (rest !== undefined) return rest
  if (root?.get('xmlns') !== SVG || open.length > 0) return { rule: 'BROKEN_SVG' }
  return sizeOf(root)
}

function textProblem(text: string, open: readonly string[]): LogoProblem | undefined {
  if (text.includes('<') || ENTITY.test(text)) return { rule: 'BROKEN_SVG' }
  if (open.length === 0 && text.replaceAll(/[\s\ufeff]/g, '') !== '') return { rule: 'BROKEN_SVG' }
  return open.at(-1) === 'style' ? valueProblem('style', text) : undefined
}

function attributesOf(text: string): ReadonlyMap<string, string> | LogoProblem {
  const read = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? ''
    if (/^on/i.test(name)) return { rule: 'NOT_ALLOWED', part: name }
    if (read.has(name) || ENTITY.test(value)) return { rule: 'BROKEN_SVG' }
    const problem = valueProblem(name, value)
    if (problem !== undefined) return problem
    read.set(name, value)
  }
  return read
}

/** A reference may lead to a place in the same file and nowhere else. */
function valueProblem(name: string, value: string): LogoProblem | undefined {
  const refused = { rule: 'NOT_ALLOWED', part: `${name}="${value.slice(0, 40)}"` } as const
  if (/^xmlns(?::|$)/.test(name)) return /^https?:\/\/[\w./#-]+$/.test(value) ? undefined : refused
  if (/^(?:xlink:)?href$|^src$/.test(name)) return /^#[\w.-]+$/.test(value) ? undefined : refused
  if (/^xml:base$/.test(name)) return refused
  // A backslash spells letters in other ways.
  if (/\\|@import|@font-face|expression\s*\(|javascript:|data:/i.test(value)) return refused
  const targets = [...value.matchAll(/url\s*\(\s*(["']?)([^)]*)/gi)]
  const isInside = targets.every(([, , target = '']) => /^#[\w.-]+["']?\s*$/.test(target))
  return isInside && !/image-set|\/\//i.test(value) ? undefined : refused
}

function sizeOf(root: ReadonlyMap<string, string>): Logo | LogoProblem {
  const box = (root.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number)
  const [, , width = 0, height = 0] = box.length === 4 ? box : []
  if (width > 0 && height > 0) {
    // Units of a drawing are no pixels: only its shape counts.
    const scale = Math.min(1, LOGO_MAX_SIDE / Math.max(width, height))
    const least = Math.max(1, 64 / Math.max(width, height))
    return measured('image/svg+xml', width * scale * least, height * scale * least)
  }
  const side = (name: string): number => {
    const [, digits = ''] = /^(\d+(?:\.\d+)?)(?:px)?$/.exec(root.get(name) ?? '') ?? []
    return Number(digits)
  }
  const [wide, high] = [side('width'), side('height')]
  if (!(wide > 0 && high > 0)) return { rule: 'BROKEN_SVG' }
  return measured('image/svg+xml', wide, high)
}
