import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

// biome-ignore lint/suspicious/noExplicitAny: runs inside the page
type Inside = any

/** What axe finds wrong with a page as it is shown now. */
export async function violations(tab: Page): Promise<readonly string[]> {
  if (!(await tab.evaluate(() => 'axe' in globalThis))) await tab.evaluate(AXE)
  return tab.evaluate(async (tags) => {
    const { axe } = globalThis as Inside
    const { violations: found } = await axe.run({ runOnly: tags })
    return found.flatMap(({ id, nodes }: Inside) =>
      nodes.map(({ html }: Inside) => `${id}: ${html}`),
    )
  }, TAGS)
}
