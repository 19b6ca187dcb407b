import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian puts them. The first draws no window of its own, and takes half the time. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** A real Chromium, from the path in MALIPO_CHROMIUM or where Debian puts it. */
export function startBrowser(): Promise<Browser> {
  const named = process.env.MALIPO_CHROMIUM
  const places = named === undefined ? PLACES : [named]
  const executablePath = places.find((path) => existsSync(path))
  if (executablePath === undefined) {
    throw new Error(
      `There is no Chromium at ${places.join(' or ')}. Install it, or set MALIPO_CHROMIUM to its path.`,
    )
  }
  return chromium.launch({
    executablePath,
    timeout: 180_000,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export const VIEWPORTS = {
  tiny: { width: 320, height: 480 },
  phone: { width: 360, height: 640 },
  large: { width: 412, height: 915 },
  desktop: { width: 1280, height: 800 },
} as const
