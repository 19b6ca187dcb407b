import { type Browser, chromium } from 'playwright-core'
import { browserAdvice, findBrowser } from './find-browser.ts'

/** A real Chromium. */
export function startBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error(browserAdvice())
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
      // To start a process for each tab costs more than what a tab does.
      '--process-per-site',
      '--renderer-process-limit=1',
    ],
  })
}

export const VIEWPORTS = {
  tiny: { width: 320, height: 480 },
  phone: { width: 360, height: 640 },
  large: { width: 412, height: 915 },
  desktop: { width: 1280, height: 800 },
} as const
