import { createTurns } from '../../store/engine/turns.ts'
import { AmountText, CurrencyCode, PhoneNumber, ProviderCode, UuidV4 } from '../../wire/formats.ts'
import { Type } from '../../wire/schema.ts'
import { CommandProblem } from '../command-kit.ts'
import { ServiceAway } from '../service-client.ts'
import type { Limit } from './limit.ts'
import { type Audited, type Given, oneOf, Refusal, type Shown, type Tool } from './tool.ts'

const KINDS = ['deposit', 'payout', 'refund'] as const

/** The one tool that moves money; there only where it was asked for, with a limit. */
export function startPaymentTool(limit: Limit, shown: Shown): Tool {
  const inTurn = createTurns()
  return {
    name: 'start_payment',
    title: 'Start a payment',
    description:
      'Starts a deposit (collects from a customer), a payout (pays a customer) or a refund of a ' +
      `deposit. At most ${limit.words} in all. Safe to repeat with the same id; make a new ` +
      'random one only for a new payment. The answer says whether it was accepted; ask ' +
      'explain_payment for the outcome.',
    takes: Type.Object(
      {
        kind: oneOf(KINDS),
        id: UuidV4,
        amount: AmountText,
        currency: CurrencyCode,
        phoneNumber: Type.Optional(PhoneNumber),
        provider: Type.Optional(ProviderCode),
        depositId: Type.Optional(
          Type.String({ minLength: 36, maxLength: 36, description: 'the deposit to refund' }),
        ),
        clientReferenceId: Type.Optional(Type.String({ minLength: 1, maxLength: 36 })),
      },
      { additionalProperties: false },
    ),
    startsPayments: true,
    // One after the other: what one holds of the limit is known before the next asks.
    run: (service, given) => inTurn(async () => shown(await start(service, limit, given))),
  }
}

type Answer = { readonly status: string; readonly data?: object }

async function start(service: Audited, limit: Limit, given: Given): Promise<object> {
  const { kind = '', id = '', amount = '', currency = '' } = given
  // Also for the log of requests: a call that the limit refuses leaves this one there.
  const known = (await service.get(`/v2/${kind}s/${id}`)) as Answer
  if (known.status === 'FOUND') return { status: 'DUPLICATE_IGNORED', id, data: known.data }
  const body = bodyOf(given)
  const hold = limit.hold(`${kind} ${id.toLowerCase()}`, amount, currency)
  try {
    const answer = (await service.post(`/v2/${kind}s`, body)) as Answer
    if (answer.status !== 'ACCEPTED') hold.release()
    return answer
  } catch (error) {
    if (error instanceof CommandProblem) hold.release()
    if (!(error instanceof ServiceAway)) throw error
    throw new Refusal(
      `${error.message} Whether it was started is not known. Call start_payment again with the ` +
        'same id: it is started at most once.',
    )
  }
}

function bodyOf({ kind = '', id, amount, currency, clientReferenceId, ...rest }: Given): object {
  const { phoneNumber, provider, depositId } = rest
  const common = { [`${kind}Id`]: id, amount, currency, clientReferenceId }
  if (kind === 'refund') {
    if (depositId === undefined) throw new Refusal('A refund needs the depositId.')
    return { ...common, depositId }
  }
  if (phoneNumber === undefined || provider === undefined) {
    throw new Refusal(`A ${kind} needs a phoneNumber and a provider, such as MTN_MOMO_ZMB.`)
  }
  const account = { type: 'MMO', accountDetails: { phoneNumber, provider } }
  return { ...common, [kind === 'deposit' ? 'payer' : 'recipient']: account }
}
