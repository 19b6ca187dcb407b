import { randomBytes } from 'node:crypto'
import type { OperatorAccount, Secrets } from '../../domain/operators/account.ts'
import { REFUSED_IN_ADDRESSES } from '../../domain/operators/account-file.ts'
import type { Catalog } from '../../providers/catalog.ts'
import { createDriver, type Driven } from '../../providers/driver.ts'
import type { About, DriverParts, Reply } from '../../providers/exchange.ts'
import { createGate } from '../../providers/gate.ts'
import { operatorKind } from '../../providers/kinds.ts'
import { createMask, type Mask } from '../../providers/masking.ts'
import type { Operator, OperatorKind, OperatorRequest } from '../../providers/operator.ts'
import type { ReferenceOf } from '../../providers/reference.ts'
import { createTokens } from '../../providers/tokens.ts'
import { seal, unseal } from '../../signing/keys.ts'

/** What an account needs of the process that it is opened in. */
export type AccountWorld = {
  readonly catalog: Catalog
  readonly secretKey: string
  readonly referenceOf: ReferenceOf
  readonly publicUrl: () => string
  readonly now: () => number
  readonly realNow: () => number
  readonly maySend: () => boolean
  send(
    url: URL,
    request: Omit<OperatorRequest, 'path'>,
    withinMs: number,
    about: About,
  ): Promise<Reply>
}

/** An account with its secrets, ready to be used. */
export type OpenedAccount = {
  readonly account: OperatorAccount
  readonly kind: OperatorKind
  readonly operator: Operator
  readonly driven: Driven
  readonly mask: Mask
}

export type AccountEvents = Pick<DriverParts, 'record' | 'reached'>

export function openAccount(
  world: AccountWorld,
  account: OperatorAccount,
  sealedSecrets: string,
  events: AccountEvents,
): OpenedAccount {
  const kind = operatorKind(account.connector)
  if (kind === undefined) {
    throw new Error(`The account "${account.name}" names the connector "${account.connector}"`)
  }
  const secrets = openSecrets(world.secretKey, sealedSecrets)
  const { catalog, referenceOf, now, realNow } = world
  const operator = kind.open({
    ...account,
    secrets,
    catalog,
    referenceOf,
    now,
    realNow,
    callbackUrl: (reference) => `${callbackUrlOf(account, world.publicUrl())}/${reference}`,
  })
  const mask = createMask(secrets)
  const driven = createDriver({
    operator,
    gate: createGate({ ...operator.profile.limits, ...account.limits }, () => performance.now()),
    tokens: createTokens(world.realNow),
    mask,
    send: ({ path, ...request }, withinMs, about) =>
      world.send(new URL(account.baseUrl + path), request, withinMs, about),
    realNow: world.realNow,
    maySend: world.maySend,
    ...events,
  })
  return { account, kind, operator, driven, mask }
}

/** Where the operator sends its callbacks; below it, an order may be named. */
export const callbackUrlOf = (
  { name, callbackSecret }: Pick<OperatorAccount, 'name' | 'callbackSecret'>,
  publicUrl: string,
): string => `${publicUrl}/operators/${name}/${callbackSecret}`

/** 22 characters: one operator takes addresses of 120 at most. */
export function newCallbackSecret(): string {
  const secret = randomBytes(16).toString('base64url')
  return REFUSED_IN_ADDRESSES.some((word) => secret.toLowerCase().includes(word))
    ? newCallbackSecret()
    : secret
}

export const sealSecrets = (secretKey: string, secrets: Secrets): string =>
  seal(secretKey, JSON.stringify(secrets))

export const openSecrets = (secretKey: string, sealed: string): Secrets =>
  JSON.parse(unseal(secretKey, sealed)) as Secrets
