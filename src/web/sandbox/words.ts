import { type Lang, withFrenchSpaces } from '../words.ts'
import { en, type SandboxWords } from './words-en.ts'
import { fr } from './words-fr.ts'

export const SANDBOX_WORDS: Readonly<Record<Lang, SandboxWords>> = { en, fr: withFrenchSpaces(fr) }
