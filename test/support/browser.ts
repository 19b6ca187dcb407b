import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** A real Chromium, from the path in MALIPO_CHROMIUM or where Debian puts it. */
export function startBrowser(): Promise<Browser> {
  const executablePath = process.env.MALIPO_CHROMIUM ?? '/usr/bin/chromium'
  if (!existsSync(executablePath)) {
    throw new Error(
      `There is no Chromium at ${executablePath}. Install it, or set MALIPO_CHROMIUM to its path.`,
    )
  }
  return chromium.launch({
    executablePath,
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
