/**
 * Which provider a phone number most likely belongs to, by the number ranges that each operator was
 * given. A guess, never proof: people keep their number when they change the operator.
 */
export type Prediction = {
  readonly country: string
  readonly provider: string
  /** As digits with the country code, the way every other call takes it. */
  readonly phoneNumber: string
}

/** Why there is no prediction. */
export type Unpredictable = 'UNKNOWN_COUNTRY' | 'UNKNOWN_NETWORK'

export type Predict = (text: string) => Prediction | Unpredictable

export type NumberPlan = {
  readonly country: string
  readonly callingCode: string
  /** An earlier, shorter form of national numbers, and what made it the present one. */
  readonly legacy?: { readonly nationalLength: number; readonly prepend: string }
  /** By length of the national number. A range of a provider that is not served has no provider. */
  readonly ranges: ReadonlyMap<number, ReadonlyMap<string, string | undefined>>
}

const LONGEST_CALLING_CODE = 3

/** Dialled before the country code; no country code begins with a zero. */
const INTERNATIONAL_PREFIX = /^00/

/** `exact` holds numbers that are known without any plan: the test numbers of the sandbox. */
export function createPredictor(
  plans: readonly NumberPlan[],
  exact: ReadonlyMap<string, Prediction>,
): Predict {
  const byCallingCode = new Map(plans.map((plan) => [plan.callingCode, indexed(plan)]))
  return (text) => {
    const digits = text.replaceAll(/[^0-9]/g, '').replace(INTERNATIONAL_PREFIX, '')
    const plan = planOf(byCallingCode, digits)
    if (plan === undefined) return exact.get(digits) ?? 'UNKNOWN_COUNTRY'
    for (const national of spellings(digits.slice(plan.callingCode.length))) {
      const found = exact.get(plan.callingCode + national) ?? inPlan(plan, national)
      if (found !== undefined) return found
    }
    return 'UNKNOWN_NETWORK'
  }
}

type IndexedPlan = NumberPlan & { readonly longestRange: number }

function indexed(plan: NumberPlan): IndexedPlan {
  const ranges = [...plan.ranges.values()].flatMap((one) => [...one.keys()])
  return { ...plan, longestRange: Math.max(0, ...ranges.map((range) => range.length)) }
}

function planOf(plans: ReadonlyMap<string, IndexedPlan>, digits: string): IndexedPlan | undefined {
  for (let length = LONGEST_CALLING_CODE; length > 0; length--) {
    const plan = plans.get(digits.slice(0, length))
    if (plan !== undefined) return plan
  }
  return undefined
}

/**
 * As given, then without a zero in front, which people write from the habit of dialling inside the
 * country. As given comes first, because in some countries the zero belongs to the number.
 */
const spellings = (national: string): readonly string[] =>
  national.startsWith('0') ? [national, national.slice(1)] : [national]

/** Undefined when no range fits, so that another spelling may. */
function inPlan(plan: IndexedPlan, given: string): Prediction | Unpredictable | undefined {
  const { country, callingCode, legacy, ranges, longestRange } = plan
  const national = given.length === legacy?.nationalLength ? legacy.prepend + given : given
  const ofLength = ranges.get(national.length)
  for (let length = longestRange; length > 0; length--) {
    const range = national.slice(0, length)
    if (ofLength?.has(range) !== true) continue
    const provider = ofLength.get(range)
    if (provider === undefined) return 'UNKNOWN_NETWORK'
    return { country, provider, phoneNumber: callingCode + national }
  }
  return undefined
}
