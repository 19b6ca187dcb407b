import { readFileSync } from 'node:fs'
import {
  createPredictor,
  type NumberPlan,
  type Predict,
  type Prediction,
} from '../domain/payments/prediction.ts'
import { present } from '../domain/present.ts'
import type { Catalog } from './catalog.ts'

type PrefixFile = { readonly countries: Readonly<Record<string, PrefixCountry>> }

type PrefixCountry = {
  readonly callingCode: string
  readonly legacy?: { readonly nationalLength: number; readonly prepend: string }
  readonly operators: readonly {
    readonly provider: string | null
    readonly prefixesByNationalLength: Readonly<Record<string, readonly string[]>>
  }[]
}

/** The number ranges of `catalog/prefixes.json`, read once at start, as far as we serve them. */
export function readPredictor(
  file: string,
  catalog: Catalog,
  options: { readonly withTestNumbers: boolean },
): Predict {
  const { countries } = JSON.parse(readFileSync(file, 'utf8')) as PrefixFile
  const served = new Set(catalog.all.map((provider) => provider.country))
  const plans = Object.entries(countries)
    .filter(([country]) => served.has(country))
    .map(([country, entry]) => toPlan(country, entry, catalog))
  const exact = options.withTestNumbers ? testNumbers(catalog, plans) : new Map()
  return createPredictor(plans, exact)
}

/** Ranges of other operators stay in: a longer range of theirs must not count for a provider. */
function toPlan(country: string, entry: PrefixCountry, catalog: Catalog): NumberPlan {
  const { callingCode, legacy, operators } = entry
  const ranges = new Map<number, Map<string, string | undefined>>()
  for (const { provider, prefixesByNationalLength } of operators) {
    const code = catalog.find(provider ?? '')?.code
    for (const [length, prefixes] of Object.entries(prefixesByNationalLength)) {
      const ofLength = ranges.get(Number(length)) ?? new Map()
      for (const prefix of prefixes) ofLength.set(prefix, code)
      ranges.set(Number(length), ofLength)
    }
  }
  return { country, callingCode, ranges, ...present({ legacy }) }
}

/**
 * A provider without any range, such as Wave, has its customers on the numbers of all operators and
 * is never predicted. A number that two providers list is predicted for the first in the catalogue.
 */
function testNumbers(
  catalog: Catalog,
  plans: readonly NumberPlan[],
): ReadonlyMap<string, Prediction> {
  const withRange = new Set(
    plans.flatMap(({ ranges }) => [...ranges.values()].flatMap((one) => [...one.values()])),
  )
  const exact = new Map<string, Prediction>()
  for (const { code, country, testNumbers: numbers } of catalog.all) {
    if (!withRange.has(code)) continue
    for (const { phoneNumber } of Object.values(numbers).flat()) {
      if (!exact.has(phoneNumber)) exact.set(phoneNumber, { country, provider: code, phoneNumber })
    }
  }
  return exact
}
