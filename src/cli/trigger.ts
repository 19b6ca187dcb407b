import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../domain/client-timing.ts'
import { GENERAL_ENDINGS } from '../domain/sandbox/stories.ts'
import { type Command, CommandProblem, environmentToken, print, textOf } from './command-kit.ts'
import {
  mustBeSandbox,
  SERVICE_OPTIONS,
  type ServiceClient,
  serviceClient,
} from './service-client.ts'

/**
 * Payments made to end in a certain way, so that their callbacks can be seen. The number decides
 * the end, as for any payment of the sandbox.
 */
type Trigger = {
  readonly path: string
  readonly idField: string
  /** Which table of endings the number is taken from. */
  readonly endings: keyof typeof GENERAL_ENDINGS
  readonly body: (number: string, amount: string) => object
  /** A refund needs a deposit that is COMPLETED. */
  readonly afterDeposit?: true
}

/** Numbers that neither the examples nor the virtual phone use. */
const NUMBER_BEGINS = '260760000'
const MONEY = { currency: 'ZMW' } as const

const account = (phoneNumber: string) => ({
  type: 'MMO',
  accountDetails: { phoneNumber, provider: 'MTN_MOMO_ZMB' },
})

const deposit = (number: string, amount: string) => ({ ...MONEY, amount, payer: account(number) })
const payout = (number: string, amount: string) => ({
  ...MONEY,
  amount,
  recipient: account(number),
})

export const NAMED = { firstName: 'Test', lastName: 'Person' } as const
export const SENDER = {
  transactionDetails: {
    transactionReference: 'TRIGGERED',
    originalAmount: '1.00',
    originalCurrency: 'GBP',
    buyFxRate: '15',
    senderFees: '0.10',
    purposeOfFunds: 'OTHER',
    sourceOfFunds: 'OTHER',
  },
  senderDetails: {
    ...NAMED,
    nationality: 'ZMB',
    phoneNumber: '442079460018',
    address: { addressLine: '1 Test Street', postalCode: '0', city: 'Test', country: 'GBR' },
    identification: { type: 'PASSPORT', number: 'TEST' },
  },
} as const

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  deposit: { path: '/v2/deposits', idField: 'depositId', endings: 'DEPOSIT', body: deposit },
  payout: { path: '/v2/payouts', idField: 'payoutId', endings: 'PAYOUT', body: payout },
  refund: {
    path: '/v2/refunds',
    idField: 'refundId',
    endings: 'PAYOUT',
    body: (_, amount) => ({ ...MONEY, amount }),
    afterDeposit: true,
  },
  remittance: {
    path: '/v2/remittances',
    idField: 'remittanceId',
    endings: 'PAYOUT',
    body: (number, amount) => ({
      ...MONEY,
      amount,
      recipient: { ...account(number), recipientDetails: NAMED },
      sender: SENDER,
    }),
  },
  'split-payment': {
    path: '/v2/split-payments',
    idField: 'splitPaymentId',
    endings: 'DEPOSIT',
    body: (number, amount) => ({
      ...deposit(number, amount),
      splits: [{ payoutId: randomUUID(), amount: '1', recipient: account(`${NUMBER_BEGINS}789`) }],
    }),
  },
}

const OUTCOMES = ['completed', 'failed'] as const
const TRIGGER_NAMES: readonly string[] = Object.keys(TRIGGERS).flatMap((kind) =>
  OUTCOMES.map((outcome) => `${kind}.${outcome}`),
)

