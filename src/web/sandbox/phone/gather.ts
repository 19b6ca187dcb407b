import { endingOf, type Story } from '../../../domain/sandbox/stories.ts'
import type { PageRequest } from '../../../http/app.ts'
import type { Caller } from '../../../usecases/accounts/merchant-directory.ts'
import { readBalances } from '../../../usecases/accounts/read-balances.ts'
import { listLatestDeliveries } from '../../../usecases/callbacks/list-deliveries.ts'
import type { Context } from '../../../usecases/context.ts'
import { answeringTo } from '../../../usecases/sandbox/act-on-phone.ts'
import type { SandboxContext } from '../../../usecases/sandbox/context.ts'
import { SANDBOX_BALANCE } from '../../../usecases/sandbox/controls.ts'
import { readPhone } from '../../../usecases/sandbox/phone.ts'
import { presetOf } from '../../../usecases/sandbox/phone-presets.ts'
import { languageOf } from '../../request.ts'
import type { Lang } from '../../words.ts'
import { hasSeenTour } from '../cookies.ts'
import type { SandboxParts } from '../route-parts.ts'
import type { ControlsView, Flash, HeldPhone, NumberGroup, SandboxView } from '../view.ts'
import { providersOf } from './actions.ts'

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
  const way = new URLSearchParams({ lang, view: 'phone', ...(number && { phone: number }) })
  return {
    lang,
    merchant: caller.merchant.name,
    flash,
    hasTour: !hasSeenTour(request),
    groups: numberGroups(ctx, lang),
    phone: number === undefined ? undefined : await heldPhone(ctx, caller, number),
    isAlone: request.query.view === 'phone',
    tab: request.query.tab === 'wallet' ? 'wallet' : 'messages',
    deviceUrl:
      link === undefined
        ? undefined
        : `${publicUrl()}/sandbox/enter/${encodeURIComponent(link)}?${way}`,
    publicUrl: publicUrl(),
    controls: await controlsView(ctx, caller),
  }
}

async function heldPhone(
  ctx: SandboxContext,
  { merchant }: Caller,
  number: string,
): Promise<HeldPhone> {
  const view = await readPhone(ctx, merchant, number)
  const [provider] = providersOf(ctx, number)
  return {
    view,
    callingCode: provider?.callingCode ?? '',
    codes: [...new Set(answeringTo(ctx, number).map(({ code }) => code))],
    preset: presetOf(view.story as Story | undefined),
  }
}

/** From the table that the simulated operator uses. */
function numberGroups({ providers }: Context, lang: Lang): readonly NumberGroup[] {
  return providers.catalog.all.map((provider) => ({
    name: `${provider.displayName}, ${provider.countryName[lang]}`,
    numbers: (provider.testNumbers.DEPOSIT ?? []).map(({ phoneNumber }) => ({
      phoneNumber,
      ending: endingOf(phoneNumber, provider, 'DEPOSIT'),
    })),
  }))
}

async function controlsView(ctx: SandboxContext, { merchant }: Caller): Promise<ControlsView> {
  return {
    now: ctx.clock.now(),
    offsetMs: ctx.clock.offsetMs(),
    providers: ctx.providers.catalog.all.map(({ code }) => code),
    switched: [...merchant.availability].flatMap(([key, status]) => {
      const [provider = '', operation = ''] = key.split('/')
      return status === 'OPERATIONAL' ? [] : [{ provider, operation, status }]
    }),
    receiverFails: merchant.receiverFails,
    callbackUrls: merchant.callbackUrls,
    deliveries: await listLatestDeliveries(ctx, merchant),
    wallets: await readBalances(ctx, merchant, undefined),
    usualBalance: SANDBOX_BALANCE,
  }
}
