import {
  type CallbackKind,
  type CallbackState,
  defaultCustomerMessage,
  type Merchant,
  type PhoneStory,
  type SignatureSettings,
} from '../../domain/accounts/merchant.ts'
import type { Branding } from '../../domain/hosted/branding.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Availability, OperationType } from '../../domain/provider.ts'
import { liftPause } from '../callbacks/endpoints.ts'
import type { Db } from '../engine/database.ts'
import { AVAILABILITY_OF_MERCHANT } from '../operators/health.ts'
import { PHONE_STORIES_OF_MERCHANT } from '../sandbox/phones.ts'
import { BRANDING_OF_MERCHANT } from './branding.ts'

/** Merchants and their settings, read whole: a request needs all of it and it is cached. */
type MerchantRow = {
  readonly merchant_id: number
  readonly slug: string
  readonly name: string
  readonly suspended: boolean
  readonly any_uuid: boolean
  readonly signed_requests_only: boolean
  readonly max_signature_age: number | null
  readonly cover_authority: boolean
  readonly own_key_id: boolean
  readonly return_schemes: readonly string[]
  readonly branding: Branding
  readonly signed_callbacks: boolean
  readonly ecdsa_encoding: 'DER' | 'RAW'
  readonly public_keys: Record<string, string>
  readonly callback_urls: Partial<Record<CallbackKind, string>>
  readonly callback_states: Partial<Record<CallbackKind, CallbackState>>
  readonly has_listener: boolean
  readonly receiver_fails: boolean
  readonly providers: Record<string, readonly OperationType[]>
  readonly availability: Record<string, Availability>
  readonly provider_wallets: readonly string[]
  readonly phone_stories: Record<string, PhoneStory>
}

export async function findMerchant(db: Db, id: MerchantId): Promise<Merchant | undefined> {
  const [row] = await db.query<MerchantRow>(FIND, [id], 'find-merchant')
  if (row === undefined) return undefined
  return {
    id: row.merchant_id as MerchantId,
    slug: row.slug,
    name: row.name,
    suspended: row.suspended,
    anyUuid: row.any_uuid,
    callbackUrls: row.callback_urls,
    signedRequestsOnly: row.signed_requests_only,
    maxSignatureAge: row.max_signature_age ?? undefined,
    coverAuthority: row.cover_authority,
    publicKeys: new Map(Object.entries(row.public_keys)),
    callbackStates: row.callback_states,
    hasListener: row.has_listener,
    receiverFails: row.receiver_fails,
    signedCallbacks: row.signed_callbacks,
    ecdsaEncoding: row.ecdsa_encoding,
    ownKeyId: row.own_key_id,
    returnSchemes: row.return_schemes,
    branding: row.branding,
    providers: new Map(
      Object.entries(row.providers).map(([code, operations]) => [code, new Set(operations)]),
    ),
    availability: new Map(Object.entries(row.availability)),
    providerWallets: new Set(row.provider_wallets),
    customerMessage: defaultCustomerMessage(row.name),
    phoneStories: new Map(Object.entries(row.phone_stories)),
  }
}

const FIND = `
select m.merchant_id, m.slug, m.name, m.suspended_at is not null as suspended,
  m.any_uuid, m.signed_requests_only, m.max_signature_age, m.cover_authority, m.signed_callbacks,
  m.ecdsa_encoding, m.own_key_id, m.return_schemes, m.receiver_fails,
  coalesce((${BRANDING_OF_MERCHANT}), '{}') as branding,
  coalesce((select jsonb_object_agg(key_id, public_key) from merchant_keys k
            where k.merchant_id = m.merchant_id), '{}') as public_keys,
  coalesce((select jsonb_object_agg(kind, url) from callback_urls c
            where c.merchant_id = m.merchant_id), '{}') as callback_urls,
  coalesce((select jsonb_object_agg(kind, jsonb_build_object(
              'saves', saves, 'pausedMs', extract(epoch from paused_at) * 1000))
            from callback_urls c where c.merchant_id = m.merchant_id), '{}') as callback_states,
  exists (select from listeners l where l.merchant_id = m.merchant_id) as has_listener,
  coalesce((select jsonb_object_agg(provider, operations) from merchant_providers p
            where p.merchant_id = m.merchant_id), '{}') as providers,
  coalesce((select jsonb_object_agg(provider || '/' || operation, status)
            from (${AVAILABILITY_OF_MERCHANT}) a), '{}') as availability,
  array(select account from accounts w where w.merchant_id = m.merchant_id and w.type = 'wallet'
        and w.provider is not null) as provider_wallets,
  coalesce((${PHONE_STORIES_OF_MERCHANT}), '{}') as phone_stories
from merchants m where m.merchant_id = $1`

export type MerchantSummary = {
  readonly id: MerchantId
  readonly slug: string
  readonly name: string
  readonly suspended: boolean
  readonly createdMs: number
}

