import { type LogoType, logoAddress } from '../../domain/hosted/branding.ts'
import { findLogo } from '../../store/accounts/branding.ts'
import type { Context } from '../context.ts'

type ServedLogo = { readonly type: LogoType; readonly bytes: Buffer }

/** A merchant's picture, by the last part of its address. */
export async function openLogo(ctx: Context, file: string): Promise<ServedLogo | undefined> {
  const [hash = ''] = /^[0-9a-f]{32}/.exec(file) ?? []
  const found = hash === '' ? undefined : await findLogo(ctx.db, hash)
  if (found === undefined) return undefined
  return logoAddress({ hash, type: found.type }).endsWith(`/${file}`) ? found : undefined
}
