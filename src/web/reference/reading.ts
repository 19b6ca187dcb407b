/** What every part of the reference needs while it is rendered. */

import type { Lang, Words } from '../words.ts'
import type { OpenApiDocument } from './openapi.ts'

export type Reading = {
  readonly document: OpenApiDocument
  readonly lang: Lang
  readonly words: Words
  /** Marks texts of the document on a page whose frame speaks another language. */
  readonly textLang: 'en' | undefined
}
