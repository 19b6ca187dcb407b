import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { paymentKeyFrom } from '../../src/domain/ids.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { createMerchant } from '../../src/usecases/manage-merchants.ts'
import { createToken } from '../../src/usecases/manage-tokens.ts'
import type { OpenApiDocument } from '../../src/web/openapi.ts'
import { chanceOf } from '../../test/support/histories/chance.ts'
import { depositBody, eventually } from '../../test/support/service.ts'
import { makeKey } from '../../test/support/signers.ts'
import type { World } from './requests.ts'
import { targetsOf } from './targets.ts'

/** A service to be hostile to, with the merchants that take part. */
export type Stage = {
  readonly port: number
  readonly database: Database
  readonly merchantId: number
  readonly signedMerchantId: number
  readonly world: Omit<World, 'seed'>
  /** No payment has anything left to be done. */
  settled(): Promise<void>
  close(): Promise<void>
}

const DEPOSITS = 40

export async function prepareStage(service: {
  readonly port: number
  readonly databaseUrl: string
}): Promise<Stage> {
  const { port, databaseUrl } = service
  const database = openDatabase({ connectionString: databaseUrl }, 4)
  const [paying, control, signed] = [
    await addMerchant(database, 'paying'),
    await addMerchant(database, 'control'),
    await addMerchant(database, 'signed'),
  ]
  const call = caller(port)
  const { id, pem } = makeKey('k', 'ecdsa-p256-sha256')
  await call(signed.token, 'PUT', '/sandbox/signatures', {
    keys: [{ id, key: pem }],
    signedRequestsOnly: true,
  })
  const dice = chanceOf(0)
  const bodies = Array.from({ length: DEPOSITS }, () =>
    depositBody({ depositId: dice.uuid(), amount: '1000' }),
  )
  for (const body of bodies) await call(paying.token, 'POST', '/v2/deposits', body)
  const settled = (): Promise<void> =>
    eventually(async () => {
      const [left] = await database.query<{ count: number }>(
        `select (select count(*) from payments where due_at < 'infinity' and state <> 'ENQUEUED')::int
           as count`,
      )
      assert.equal(left?.count, 0)
    }, 120_000)
  await settled()
  const document = (await call(paying.token, 'GET', '/openapi.json')) as OpenApiDocument
  return {
    port,
    database,
    merchantId: paying.id,
    signedMerchantId: signed.id,
    settled,
    close: database.close,
    world: {
      host: `127.0.0.1:${port}`,
      targets: targetsOf(document),
      token: paying.token,
      controlToken: control.token,
      signedToken: signed.token,
      deposits: bodies.map(({ depositId }) => depositId),
    },
  }
}

/** Made as an operator makes them, with money in every wallet. */
export async function addMerchant(
  database: Database,
  slug: string,
): Promise<{ readonly id: number; readonly token: string }> {
  const now = Date.now()
  const id = await createMerchant(database, {
    slug: `${slug}-${randomUUID().slice(0, 8)}`,
    name: slug,
    providers: readCatalog(CATALOG_FILE).all,
    now,
    funding: { balance: '1000000000', newKey: () => paymentKeyFrom(Date.now(), randomBytes(10)) },
  })
  assert.ok(id !== undefined)
  const { token } = await createToken(database, {
    environment: 'sandbox',
    merchantId: id,
    label: slug,
    scopes: ['*'],
    now,
  })
  return { id, token }
}

const caller =
  (port: number) =>
  async (token: string, method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
