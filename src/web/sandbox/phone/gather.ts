import { present } from '../../../domain/present.ts'
import type { ListedProvider } from '../../../domain/provider.ts'
import { endingOf, type Story } from '../../../domain/sandbox/stories.ts'
import type { PageRequest } from '../../../http/pages.ts'
import type { Caller } from '../../../usecases/accounts/merchant-directory.ts'
import { readBalances } from '../../../usecases/accounts/read-balances.ts'
import { listLatestDeliveries } from '../../../usecases/callbacks/list-deliveries.ts'
import type { Context } from '../../../usecases/context.ts'
import { answeringTo } from '../../../usecases/sandbox/act-on-phone.ts'
import type { SandboxContext } from '../../../usecases/sandbox/context.ts'
import { SANDBOX_BALANCE } from '../../../usecases/sandbox/controls.ts'
import { readPhone } from '../../../usecases/sandbox/phone.ts'
import { presetOf } from '../../../usecases/sandbox/phone-presets.ts'
import { money } from '../../money.ts'
import { languageOf } from '../../request.ts'
import type { Lang } from '../../words.ts'
import type { SandboxParts } from '../route-parts.ts'
import {
  type ControlsView,
  FIRST_NUMBER,
  type Flash,
  type HeldPhone,
  type NumberPicker,
  type SandboxView,
} from '../view.ts'
import { providersOf } from './actions.ts'
import { panelIn } from './address.ts'

/** Gathers what the phone page shows; read for every request. */
export async function phoneView(
  { ctx, publicUrl }: SandboxParts,
  caller: Caller,
  request: PageRequest,
  number: string | undefined,
  flash: Flash | undefined,
): Promise<SandboxView> {
  const lang = languageOf(request)
  const link = flash?.key === 'DEVICE' ? flash.values.link : undefined
  const way = new URLSearchParams({ lang, view: 'phone', ...present({ phone: number }) })
  return {
    lang,
    merchant: caller.merchant.name,
    flash: namedFlash(ctx, flash, lang),
    picker: numberPicker(ctx, lang, request.query.operator, number),
    phone: number === undefined ? undefined : await heldPhone(ctx, caller, number, lang),
    isAlone: request.query.view === 'phone',
    tab: request.query.tab === 'wallet' ? 'wallet' : 'messages',
    panel: panelIn(request),
    deviceUrl:
      link === undefined
        ? undefined
        : `${publicUrl()}/sandbox/enter/${encodeURIComponent(link)}?${way}`,
    publicUrl: publicUrl(),
    controls: await controlsView(ctx, caller, lang),
  }
}

async function heldPhone(
  ctx: SandboxContext,
  { merchant }: Caller,
  number: string,
  lang: Lang,
): Promise<HeldPhone> {
  const view = await readPhone(ctx, merchant, number)
  const provider = operatorOf(ctx, number)
  return {
    view,
    operator: provider === undefined ? '' : nameOf(ctx, provider.code, lang),
    callingCode: provider?.callingCode ?? '',
    codes: [...new Set(answeringTo(ctx, number).map(({ code }) => code))],
    preset: presetOf(view.story as Story | undefined),
  }
}

/** The one that the number is predicted for, else any that could have it. */
function operatorOf(ctx: Context, number: string): ListedProvider | undefined {
  const found = ctx.providers.predict(number)
  const code = typeof found === 'string' ? providersOf(ctx, number)[0]?.code : found.provider
  return code === undefined ? undefined : ctx.providers.catalog.find(code)
}

/** From the table that the simulated operator uses; begins with the operator of the phone. */
function numberPicker(
  ctx: Context,
  lang: Lang,
  wanted: unknown,
  held: string | undefined,
): NumberPicker {
  const { all } = ctx.providers.catalog
  const shown = all.find(({ code }) => code === wanted) ?? operatorOf(ctx, held ?? FIRST_NUMBER)
  const numbers = shown === undefined ? [] : numbersOf(ctx, shown, held)
  const names = new Set(all.map(({ countryName }) => countryName[lang]))
  return {
    countries: [...names]
      .toSorted((one, other) => one.localeCompare(other, lang))
      .map((name) => ({
        name,
        operators: all
          .filter(({ countryName }) => countryName[lang] === name)
          .map(({ code, walletName }) => ({ code, name: walletName })),
      })),
    operator: shown?.code ?? '',
    numbers,
    chosen: (
      numbers.find(({ phoneNumber }) => phoneNumber === held) ??
      numbers.find(({ phoneNumber }) => phoneNumber === FIRST_NUMBER) ??
      numbers.find(({ ending }) => ending === 'COMPLETED')
    )?.phoneNumber,
  }
}

/** Those of the table, after the number in hand and the one to take first, where they are its own. */
function numbersOf(
  ctx: Context,
  provider: ListedProvider,
  held: string | undefined,
): NumberPicker['numbers'] {
  const own = [...(held === undefined ? [] : [held]), FIRST_NUMBER].filter(
    (one) => operatorOf(ctx, one)?.code === provider.code,
  )
  const listed = (provider.testNumbers.DEPOSIT ?? []).map(({ phoneNumber }) => phoneNumber)
  return [...new Set([...own, ...listed])].map((phoneNumber) => ({
    phoneNumber,
    ending: endingOf(phoneNumber, provider, 'DEPOSIT'),
  }))
}

async function controlsView(
  ctx: SandboxContext,
  { merchant }: Caller,
  lang: Lang,
): Promise<ControlsView> {
  const { all } = ctx.providers.catalog
  const wallets = await readBalances(ctx, merchant, undefined)
  return {
    now: ctx.clock.now(),
    offsetMs: ctx.clock.offsetMs(),
    providers: all.map(({ code }) => ({ code, name: nameOf(ctx, code, lang) })),
    switched: [...merchant.availability].flatMap(([key, status]) => {
      const [provider = '', operation = ''] = key.split('/')
      const name = nameOf(ctx, provider, lang)
      return status === 'OPERATIONAL' ? [] : [{ provider, name, operation, status }]
    }),
    receiverFails: merchant.receiverFails,
    callbackUrls: merchant.callbackUrls,
    deliveries: await listLatestDeliveries(ctx, merchant),
    wallets: wallets.map((one) => ({
      ...one,
      name:
        one.provider === null
          ? (all.find(({ country }) => country === one.country)?.countryName[lang] ?? one.country)
          : nameOf(ctx, one.provider, lang),
    })),
    usualBalance: SANDBOX_BALANCE,
  }
}

/** As people know the provider, with its country. */
function nameOf(ctx: Context, code: string, lang: Lang): string {
  const found = ctx.providers.catalog.find(code)
  return found === undefined ? code : `${found.walletName}, ${found.countryName[lang]}`
}

/** A message keeps codes and plain amounts; people read names and money. */
function namedFlash(ctx: Context, flash: Flash | undefined, lang: Lang): Flash | undefined {
  const { provider, balance, currency } = flash?.values ?? {}
  if (flash?.key === 'AVAILABILITY' && provider !== undefined) {
    return { ...flash, values: { ...flash.values, provider: nameOf(ctx, provider, lang) } }
  }
  if (flash?.key === 'WALLET' && balance !== undefined && currency !== undefined) {
    return { ...flash, values: { money: money(balance, currency, lang) } }
  }
  return flash
}
