/** The operators of the storm: of each one account, and what a payment through it looks like. */

export type Line = {
  readonly connector: string
  readonly provider: string
  readonly currency: string
  readonly amount: string
  /** Seven digits follow. */
  readonly numbers: string
  readonly kinds: readonly ('deposit' | 'payout')[]
  /** The operator's code for a customer who declines. */
  readonly declined: string
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, unknown>>
  readonly depositMembers?: Readonly<Record<string, unknown>>
}

const PRODUCT = {
  subscriptionKey: 'sub-0123456789',
  apiUser: 'user-0123456789',
  apiKey: 'key-0123456789',
}

export const LINES: readonly Line[] = [
  {
    connector: 'mtn-momo',
    provider: 'MTN_MOMO_ZMB',
    currency: 'ZMW',
    amount: '15',
    numbers: '26076',
    kinds: ['deposit', 'payout'],
    declined: 'APPROVAL_REJECTED',
    settings: { targetEnvironment: 'mtnzambia' },
    secrets: { collection: PRODUCT, disbursement: PRODUCT },
  },
  {
    connector: 'gsma',
    provider: 'ZAMTEL_ZMB',
    currency: 'ZMW',
    amount: '15',
    numbers: '26075',
    kinds: ['deposit', 'payout'],
    declined: 'requestDeclined',
    settings: { basePath: '/v1.2', payeeMsisdn: '260950000000' },
    secrets: { clientId: 'client-0123456789', clientSecret: 'secret-0123456789' },
  },
  {
    connector: 'daraja',
    provider: 'MPESA_KEN',
    currency: 'KES',
    amount: '15',
    numbers: '25471',
    kinds: ['deposit'],
    declined: '1032',
    settings: { shortCode: '174379' },
    secrets: {
      consumerKey: 'key-0123456789',
      consumerSecret: 'secret-0123456789',
      passkey: 'passkey-0123456789',
    },
  },
]

export const accountOf = (line: Line, baseUrl: string) => ({
  name: `to-${line.connector}`.slice(0, 24),
  connector: line.connector,
  baseUrl,
  providers: { [line.provider]: line.kinds.map((kind) => kind.toUpperCase()) },
  priority: 1,
  settings: line.settings,
  secrets: line.secrets,
})

export function bodyOf(line: Line, kind: 'deposit' | 'payout', id: string, number: string): object {
  const party = {
    type: 'MMO',
    accountDetails: { phoneNumber: number, provider: line.provider },
  }
  const money = { amount: line.amount, currency: line.currency }
  return kind === 'deposit'
    ? { depositId: id, ...money, payer: party, ...line.depositMembers }
    : { payoutId: id, ...money, recipient: party }
}

/** A payment that somebody asked for; its number is its own. */
export type Ask = {
  readonly line: Line
  readonly kind: 'deposit' | 'payout'
  readonly id: string
  readonly number: string
  isAccepted: boolean
  /** False: the answer was lost, and whether it was accepted nobody knows. */
  isAnswered: boolean
  /** How it had ended when its operator said the opposite; undefined where it kept its word. */
  hadEnded?: 'COMPLETED' | 'FAILED'
}
