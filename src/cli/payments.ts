import type { OperatorIds, Payment } from '../domain/payments/payment.ts'
import { PAYMENT_KINDS, PAYMENT_STATES } from '../domain/payments/payment-state.ts'
import { numberHint } from '../domain/phone-number.ts'
import { ifGiven, present } from '../domain/present.ts'
import { CATALOG_FILE } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { withoutNumber } from '../providers/masking.ts'
import { listMerchants, type MerchantSummary } from '../store/accounts/merchants.ts'
import { readState } from '../store/cluster/service-state.ts'
import { findPaymentsById, listPayments } from '../store/payments/list-payments.ts'
import { type PaymentStory, storyOf } from '../usecases/payments/payment-story.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { choiceOf, limitOf, timeOf } from './option-values.ts'

const DAY_MS = 86_400_000
const LISTED = 50

/** Payments for the people who run the service. */
export const PAYMENT_COMMANDS: readonly Command[] = [
  {
    name: 'payment show',
    alias: 'payments show',
    summary: 'Tell the whole story of a payment: states, operator, money, callbacks',
    arguments: ['id'],
    options: { merchant: { value: 'short-name', summary: 'only of this merchant' } },
    run: ({ positionals: [id = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
          throw new CommandProblem(`"${id}" is not an identifier. Give the UUID of the payment.`)
        }
        const merchants = await listMerchants(database)
        const wanted = textOf(values.merchant)
        const found = (await findPaymentsById(database, id.toLowerCase())).filter(
          ({ merchantId }) => wanted === undefined || slugOf(merchants, merchantId) === wanted,
        )
        if (found.length === 0) {
          throw new CommandProblem(`There is no payment "${id}". See malipo payment list.`)
        }
        const stories = await Promise.all(found.map((payment) => storyOf(database, payment)))
        const shown = stories.map((story) => shownStory(story, merchants))
        return print(json, shown, stories.map((story) => storyText(story, merchants)).join('\n\n'))
      }),
  },
  {
    name: 'payment list',
    alias: 'payments list',
    summary: 'List payments, the latest first; of the last day where no time is given',
    options: {
      merchant: { value: 'short-name', summary: 'only of this merchant' },
      kind: { value: 'kind', summary: `only of this kind: ${PAYMENT_KINDS.join(', ')}` },
      state: { value: 'state', summary: 'only in this state, such as IN_RECONCILIATION' },
      provider: { value: 'code', summary: 'only of this provider' },
      operator: { value: 'name', summary: 'only those sent through this operator account' },
      phone: { value: 'number', summary: 'only of this phone number' },
      from: { value: 'time', summary: 'only those accepted at this time or later' },
      to: { value: 'time', summary: 'only those accepted before this time' },
      limit: { value: 'number', summary: `at most so many (default ${LISTED})` },
    },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const merchants = await listMerchants(database)
        const slug = textOf(values.merchant)
        const merchantId = slug === undefined ? undefined : (await merchantNamed(database, slug)).id
        const { clockOffsetMs } = await readState(database)
        const to = timeOf(values.to, 'to')
        const filter = present({
          merchantId,
          kind: choiceOf(values.kind, PAYMENT_KINDS, 'kind'),
          state: choiceOf(values.state, PAYMENT_STATES, 'state'),
          provider: textOf(values.provider),
          account: textOf(values.operator),
          phoneNumber: textOf(values.phone)?.replace(/^\+/, ''),
          from: timeOf(values.from, 'from') ?? (to ?? Date.now() + clockOffsetMs) - DAY_MS,
          to,
        })
        const limit = values.limit === undefined ? LISTED : limitOf(values.limit)
        const found = await listPayments(database, filter, limit)
        const rows = found.map((payment) => listed(payment, merchants))
        return print(json, rows, table(rows, 'No payment fits. Give --from for more than a day.'))
      }),
  },
]

const slugOf = (merchants: readonly MerchantSummary[], id: number): string =>
  merchants.find((one) => one.id === id)?.slug ?? String(id)

const listed = (payment: Payment, merchants: readonly MerchantSummary[]) => ({
  accepted: dateText(payment.createdAt),
  merchant: slugOf(merchants, payment.merchantId),
  kind: payment.kind,
  id: payment.id,
  state: payment.state,
  amount: `${payment.amount} ${payment.currency}`,
  provider: payment.provider,
  operator: payment.operatorAccount ?? '',
  failure: payment.failure?.code ?? '',
})

