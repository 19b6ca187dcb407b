import { randomUUID } from 'node:crypto'
import type { MerchantId, PaymentId, PaymentKey } from '../../src/domain/ids.ts'
import type { Secrets } from '../../src/domain/operators/account.ts'
import { createOperatorClient } from '../../src/node/operator-client.ts'
import { referencesOf } from '../../src/node/provider-set.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import type { ProviderOrder } from '../../src/providers/connector.ts'
import type { StandInRequest } from '../../src/providers/stand-in/operator.ts'
import {
  newCallbackSecret,
  openAccount,
  sealSecrets,
} from '../../src/usecases/operators/open-account.ts'

const SECRET_KEY = 'a key for tests that nobody else has, 0123456789'

/** Our own connector on an account, without a service around it. */
export function ownConnector(account: {
  readonly connector: string
  readonly baseUrl: string
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Secrets
}) {
  const client = createOperatorClient({})
  const { secrets, ...rest } = account
  const opened = openAccount(
    {
      catalog: readCatalog(CATALOG_FILE),
      secretKey: SECRET_KEY,
      referenceOf: referencesOf(SECRET_KEY),
      publicUrl: () => 'https://example.org',
      now: Date.now,
      realNow: Date.now,
      maySend: () => true,
      send: client.send,
    },
    {
      ...rest,
      name: 'ours',
      providers: {},
      priority: 1,
      enabled: true,
      callbackSecret: newCallbackSecret(),
      callbackSources: [],
      limits: {},
    },
    sealSecrets(SECRET_KEY, secrets),
    { record: () => {}, reached: () => {} },
  )
  return { ...opened.driven, close: client.close }
}

export const orderTo = (
  operation: ProviderOrder['operation'],
  provider: string,
  money: Pick<ProviderOrder, 'amount' | 'currency' | 'phoneNumber'>,
): ProviderOrder => ({
  merchantId: 1 as MerchantId,
  paymentId: randomUUID() as PaymentId,
  paymentKey: randomUUID() as PaymentKey,
  operation,
  provider,
  message: 'Acme order 12',
  ...money,
})

/** Headers that clients add by themselves, whatever is asked for. */
const OWN_HEADERS = [
  'accept',
  'accept-encoding',
  'connection',
  'host',
  'user-agent',
  'content-length',
]

/** What a request is made of: its path without references, names of headers, members of its body. */
export function shapeOf({ method, path, headers, json }: StandInRequest) {
  return {
    method,
    path: path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '<reference>'),
    headers: Object.keys(headers)
      .filter((name) => !OWN_HEADERS.includes(name))
      // Some clients say of what type a body is that they do not send.
      .filter((name) => method !== 'GET' || name !== 'content-type')
      .toSorted(),
    body: membersOf(json),
  }
}

function membersOf(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return typeof json
  const members = Object.entries(json).map(([name, value]) => [name, membersOf(value)])
  return Object.fromEntries(members.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}
