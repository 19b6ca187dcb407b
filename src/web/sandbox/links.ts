import type { FramePath } from '../frame.tsx'
import type { Lang } from '../words.ts'
import { SANDBOX_WORDS } from './words.ts'

/** The pages of the sandbox, for the menu. */
export function sandboxLinks(
  lang: Lang,
): readonly { readonly path: FramePath; readonly text: string }[] {
  const words = SANDBOX_WORDS[lang]
  return [
    { path: '/sandbox', text: words.phoneLink },
    { path: '/sandbox/shop', text: words.shopLink },
    { path: '/sandbox/numbers', text: words.numbersLink },
    { path: '/sandbox/mail', text: words.mailLink },
  ]
}
