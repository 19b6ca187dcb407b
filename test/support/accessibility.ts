import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

/** What axe finds wrong with a page as it is shown now. */
export const violations = (tab: Page): Promise<readonly string[]> => run(tab, TAGS)

/** The same page in the dark: nothing but its colours changes, so nothing else is checked again. */
export async function darkViolations(tab: Page): Promise<readonly string[]> {
  await tab.emulateMedia({ colorScheme: 'dark' })
  const found = await run(tab, ['color-contrast'])
  await tab.emulateMedia({ colorScheme: 'light' })
  return found
}

async function run(tab: Page, runOnly: readonly string[]): Promise<readonly string[]> {
  if (!(await tab.evaluate(() => 'axe' in globalThis))) await tab.evaluate(AXE)
  return tab.evaluate(async (only) => {
    const { axe } = globalThis as Inside
    // Describing everything that is right takes axe longer than finding what is wrong.
    const { violations: found } = await axe.run({ runOnly: only, resultTypes: ['violations'] })
    return found.flatMap(({ id, nodes }: Inside) =>
      nodes.map(({ html }: Inside) => `${id}: ${html}`),
    )
  }, runOnly)
}
