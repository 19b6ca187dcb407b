import type { Branding, LogoType, ShownLogo } from '../../domain/hosted/branding.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Of a merchant `m`, without the picture itself. */
export const BRANDING_OF_MERCHANT = `
  select jsonb_strip_nulls(jsonb_build_object(
    'displayName', b.display_name, 'accent', b.accent, 'accentDark', b.accent_dark,
    'support', b.support, 'language', b.language,
    'logo', case when b.logo_hash is not null then jsonb_build_object('hash', b.logo_hash,
      'type', b.logo_type, 'width', b.logo_width, 'height', b.logo_height) end))
  from branding b where b.merchant_id = m.merchant_id`

/** Those who change the settings of one merchant take turns, until the end of the transaction. */
export async function lockMerchant(tx: Db, merchantId: MerchantId): Promise<void> {
  await tx.query('select from merchants where merchant_id = $1 for no key update', [merchantId])
}

export type NewLogo = ShownLogo & { readonly bytes: Uint8Array }

/** In place of what there was; `logo` undefined leaves the picture as it is. */
export async function putBranding(
  tx: Db,
  merchantId: MerchantId,
  branding: Omit<Branding, 'logo'>,
  logo: NewLogo | 'NONE' | undefined,
): Promise<void> {
  const { displayName, accent, accentDark, support, language } = branding
  await tx.query(
    `insert into branding (merchant_id, display_name, accent, accent_dark, support, language)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id) do update
     set display_name = excluded.display_name, accent = excluded.accent,
         accent_dark = excluded.accent_dark, support = excluded.support,
         language = excluded.language`,
    [
      merchantId,
      displayName ?? null,
      accent ?? null,
      accentDark ?? null,
      support ?? null,
      language ?? null,
    ],
  )
  if (logo === undefined) return
  const picture = logo === 'NONE' ? undefined : logo
  await tx.query(
    `update branding set logo = $2, logo_type = $3, logo_hash = $4, logo_width = $5,
       logo_height = $6 where merchant_id = $1`,
    [
      merchantId,
      picture === undefined ? null : Buffer.from(picture.bytes),
      picture?.type ?? null,
      picture?.hash ?? null,
      picture?.width ?? null,
      picture?.height ?? null,
    ],
  )
}

/** The picture of that name, of whichever merchant. */
export async function findLogo(
  db: Db,
  hash: string,
): Promise<{ readonly type: LogoType; readonly bytes: Buffer } | undefined> {
  const [row] = await db.query<{ type: LogoType; bytes: Buffer }>(
    'select logo_type as type, logo as bytes from branding where logo_hash = $1 limit 1',
    [hash],
  )
  return row
}