const SUMMARY = `merchant_id as id, slug, name, suspended_at is not null as suspended,
  (extract(epoch from created_at) * 1000)::float8 as "createdMs"`

export async function listMerchants(db: Db): Promise<readonly MerchantSummary[]> {
  return db.query<MerchantSummary>(`select ${SUMMARY} from merchants order by merchant_id`)
}

export async function findMerchantBySlug(
  db: Db,
  slug: string,
): Promise<MerchantSummary | undefined> {
  const [row] = await db.query<MerchantSummary>(
    `select ${SUMMARY} from merchants where slug = $1`,
    [slug],
  )
  return row
}

/** Undefined when the short name is taken. */
export async function insertMerchant(
  db: Db,
  merchant: { slug: string; name: string; now: number },
): Promise<MerchantId | undefined> {
  const rows = await db.query<{ merchant_id: MerchantId }>(
    `insert into merchants (slug, name, created_at)
     values ($1, $2, to_timestamp($3::float8 / 1000)) on conflict (slug) do nothing
     returning merchant_id`,
    [merchant.slug, merchant.name, merchant.now],
  )
  return rows[0]?.merchant_id
}

export async function setSuspended(
  db: Db,
  id: MerchantId,
  suspendedAt: number | undefined,
): Promise<void> {
  await db.query(
    'update merchants set suspended_at = to_timestamp($2::float8 / 1000) where merchant_id = $1',
    [id, suspendedAt ?? null],
  )
}

export async function setAnyUuid(db: Db, id: MerchantId, anyUuid: boolean): Promise<void> {
  await db.query('update merchants set any_uuid = $2 where merchant_id = $1', [id, anyUuid])
}

/** What is undefined stays as it is. */
export async function setSignatureSettings(
  db: Db,
  id: MerchantId,
  settings: SignatureSettings,
): Promise<void> {
  await db.query(
    `update merchants set
       signed_requests_only = coalesce($2, signed_requests_only),
       max_signature_age = nullif(coalesce($3, max_signature_age), 0),
       cover_authority = coalesce($4, cover_authority),
       signed_callbacks = coalesce($5, signed_callbacks),
       ecdsa_encoding = coalesce($6, ecdsa_encoding),
       own_key_id = coalesce($7, own_key_id)
     where merchant_id = $1`,
    [
      id,
      settings.signedRequestsOnly ?? null,
      settings.maxSignatureAge ?? null,
      settings.coverAuthority ?? null,
      settings.signedCallbacks ?? null,
      settings.ecdsaEncoding ?? null,
      settings.ownKeyId ?? null,
    ],
  )
}

export async function setReturnSchemes(
  db: Db,
  id: MerchantId,
  schemes: readonly string[],
): Promise<void> {
  await db.query('update merchants set return_schemes = $2 where merchant_id = $1', [id, schemes])
}

export async function enableProvider(
  db: Db,
  id: MerchantId,
  provider: string,
  operations: readonly OperationType[],
): Promise<void> {
  await db.query(
    `insert into merchant_providers (merchant_id, provider, operations) values ($1, $2, $3)
     on conflict (merchant_id, provider) do update set operations = excluded.operations`,
    [id, provider, operations],
  )
}

/**
 * Undefined as url removes the address: nothing is sent for that kind any more. Saving an address
 * ends the pause of that endpoint, also for the other kinds that are sent to it.
 */
export async function setCallbackUrl(
  db: Db,
  id: MerchantId,
  kind: CallbackKind,
  url: string | undefined,
): Promise<void> {
  if (url === undefined) {
    await db.query('delete from callback_urls where merchant_id = $1 and kind = $2', [id, kind])
    return
  }
  await db.query(
    `insert into callback_urls (merchant_id, kind, url) values ($1, $2, $3)
     on conflict (merchant_id, kind) do update
     set url = excluded.url, saves = callback_urls.saves + 1, last_success_at =
       case when callback_urls.url = excluded.url then callback_urls.last_success_at end`,
    [id, kind, url],
  )
  await liftPause(db, id, url)
}

/** Sandbox: the merchant's own switch, with since when and what was before. */
export async function setAvailability(
  db: Db,
  id: MerchantId,
  entry: { provider: string; operation: OperationType; status: Availability },
  now: number,
): Promise<void> {
  await db.query(
    `with switched as (
       insert into provider_availability as a (merchant_id, provider, operation, status, since)
       values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))
       on conflict (merchant_id, provider, operation) do update set status = excluded.status,
         since = case when a.status = excluded.status then a.since else excluded.since end
       returning merchant_id, provider, operation, status, since
     )
     insert into provider_health_history
       (merchant_id, provider, operation, decided_by, status, reason, at)
     select merchant_id, provider, operation, 'MERCHANT', status, '', since from switched
     where since = to_timestamp($5::float8 / 1000)`,
    [id, entry.provider, entry.operation, entry.status, now],
  )
}
