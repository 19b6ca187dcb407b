import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Scope } from '../src/domain/accounts/token.ts'
import type { MerchantId } from '../src/domain/ids.ts'
import { createMerchant } from '../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../src/usecases/accounts/manage-tokens.ts'
import type { Answer, Service } from './service.ts'

/** Another merchant besides the demo one, created as an operator does. */
export type TestMerchant = {
  readonly id: MerchantId
  readonly token: string
  /** The headers of this merchant's calls. */
  readonly auth: Readonly<Record<string, string>>
  call(method: string, path: string, body?: unknown): Promise<Answer>
}

export async function addMerchant(
  service: Service,
  options: { slug?: string; name?: string; providers?: readonly string[] } = {},
): Promise<TestMerchant> {
  const { ctx } = service.node
  const {
    slug = `shop-${randomUUID().slice(0, 13)}`,
    name = 'Second Merchant',
    providers,
  } = options
  const id = await createMerchant(service.database, {
    slug,
    name,
    providers: ctx.providers.catalog.all.filter((one) => providers?.includes(one.code) ?? true),
    now: Date.now(),
    funding: { balance: '1000000', newKey: ctx.newKey },
  })
  assert.ok(id !== undefined, `the short name ${slug} is free`)
  const token = await addToken(service, id, ['*'])
  return { id, token, ...callerWith(service, token) }
}

export async function addToken(
  service: Service,
  merchantId: MerchantId,
  scopes: readonly Scope[],
): Promise<string> {
  const { token } = await createToken(service.database, {
    environment: 'sandbox',
    merchantId,
    label: scopes.join(' '),
    scopes,
    now: Date.now(),
  })
  return token
}

export function callerWith(service: Service, token: string): Pick<TestMerchant, 'auth' | 'call'> {
  const auth = { authorization: `Bearer ${token}` }
  return { auth, call: (method, path, body) => service.call(method, path, body, auth) }
}
