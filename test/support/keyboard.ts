import type { Page } from 'playwright-core'

/** What a walk through a page by Tab finds wrong. */
type Walk = {
  /** Cannot be reached, or not in its turn. */
  readonly missed: readonly string[]
  /** Reached, and nothing shows it: no line of 2 px around it that stands out 3:1, or covered. */
  readonly unseen: readonly string[]
}

export const WALKED: Walk = { missed: [], unseen: [] }

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any
type Stop = { readonly at: number; readonly html: string; readonly isSeen: boolean }

/** Goes round the whole page by Tab: G-5. What can be used has its turn, in order, in sight. */
export async function walk(tab: Page): Promise<Walk> {
  await tab.bringToFront()
  const wanted: Stop[] = await tab.evaluate(usable)
  const stops: Stop[] = []
  for (let pressed = 0; pressed < 2 * wanted.length + 4; pressed += 1) {
    await tab.keyboard.press('Tab')
    const stop: Stop | undefined = await tab.evaluate(focused)
    // Between the end of a page and its beginning is the frame of the browser.
    if (stop === undefined) continue
    if (stop.at === stops[0]?.at) break
    stops.push(stop)
  }
  const first = stops.findIndex(({ at }, index) => at < (stops[index - 1]?.at ?? -1))
  const inTurn = first === -1 ? stops : [...stops.slice(first), ...stops.slice(0, first)]
  const missed = wanted.filter(({ at }, index) => at !== inTurn[index]?.at)
  const unseen = stops.filter(({ isSeen }) => !isSeen)
  const html = (all: readonly Stop[]) => all.map((one) => one.html)
  return { missed: html(missed), unseen: html(unseen) }
}

/** Everything that can be used by keyboard; of a group of radios one, the others by arrows. */
function usable(): Stop[] {
  const { document } = globalThis as Inside
  const all = [...document.querySelectorAll('*')]
  const controls = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const groups = new Map<string, Inside>()
  return all
    .filter((one: Inside) => one.matches(controls) && one.type !== 'hidden' && !one.disabled)
    .filter((one: Inside) => one.checkVisibility() && one.tabIndex >= 0)
    .filter((one: Inside) => {
      if (one.type !== 'radio') return true
      const chosen = document.querySelector(`input[name="${one.name}"]:checked`)
      const before = groups.get(one.name)
      groups.set(one.name, one)
      return chosen === null ? before === undefined : chosen === one
    })
    .map((one: Inside) => ({
      at: all.indexOf(one),
      html: one.outerHTML.slice(0, 200),
      isSeen: true,
    }))
}

function focused(): Stop | undefined {
  const { document, getComputedStyle, innerHeight, innerWidth } = globalThis as Inside
  const one = document.activeElement
  if (one === null || one === document.body || one === document.documentElement) return undefined
  const light = (colour: string): number => {
    const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255
      return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const groundOf = (from: Inside): string => {
    for (let at = from; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if (!/, 0\)$|transparent/.test(backgroundColor)) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const around = [one, one.closest('.boxed'), one.closest('.row')].filter((at) => at !== null)
  const isLined = around.some((at) => {
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(at)
    if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 2) return false
    const ground = groundOf(Number.parseFloat(outlineOffset) < 0 ? at : at.parentElement)
    const [dark = 0, bright = 0] = [light(outlineColor), light(ground)].sort((x, y) => x - y)
    return (bright + 0.05) / (dark + 0.05) >= 3
  })
  const [{ left, right, top, bottom }] = one.getClientRects()
  const [x, y] = [
    (Math.max(0, left) + Math.min(innerWidth, right)) / 2,
    (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2,
  ]
  const hit = document.elementFromPoint(x, y)
  const isUncovered = [one, ...around.slice(1)].some((at) => at.contains(hit))
  return {
    at: [...document.querySelectorAll('*')].indexOf(one),
    html: one.outerHTML.slice(0, 200),
    isSeen: isLined && isUncovered && bottom > 0 && top < innerHeight,
  }
}