function shownStory({ payment, ...story }: PaymentStory, merchants: readonly MerchantSummary[]) {
  const { providerReference, providerTransactionId, operatorIds, failure } = payment
  return {
    ...listed(payment, merchants),
    number: maskedNumber(payment),
    ...present({
      providerReference,
      providerTransactionId,
      operatorIds: operatorIds && maskedIds(operatorIds, payment.phoneNumber),
      failure,
    }),
    ...present({ archivedIn: story.archivedIn }),
    states: story.states.map(({ state, atMs }) => ({ state, at: exactTime(atMs) })),
    exchanges: story.exchanges.map(({ merchantId: _, paymentKey: __, at, ...rest }) => ({
      at: exactTime(at),
      ...rest,
    })),
    transfers: story.transfers.map(({ atMs, ...rest }) => ({ at: exactTime(atMs), ...rest })),
    cases: story.cases.map(({ openedMs, closedMs, ...rest }) => ({
      openedAt: exactTime(openedMs),
      ...present({ closedAt: ifGiven(closedMs, exactTime) }),
      ...rest,
    })),
    callbacks: story.callbacks.map(({ dueMs, attempts, ...rest }) => ({
      ...rest,
      ...present({ nextAt: ifGiven(dueMs, exactTime) }),
      attempts: attempts.map(({ atMs, url, httpStatus, reason, durationMs }) => ({
        ...{ at: exactTime(atMs), url, httpStatus, reason, durationMs },
      })),
    })),
  }
}

/** Some operators put the number of the customer into what they call a payment. */
const maskedIds = (ids: OperatorIds, phoneNumber: string): OperatorIds =>
  Object.fromEntries(
    Object.entries(ids).map(([name, value]) => [
      name,
      /token|party|secret/i.test(name) ? '***' : withoutNumber(value, phoneNumber),
    ]),
  )

const exactTime = (ms: number): string => new Date(ms).toISOString()

const maskedNumber = ({ provider, phoneNumber }: Payment): string => {
  const { callingCode = '' } = readCatalog(CATALOG_FILE).find(provider) ?? {}
  return numberHint(phoneNumber, callingCode)
}

type Line = { readonly atMs: number; readonly words: readonly string[] }

/** One line after the other, in the order in which it happened. */
function storyText(story: PaymentStory, merchants: readonly MerchantSummary[]): string {
  const { payment } = story
  const head = [
    `${payment.kind} ${payment.idAsSent}: ${payment.state}`,
    `  ${payment.amount} ${payment.currency}, ${maskedNumber(payment)}, ${payment.provider}`,
    `  merchant ${slugOf(merchants, payment.merchantId)}`,
    ...(payment.operatorAccount === undefined
      ? []
      : [`  operator account ${payment.operatorAccount}`]),
    ...(payment.providerReference === undefined
      ? []
      : [`  reference ${payment.providerReference}`]),
    ...(payment.providerTransactionId === undefined
      ? []
      : [`  transaction ${payment.providerTransactionId}`]),
    ...(payment.failure === undefined
      ? []
      : [`  ${payment.failure.code}: ${payment.failure.message}`]),
  ]
  const lines = linesOf(story).toSorted((a, b) => a.atMs - b.atMs)
  const body = lines.flatMap(({ atMs, words: [first = '', ...rest] }) => [
    `  ${exactTime(atMs).slice(11, 23)}  ${first}`,
    ...rest.map((one) => `                ${one}`),
  ])
  const { archivedIn } = story
  const rest =
    archivedIn === undefined
      ? []
      : [`  Movements, exchanges and callbacks are archived in the files of ${archivedIn}.`]
  // What others sent may be meant for the terminal of the reader.
  return [...head, '', ...body, ...rest]
    .map((line) => line.replaceAll(/\p{Cc}/gu, '\ufffd'))
    .join('\n')
}

function linesOf(story: PaymentStory): readonly Line[] {
  const { states, exchanges, transfers, cases, callbacks } = story
  return [
    ...states.map(({ state, atMs }) => ({ atMs, words: [state] })),
    ...exchanges.map((one) => ({ atMs: one.at, words: exchangeWords(one) })),
    ...transfers.map(({ atMs, amount, debit, credit }) => ({
      atMs,
      words: [`money: ${amount} from ${debit} to ${credit}`],
    })),
    ...cases.flatMap(({ cause, openedMs, closedMs, resolution, by, note }) => [
      { atMs: openedMs, words: [`case opened: ${cause}`] },
      ...(closedMs === null
        ? []
        : [
            {
              atMs: closedMs,
              words: [`case closed: ${resolution} by ${by}`, ...(note ? [note] : [])],
            },
          ]),
    ]),
    ...callbacks.flatMap(({ state, attempts }) =>
      attempts.map(({ atMs, url, httpStatus, reason }) => ({
        atMs,
        // Without an address nothing was sent, and the reason says so.
        words: [
          `callback ${state}${url === '' ? '' : ` to ${url}`}: ${httpStatus ?? reason ?? 'no answer'}`,
        ],
      })),
    ),
  ]
}

function exchangeWords(one: PaymentStory['exchanges'][number]): readonly string[] {
  const isCallback = one.what === 'callback'
  const result = isCallback
    ? `answered ${one.httpStatus}`
    : `${one.httpStatus ?? one.reason ?? 'no answer'} after ${one.durationMs} ms`
  const meant = one.outcome === undefined ? '' : `, ${one.outcome}`
  return [
    `${isCallback ? 'callback from' : `${one.what} at`} ${one.account}: ${result}${meant}`,
    ...one.request.split('\n').map((line) => `> ${line}`),
    ...(one.answer === undefined || one.answer === '' ? [] : [`< ${one.answer}`]),
  ]
}
