import { ifGiven, present } from '../../domain/present.ts'
import {
  LINK_LIVES_MS,
  momentText,
  STATEMENT_STATES,
  type Statement,
  type StatementWallet,
} from '../../domain/statements/statement.ts'
import { invalid } from '../fault.ts'
import {
  balanceText,
  CountryCode,
  CurrencyCode,
  ProviderCode,
  Timestamp,
  timestampText,
} from '../formats.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { FailureReason, fromFailure } from './errors.ts'
import { statusAnswer } from './payment-parts.ts'

/** Statements: a file with every movement of one wallet in a period. */
const Wallet = Type.Object(
  {
    country: CountryCode,
    currency: CurrencyCode,
    provider: Type.Optional(
      Type.String({
        ...ProviderCode,
        description: 'only for a wallet of one provider alone; left out for one of a whole country',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'the wallet, as the wallet balances name it',
    examples: [{ country: 'ZMB', currency: 'ZMW' }],
  },
)

const moment = (description: string, example: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z?$',
    description,
    examples: [example],
  })

export const StatementRequest = Type.Object(
  {
    wallet: Wallet,
    callbackUrl: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'where to report that the file is ready; https in production',
      examples: ['https://shop.example/statements'],
    }),
    startDate: moment(
      'the first moment of the period, in UTC without a zone, such as 2026-11-01T00:00:00',
      '2026-11-01T00:00:00',
    ),
    endDate: moment(
      'the first moment after the period, in UTC without a zone; at most 31 days after startDate',
      '2026-12-01T00:00:00',
    ),
    compressed: Type.Optional(
      Type.Boolean({ description: 'true for a gzip file; false, the default, for plain CSV' }),
    ),
  },
  { $id: 'StatementRequest', additionalProperties: false },
)

const StatementId = Type.String({
  description: 'made by the service',
  examples: ['5b1f8a3e-6f5c-4c7e-9d60-2f4f0d2b7c11'],
})

export const StatementAnswer = Type.Object(
  {
    statementId: Type.Optional(StatementId),
    status: Type.Enum(['ACCEPTED', 'REJECTED'], {
      description: 'the answer to this request; not the state of the statement',
    }),
    created: Type.Optional(Timestamp),
    failureReason: Type.Optional(FailureReason),
  },
  { $id: 'StatementAnswer' },
)

export const StatementRecord = Type.Object(
  {
    statementId: StatementId,
    status: Type.Enum([...STATEMENT_STATES], {
      description: 'PROCESSING while the file is written; COMPLETED and FAILED are final',
    }),
    wallet: Wallet,
    created: Timestamp,
    startDate: Type.String({ description: 'in UTC', examples: ['2026-11-01T00:00:00'] }),
    endDate: Type.String({ description: 'in UTC', examples: ['2026-12-01T00:00:00'] }),
    compressed: Type.Boolean(),
    fileSize: Type.Optional(Type.Integer({ description: 'in bytes', examples: [48213] })),
    downloadUrl: Type.Optional(
      Type.String({
        description: 'the file; anyone who has the link can read it, no token is asked',
      }),
    ),
    downloadUrlExpiresAt: Type.Optional(
      Type.String({ ...Timestamp, description: 'one day after the completion' }),
    ),
    completedAt: Type.Optional(Timestamp),
    failedAt: Type.Optional(Timestamp),
    failureReason: Type.Optional(FailureReason),
    openingBalance: Type.Optional(
      Type.String({ description: 'of the wallet at startDate', examples: ['1000000.00'] }),
    ),
    closingBalance: Type.Optional(
      Type.String({
        description: 'at endDate, or now if that lies ahead: the opening and every net added up',
        examples: ['1000015.00'],
      }),
    ),
  },
  { $id: 'StatementRecord' },
)

export const StatementStatus = statusAnswer(StatementRecord, 'statement', 'StatementStatus')

const readBody = createReader(StatementRequest)

type StatementOrder = {
  readonly wallet: StatementWallet
  readonly callbackUrl: string
  readonly startAt: number
  readonly endAt: number
  readonly compressed: boolean
}

export function readStatementRequest(body: unknown): StatementOrder {
  const { wallet, callbackUrl, startDate, endDate, compressed = false } = readBody(body)
  return {
    wallet,
    callbackUrl,
    startAt: readMoment('startDate', startDate),
    endAt: readMoment('endDate', endDate),
    compressed,
  }
}

/** The form is checked by the schema; what is left are the 30th of February and 25 o'clock. */
function readMoment(name: string, text: string): number {
  const utc = text.endsWith('Z') ? text : `${text}Z`
  const ms = Date.parse(utc)
  const exists = !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === utc.slice(0, 19)
  if (!exists) throw invalid(name, `'${text}' is not a date and time that exists`)
  return ms
}

/** One function makes the record of the status check and the body of the callback. */
export function fromStatement(statement: Statement): Static<typeof StatementRecord> {
  const { wallet } = statement
  return {
    statementId: statement.idAsSent,
    status: statement.state,
    wallet: {
      country: wallet.country,
      currency: wallet.currency,
      ...present({ provider: wallet.provider }),
    },
    created: timestampText(statement.createdAt),
    startDate: momentText(statement.startAt),
    endDate: momentText(statement.endAt),
    compressed: statement.compressed,
    ...endOf(statement),
  }
}

function endOf(statement: Statement): Partial<Static<typeof StatementRecord>> {
  const { state, endedAt, fileSize, downloadUrl, failure } = statement
  const { openingBalance, closingBalance } = statement
  if (endedAt === undefined || state === 'PROCESSING') return {}
  if (state === 'FAILED') {
    return {
      failedAt: timestampText(endedAt),
      ...present({ failureReason: ifGiven(failure, fromFailure) }),
    }
  }
  return {
    ...present({ fileSize, downloadUrl }),
    downloadUrlExpiresAt: timestampText(endedAt + LINK_LIVES_MS),
    completedAt: timestampText(endedAt),
    ...present({
      openingBalance: ifGiven(openingBalance, balanceText),
      closingBalance: ifGiven(closingBalance, balanceText),
    }),
  }
}
