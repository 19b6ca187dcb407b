import type { Context } from '../context.ts'
import type { LastUses } from './last-uses.ts'
import type { LegacyUsage } from './legacy-usage.ts'
import type { RequestLog } from './request-log.ts'
import type { SignatureChecks } from './signature-checks.ts'
import type { SigningKeys } from './signing-keys.ts'
import type { UsedSignatures } from './used-signatures.ts'

/** What is kept about merchants and their calls besides. */
export type AccountContext = Context & {
  readonly signingKeys: SigningKeys
  readonly legacyUsage: LegacyUsage
  readonly signatureChecks: SignatureChecks
  readonly usedSignatures: UsedSignatures
  readonly lastUses: LastUses
  readonly requestLog: RequestLog
}
