import { isDeepStrictEqual } from 'node:util'
import type { PaymentFailureCode } from '../../domain/failure.ts'
import type { FinalAnswer, SecondWord, Story } from '../../domain/sandbox/stories.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'

/** What a developer most often wants to see, each as a script for a phone of the sandbox. */
const fails = (code: PaymentFailureCode): Story => [
  { afterMs: 0, answer: { says: 'failed', code } },
]

const doneAnd = (then: SecondWord): Story => [{ afterMs: 0, answer: { says: 'done', then } }]

/** Long enough to go to reconciliation, which then learns the outcome. */
const silentThen = (answer: FinalAnswer): Story => [
  { afterMs: 0, answer: { says: 'silent' } },
  { afterMs: UPKEEP.phoneLateMs, answer },
]

/** `tables` goes by the number again. */
export const PHONE_PRESETS = {
  tables: undefined,
  completes: [{ afterMs: 0, answer: { says: 'done' } }],
  declines: fails('PAYMENT_NOT_APPROVED'),
  poor: fails('INSUFFICIENT_BALANCE'),
  limit: fails('PAYER_LIMIT_REACHED'),
  stranger: fails('PAYER_NOT_FOUND'),
  busy: fails('PAYMENT_IN_PROGRESS'),
  trouble: fails('UNSPECIFIED_FAILURE'),
  silent: [{ afterMs: 0, answer: { says: 'silent' } }],
  late: silentThen({ says: 'done' }),
  lateFailure: silentThen({ says: 'failed', code: 'UNSPECIFIED_FAILURE' }),
  duplicate: doneAnd('repeat'),
  contradict: doneAnd('opposite'),
} as const satisfies Readonly<Record<string, Story | undefined>>

export type PresetName = keyof typeof PHONE_PRESETS
export const PRESET_NAMES = Object.keys(PHONE_PRESETS) as PresetName[]

/** Undefined for a script that somebody wrote by hand. */
export const presetOf = (story: Story | undefined): PresetName | undefined =>
  PRESET_NAMES.find((name) => isDeepStrictEqual(PHONE_PRESETS[name], story))
