import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** The provider with which the people of a merchant sign in. */
export type CompanySignIn = {
  readonly merchantId: MerchantId
  readonly issuer: string
  readonly clientId: string
  readonly sealedClientSecret: string
  /** E-mails of these domains are led there. */
  readonly domains: readonly string[]
}

const COLUMNS = `merchant_id as "merchantId", issuer, client_id as "clientId",
  sealed_client_secret as "sealedClientSecret", domains`

export async function putCompanySignIn(db: Db, one: CompanySignIn, now: number): Promise<void> {
  await db.query(
    `insert into merchant_sign_ins
       (merchant_id, issuer, client_id, sealed_client_secret, domains, changed_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))
     on conflict (merchant_id) do update set issuer = excluded.issuer,
       client_id = excluded.client_id, sealed_client_secret = excluded.sealed_client_secret,
       domains = excluded.domains, changed_at = excluded.changed_at`,
    [one.merchantId, one.issuer, one.clientId, one.sealedClientSecret, one.domains, now],
  )
}

export async function deleteCompanySignIn(db: Db, merchantId: MerchantId): Promise<boolean> {
  const rows = await db.query('delete from merchant_sign_ins where merchant_id = $1 returning 1', [
    merchantId,
  ])
  return rows.length === 1
}

export async function findCompanySignIn(
  db: Db,
  merchantId: MerchantId,
): Promise<CompanySignIn | undefined> {
  const [row] = await db.query<CompanySignIn>(
    `select ${COLUMNS} from merchant_sign_ins where merchant_id = $1`,
    [merchantId],
  )
  return row
}

/** Several merchants may belong to one company: each is offered. */
export async function listCompanySignIns(
  db: Db,
  domain: string,
): Promise<readonly (CompanySignIn & { readonly slug: string; readonly merchantName: string })[]> {
  return db.query(
    `select ${COLUMNS.replace('merchant_id', 's.merchant_id')}, m.slug, m.name as "merchantName"
     from merchant_sign_ins s join merchants m using (merchant_id)
     where domains @> array[$1::text] order by m.name limit 20`,
    [domain],
  )
}
