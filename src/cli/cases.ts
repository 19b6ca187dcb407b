import { present } from '../domain/present.ts'
import { listMerchants, type MerchantSummary } from '../store/accounts/merchants.ts'
import { readState } from '../store/cluster/service-state.ts'
import { type Case, listOpenCases } from '../store/payments/cases.ts'
import { RESOLUTIONS, resolveCase, type Verdict } from '../usecases/payments/resolve-case.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'

const SHOWN = 1000

/** Payments whose outcome is in doubt, for those who run the service. */
export const CASE_COMMANDS: readonly Command[] = [
  {
    name: 'case list',
    summary:
      'List open cases: outcomes that are not known, and operators that contradicted themselves',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const merchants = await listMerchants(database)
        const cases = (await listOpenCases(database, SHOWN)).map((one) => shownCase(one, merchants))
        return print(json, cases, table(cases, 'No case is open.'))
      }),
  },
  {
    name: 'case resolve',
    summary: 'Decide a case: an outcome that is not known, or a contradiction',
    arguments: ['case'],
    options: {
      paid: { summary: 'unknown outcome: the records of the operator show that it was paid' },
      'not-paid': { summary: 'unknown outcome: they show that it was not, and never will be' },
      transaction: { value: 'id', summary: 'with --paid: what the operator calls it' },
      correct: { summary: 'contradiction: the operator is right now, so move the money' },
      dismiss: {
        summary: 'contradiction: the state that was reported is right, so change nothing',
      },
      by: { value: 'name', summary: 'who decided it; kept with the case' },
      note: { value: 'text', summary: 'why; kept with the case' },
    },
    run: ({ positionals: [key = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        const verdict = verdictOf(values)
        // The clock of the service, which the sandbox can move.
        const now = Date.now() + (await readState(database)).clockOffsetMs
        const resolved = await resolveCase(database, caseKey(key), { ...verdict, now })
        switch (resolved.result) {
          case 'NOT_OPEN':
            throw new CommandProblem(`There is no open case "${key}". See malipo case list.`)
          case 'OTHER_CAUSE':
            throw new CommandProblem(
              `Case ${key} is of the cause ${resolved.cause}: give ${flagsOf(resolved.cause)}.`,
            )
          case 'REFUNDED':
            throw new CommandProblem(
              'The deposit was refunded, so its money has left the wallet already. Dismiss the case ' +
                'and settle it with the provider.',
            )
          case 'TOO_MUCH':
            throw new CommandProblem(
              'Other refunds of the deposit have given back so much that this one would exceed it. ' +
                'Wait until they have ended, or dismiss the case and settle it with the provider.',
            )
          case 'SHORT':
            throw new CommandProblem(
              `${resolved.wallet} holds less than the payment. Put money into it, then try again.`,
            )
          case 'DONE': {
            const { transfer, payment } = resolved
            const moved =
              transfer === undefined
                ? 'Nothing was moved.'
                : `${payment.amount} ${payment.currency} moved from ${transfer.debit} to ${transfer.credit}.`
            const result = { case: key, resolution: verdict.resolution, ...transfer }
            return print(json, result, `Case ${key} is closed. ${moved}`)
          }
        }
      }),
  },
]

const FLAGS: Readonly<Record<Verdict['resolution'], string>> = {
  PAID: 'paid',
  NOT_PAID: 'not-paid',
  CORRECTED: 'correct',
  DISMISSED: 'dismiss',
}

const flagsOf = (cause: Case['cause']): string =>
  RESOLUTIONS[cause].map((one) => `--${FLAGS[one]}`).join(' or ')

function verdictOf(values: Readonly<Record<string, unknown>>): Omit<Verdict, 'now'> {
  const given = Object.values(RESOLUTIONS)
    .flat()
    .filter((one) => values[FLAGS[one]] === true)
  const [resolution] = given
  if (resolution === undefined || given.length > 1) {
    throw new CommandProblem(
      `Give one: ${flagsOf('UNKNOWN_OUTCOME')} for an unknown outcome, ` +
        `${flagsOf('CONTRADICTION')} for a contradiction.`,
    )
  }
  const transactionId = textOf(values.transaction)
  if (transactionId !== undefined && resolution !== 'PAID') {
    throw new CommandProblem('--transaction goes with --paid alone.')
  }
  const by = textOf(values.by)
  const note = textOf(values.note)
  if (by === undefined || note === undefined) {
    throw new CommandProblem('Give --by (who decided) and --note (why); both are kept.')
  }
  return { resolution, by, note, ...present({ transactionId }) }
}

function caseKey(text: string): string {
  if (/^[0-9a-f-]{36}$/i.test(text)) return text
  throw new CommandProblem(`"${text}" is not the name of a case. See malipo case list.`)
}

const shownCase = (one: Case, merchants: readonly MerchantSummary[]) => ({
  case: one.paymentKey,
  opened: dateText(one.openedMs),
  merchant: merchants.find(({ id }) => id === one.merchantId)?.slug ?? '',
  kind: one.kind,
  payment: one.paymentId,
  cause: one.cause,
  reported: one.reported ?? '',
  lastReported: one.lastReported ?? '',
})
