/** What can go wrong with an operator, on demand. */

/** Which requests a rule is about; `callback` is what the stand-in sends itself. */
const TARGETS = ['token', 'create', 'status', 'balance', 'any', 'callback'] as const
export type Target = (typeof TARGETS)[number]

export const FAULTS = {
  /** The connection breaks before anything is done. */
  'drop-before': 'request',
  /** It is done, and the connection breaks before the answer. */
  'drop-after': 'request',
  /** The answer comes late (`ms`). */
  delay: 'request',
  /** No answer ever comes, though it is done. */
  hang: 'request',
  /** It is done, and the answer is a page in HTML. */
  html: 'request',
  /** It is done, and the answer has two megabytes. */
  huge: 'request',
  /** It is done, and the answer leads elsewhere. */
  redirect: 'request',
  /** It is done, and the answer comes byte by byte. */
  drip: 'request',
  /** It is done, and half of the answer is missing. */
  truncated: 'request',
  /** Nothing is done; the answer has this `status`. */
  error: 'request',
  /** It is done; the answer has this `status` all the same. */
  'error-after': 'request',
  /** The token is not taken any more. */
  'token-expired': 'request',
  /** A look-up says that there is no such order. */
  'not-found': 'request',
  /** A look-up says a word that no table knows. */
  'unknown-word': 'request',
  /** A look-up says another amount. */
  'other-amount': 'request',
  /** Callbacks: none, three of the same, one before the answer, one that says the opposite. */
  'no-callback': 'callback',
  'callback-thrice': 'callback',
  'callback-early': 'callback',
  'callback-forged': 'callback',
} as const satisfies Record<string, 'request' | 'callback'>

type Fault = keyof typeof FAULTS

export type Rule = {
  readonly on: Target
  readonly fault: Fault
  /** How often it happens; always, where absent. */
  readonly times?: number
  /** Of so many requests out of a hundred. */
  readonly percent?: number
  readonly ms?: number
  readonly status?: number
}

/** What is wrong with rules that came from outside; undefined where nothing is. */
export function rulesFault(rules: unknown): string | undefined {
  if (!Array.isArray(rules))
    return 'Send a list of rules, such as [{"on":"create","fault":"hang"}].'
  for (const { on, fault } of rules as readonly Partial<Rule>[]) {
    if (!TARGETS.some((one) => one === on)) return `"on" is one of ${TARGETS.join(', ')}.`
    if (!Object.hasOwn(FAULTS, fault ?? '')) {
      return `"fault" is one of ${Object.keys(FAULTS).join(', ')}.`
    }
  }
  return undefined
}

export type Faults = {
  set(rules: readonly Rule[]): void
  /** The rule that this request meets, if any. */
  meet(target: Target): Rule | undefined
  /** For callbacks. */
  meetCallback(fault: Fault): boolean
}

/** The same faults for the same seed. */
export function createFaults(random: () => number): Faults {
  let rules: { readonly rule: Rule; left: number }[] = []
  const happens = (entry: { readonly rule: Rule; left: number }): boolean => {
    const { percent = 100 } = entry.rule
    if (entry.left <= 0 || random() * 100 >= percent) return false
    entry.left -= 1
    return true
  }
  return {
    set: (next) => {
      rules = next.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }))
    },
    meet: (target) =>
      rules.find(
        (entry) =>
          FAULTS[entry.rule.fault] === 'request' &&
          (entry.rule.on === target || entry.rule.on === 'any') &&
          happens(entry),
      )?.rule,
    meetCallback: (fault) => rules.some((entry) => entry.rule.fault === fault && happens(entry)),
  }
}
