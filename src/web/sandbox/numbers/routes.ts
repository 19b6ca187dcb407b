/** The table of test numbers, from the data and by the rules of the simulated operator. */
import type { ListedProvider, OperationType } from '../../../domain/provider.ts'
import { endingOf, GENERAL_ENDINGS } from '../../../domain/sandbox/stories.ts'
import type { Page, PageRequest, PageRoute } from '../../../http/pages.ts'
import type { Context } from '../../../usecases/context.ts'
import { languageOf } from '../../request.ts'
import { privatePage } from '../../response.ts'
import type { Lang } from '../../words.ts'
import type { ForVisitor, SandboxParts } from '../route-parts.ts'
import { type NumberCountry, type NumberRow, renderNumbers } from './page.tsx'

export function numberRoutes({ ctx }: SandboxParts, forVisitor: ForVisitor): PageRoute[] {
  const path = '/sandbox/numbers'
  return [{ path, render: forVisitor(async (_caller, request) => show(ctx, request), path) }]
}

function show({ providers }: Context, request: PageRequest): Page {
  const lang = languageOf(request)
  return privatePage(renderNumbers(lang, generalRows(), countriesOf(providers.catalog.all, lang)))
}

function countriesOf(providers: readonly ListedProvider[], lang: Lang): NumberCountry[] {
  const names = new Set(providers.map(({ countryName }) => countryName[lang]))
  return [...names]
    .toSorted((a, b) => a.localeCompare(b, lang))
    .map((name) => ({
      name,
      providers: providers
        .filter(({ countryName }) => countryName[lang] === name)
        .map((one) => ({ code: one.code, name: one.walletName, numbers: rowsOf(one) })),
    }))
}

/** A number that is listed for one operation ends the others by its last digits. */
function rowsOf(provider: ListedProvider): NumberRow[] {
  const { DEPOSIT = [], PAYOUT = [] } = provider.testNumbers
  const numbers = new Set([...DEPOSIT, ...PAYOUT].map(({ phoneNumber }) => phoneNumber))
  const end = (number: string, operation: OperationType) =>
    provider.currencies.some(({ operations }) => operations[operation] !== undefined)
      ? endingOf(number, provider, operation)
      : undefined
  return [...numbers].toSorted().map((number) => ({
    number,
    deposit: end(number, 'DEPOSIT'),
    payout: end(number, 'PAYOUT'),
  }))
}

function generalRows(): NumberRow[] {
  const { DEPOSIT, PAYOUT } = GENERAL_ENDINGS
  const digits = new Set([...Object.keys(DEPOSIT), ...Object.keys(PAYOUT)])
  return [...digits].toSorted().map((number) => ({
    number,
    deposit: endingOf(number, undefined, 'DEPOSIT'),
    payout: endingOf(number, undefined, 'PAYOUT'),
  }))
}
