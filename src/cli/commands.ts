import { ADDRESS_COMMANDS } from './addresses.ts'
import { ARCHIVE_COMMAND } from './archive/archive.ts'
import { STATEMENT_COMMAND } from './archive/statement.ts'
import { CALLBACK_COMMANDS } from './callbacks.ts'
import { CASE_COMMANDS } from './cases.ts'
import type { Command } from './command-kit.ts'
import { COMPANY_SIGN_IN_COMMAND } from './company-sign-in.ts'
import { completionCommand } from './completion.ts'
import { MIGRATE_COMMAND, RESTORED_COMMAND, VERIFY_COMMAND } from './database.ts'
import { DEMO_COMMANDS } from './demo/command.ts'
import { DOCTOR_COMMAND } from './doctor/command.ts'
import { KEY_COMMANDS } from './keys.ts'
import { LISTEN_COMMANDS } from './listen.ts'
import { LOGS_COMMAND } from './logs/command.ts'
import { MCP_COMMAND } from './mcp/command.ts'
import { MERCHANT_COMMANDS } from './merchants.ts'
import { MIGRATION_COMMANDS } from './migration.ts'
import { OPEN_COMMAND } from './open.ts'
import { OPERATOR_COMMANDS } from './operators.ts'
import { PAYMENT_COMMANDS } from './payments.ts'
import { PROVIDER_COMMANDS } from './providers.ts'
import { SANDBOX_COMMAND } from './sandbox.ts'
import { SIGNATURE_COMMANDS } from './signatures.ts'
import { STAND_IN_COMMAND } from './stand-in.ts'
import { START_COMMAND } from './start.ts'
import { TOKEN_COMMANDS } from './tokens.ts'
import { TRIGGER_COMMANDS } from './trigger.ts'
import { USER_COMMANDS } from './users.ts'

/** Every command, in the order in which `malipo --help` lists them. */
export const COMMANDS: readonly Command[] = [
  START_COMMAND,
  SANDBOX_COMMAND,
  OPEN_COMMAND,
  LOGS_COMMAND,
  MIGRATE_COMMAND,
  ...MERCHANT_COMMANDS,
  COMPANY_SIGN_IN_COMMAND,
  ...ADDRESS_COMMANDS,
  ...SIGNATURE_COMMANDS,
  ...TOKEN_COMMANDS,
  ...USER_COMMANDS,
  ...KEY_COMMANDS,
  ...CALLBACK_COMMANDS,
  ...LISTEN_COMMANDS,
  ...TRIGGER_COMMANDS,
  ...DEMO_COMMANDS,
  ...PAYMENT_COMMANDS,
  ...CASE_COMMANDS,
  ...OPERATOR_COMMANDS,
  ...PROVIDER_COMMANDS,
  STAND_IN_COMMAND,
  MCP_COMMAND,
  ...MIGRATION_COMMANDS,
  STATEMENT_COMMAND,
  ARCHIVE_COMMAND,
  DOCTOR_COMMAND,
  RESTORED_COMMAND,
  VERIFY_COMMAND,
  completionCommand(() => COMMANDS),
]
