import type { Merchant } from '../../domain/accounts/merchant.ts'
import { present } from '../../domain/present.ts'
import type { LatestCallback } from '../../usecases/callbacks/list-deliveries.ts'
import type { PhoneView } from '../../usecases/sandbox/phone.ts'
import type { PresetName } from '../../usecases/sandbox/phone-presets.ts'
import type { Lang } from '../words.ts'
import type { SandboxWords } from './words-en.ts'

/** A message about what was just done, shown once. */
export type Flash = {
  readonly key: FlashKey
  readonly values: Readonly<Record<string, string>>
}

type Keys = keyof SandboxWords
export type FlashKey = Extract<Keys, `flash_${string}`> extends `flash_${infer Name}` ? Name : never

export const PROBLEMS: ReadonlySet<FlashKey> = new Set<FlashKey>([
  'WRONG_PIN',
  'PIN_MISSING',
  'NO_PROMPT',
  'UNKNOWN_CODE',
  'NUMBER',
  'BALANCE',
  'ADDRESS',
  'FOREIGN',
  'FAILED',
])

/** Numbers are chosen by country and operator. */
export type NumberPicker = {
  readonly countries: readonly {
    readonly name: string
    readonly operators: readonly { readonly code: string; readonly name: string }[]
  }[]
  /** The operator whose numbers are shown. */
  readonly operator: string
  readonly numbers: readonly { readonly phoneNumber: string; readonly ending: string }[]
  readonly chosen: string | undefined
}

export type HeldPhone = {
  readonly view: PhoneView
  /** Whose number it most likely is, and where. */
  readonly operator: string
  readonly callingCode: string
  readonly codes: readonly string[]
  /** Undefined when somebody wrote a script by hand. */
  readonly preset: PresetName | undefined
}

export type ControlsView = {
  readonly now: number
  readonly offsetMs: number
  readonly providers: readonly { readonly code: string; readonly name: string }[]
  readonly switched: readonly {
    readonly provider: string
    readonly name: string
    readonly operation: string
    readonly status: string
  }[]
  readonly receiverFails: boolean
  readonly callbackUrls: Merchant['callbackUrls']
  /** The latest first. */
  readonly deliveries: readonly LatestCallback[]
  readonly wallets: readonly WalletRow[]
  readonly usualBalance: string
}

export type WalletRow = {
  readonly country: string
  readonly currency: string
  readonly provider: string | null
  /** For people: the country, and the provider where it has wallets of its own. */
  readonly name: string
  readonly balance: string
}

export type SandboxView = {
  readonly lang: Lang
  readonly merchant: string
  readonly flash: Flash | undefined
  readonly picker: NumberPicker
  readonly phone: HeldPhone | undefined
  /** The handset by itself, for another device. */
  readonly isAlone: boolean
  /** What the handset shows below a payment request. */
  readonly tab: Tab
  readonly panel: Panel
  readonly deviceUrl: string | undefined
  readonly publicUrl: string
  readonly controls: ControlsView
}

export const TABS = ['messages', 'wallet'] as const
type Tab = (typeof TABS)[number]

/** The controls beside the handset. */
export const PANELS = ['phone', 'operator', 'callbacks', 'clock'] as const
export type Panel = (typeof PANELS)[number]

/**
 * The number to take first. No example of the API uses it: once it is taken, its deposits wait for a
 * person. Until then they complete.
 */
export const FIRST_NUMBER = '260761234567'

export const isUsual = ({ balance }: WalletRow, usual: string): boolean =>
  balance.replace(/\.0+$/, '') === usual

/** The page itself, with what it is about. */
export function sandboxPath(
  view: Pick<SandboxView, 'lang' | 'phone' | 'isAlone' | 'tab' | 'panel'>,
  path = '/sandbox',
): string {
  return `${path}?${new URLSearchParams({ lang: view.lang, ...keptIn(view) })}`
}

/** What the address says beside the language. */
export const keptIn = ({
  phone,
  isAlone,
  tab,
  panel,
}: Pick<SandboxView, 'phone' | 'isAlone' | 'tab' | 'panel'>) => ({
  ...present({ phone: phone?.view.msisdn }),
  ...(isAlone && { view: 'phone' }),
  ...(tab === 'wallet' && { tab }),
  ...(panel !== 'phone' && { panel }),
})