export const TRIGGER_COMMANDS: readonly Command[] = [
  {
    name: 'trigger',
    summary:
      'Make a sandbox payment that ends as you say, such as deposit.completed or payout.failed',
    arguments: ['event'],
    options: {
      ...SERVICE_OPTIONS,
      amount: { value: 'number', summary: 'in ZMW; 15 by default' },
      'failure-code': { value: 'code', summary: 'why it fails, such as INSUFFICIENT_BALANCE' },
    },
    run: async ({ positionals: [event = ''], values, json }) => {
      const client = serviceClient(values, environmentToken())
      const [kind = '', outcome = ''] = event.split('.')
      const trigger = TRIGGERS[kind]
      if (trigger === undefined || !TRIGGER_NAMES.includes(event)) {
        throw new CommandProblem(`"${event}" is none of ${TRIGGER_NAMES.join(', ')}.`)
      }
      const code = textOf(values['failure-code'])
      if (code !== undefined && outcome === 'completed') {
        throw new CommandProblem(`--failure-code does not go with ${event}.`)
      }
      const number = numberFor(trigger, outcome, code)
      await mustBeSandbox(client)
      const amount = textOf(values.amount) ?? '15'
      const record = await run(client, trigger, number, amount)
      const { status, failureReason } = record
      const why = failureReason === undefined ? '' : ` (${failureReason.failureCode})`
      print(json, record, `${kind} ${String(record[trigger.idField])} ${status}${why}`)
      return status.toLowerCase() === outcome ? 0 : 1
    },
  },
]

/** The number whose end is the wanted one, by the table of the simulated operator. */
function numberFor(trigger: Trigger, outcome: string, code: string | undefined): string {
  const endings = Object.entries(GENERAL_ENDINGS[trigger.endings])
  const failures = endings.filter(([, ending]) => !['COMPLETED', 'PROCESSING'].includes(ending))
  if (outcome === 'completed') return `${NUMBER_BEGINS}789`
  const wanted = code ?? 'UNSPECIFIED_FAILURE'
  const [digits] = failures.find(([, ending]) => ending === wanted) ?? []
  if (digits !== undefined) return NUMBER_BEGINS + digits
  const known = failures.map(([, ending]) => ending).join(', ')
  throw new CommandProblem(`--failure-code: "${wanted}" is none of ${known}.`)
}

type Outcome = Readonly<Record<string, unknown>> & {
  readonly status: string
  readonly failureReason?: { readonly failureCode: string }
}

async function run(
  client: ServiceClient,
  trigger: Trigger,
  number: string,
  amount: string,
): Promise<Outcome> {
  const body = trigger.body(number, amount)
  if (trigger.afterDeposit !== true) return begin(client, trigger, number, body)
  const paid = await begin(client, TRIGGERS.deposit as Trigger, number, deposit(number, amount))
  if (paid.status !== 'COMPLETED') throw new CommandProblem(`The deposit is ${paid.status}.`)
  return begin(client, trigger, number, { ...body, depositId: paid.depositId })
}

async function begin(
  client: ServiceClient,
  trigger: Trigger,
  number: string,
  body: object,
): Promise<Outcome> {
  const id = randomUUID()
  const answer = (await client.post(trigger.path, { [trigger.idField]: id, ...body })) as Outcome
  if (answer.status !== 'ACCEPTED') {
    throw new CommandProblem(`It was not accepted: ${JSON.stringify(answer)}`)
  }
  const startedAt = performance.now()
  let isSilent = true
  for (;;) {
    const { data } = (await client.get(`${trigger.path}/${id}`)) as { readonly data: Outcome }
    if (/^(COMPLETED|FAILED|PAYOUT_FAILED)$/.test(data.status)) return data
    const elapsedMs = performance.now() - startedAt
    if (isSilent && elapsedMs > COMMAND_TIMING.triggerSilentMs) {
      isSilent = false
      process.stderr.write(`${await waitingFor(client, number, data.status)}\n`)
    }
    if (elapsedMs > COMMAND_TIMING.triggerEndsWithinMs) {
      throw new CommandProblem(`It is still ${data.status} after a minute: ${id}`)
    }
    await pause(COMMAND_TIMING.triggerLooksEveryMs)
  }
}

/** On standard error, so that programs still read nothing but the result. */
async function waitingFor(client: ServiceClient, number: string, status: string): Promise<string> {
  const { mode } = (await client.get(`/sandbox/phones/${number}`)) as { readonly mode: string }
  return mode === 'interactive'
    ? `waiting for approval on ${number} … (answer at ${client.url}/sandbox?phone=${number})`
    : `still ${status}, waiting …`
}
