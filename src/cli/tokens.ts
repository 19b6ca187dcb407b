import { isScope, SCOPES, type Scope } from '../domain/accounts/token.ts'
import { findMerchantBySlug } from '../store/accounts/merchants.ts'
import { listTokens } from '../store/accounts/tokens.ts'
import type { Database } from '../store/engine/database.ts'
import {
  newTokenId,
  newTokenText,
  revokeTokenIn,
  storeToken,
} from '../usecases/accounts/manage-tokens.ts'
import { COMMAND_LINE } from '../usecases/people/manage-users.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  noneOf,
  print,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { timeOf } from './option-values.ts'
import { changeByCommand, recordCommand } from './recorded.ts'

/** API tokens of merchants. */
export const TOKEN_COMMANDS: readonly Command[] = [
  {
    name: 'token create',
    summary: 'Create an API token; its text is shown this once',
    arguments: ['merchant'],
    options: {
      scope: {
        value: 'scope',
        many: true,
        summary: `what it may do, repeatable: ${SCOPES.join(', ')} (default *)`,
      },
      label: { value: 'text', summary: 'what it is for' },
      expires: { value: 'time', summary: 'when it ends, such as 2027-01-31; never by default' },
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database, environment }) => {
        const merchant = await merchantNamed(database, slug)
        const scopes = scopesOf(values.scope)
        const label = textOf(values.label) ?? 'created by command'
        const expiresMs = futureTimeOf(values.expires)
        const token = newTokenText(environment)
        const tokenId = newTokenId()
        const expires = expiresMs === undefined ? null : dateText(expiresMs)
        const change = {
          ...{ merchantId: merchant.id, action: 'token created', object: tokenId },
          after: { label, scopes, expires },
        }
        await changeByCommand(database, change, (tx) =>
          storeToken(tx, {
            ...{ merchantId: merchant.id, token, tokenId, label, scopes, expiresMs },
            createdBy: COMMAND_LINE.email,
            now: Date.now(),
          }),
        )
        const made = { tokenId, token }
        const words = `${made.token}\n\nKeep it now: only its hash is stored. Token id ${made.tokenId}.`
        return print(json, { ...made, merchant: slug, label, scopes, expires }, words)
      }),
  },
  {
    name: 'token list',
    summary: 'List API tokens, of one merchant or of all',
    options: { merchant: { value: 'short-name', summary: 'only of this merchant' } },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const slug = textOf(values.merchant)
        const merchant = slug === undefined ? undefined : await merchantNamed(database, slug)
        const tokens = (await listTokens(database, merchant?.id)).map((token) => ({
          tokenId: token.tokenId,
          merchant: token.merchant,
          label: token.label,
          scopes: token.scopes,
          created: dateText(token.createdMs),
          expires: dateOrNone(token.expiresMs),
          lastUsed: dateOrNone(token.lastUsedMs),
          revoked: dateOrNone(token.revokedMs),
        }))
        const shown = tokens.map((token) => ({
          ...token,
          scopes: token.scopes.join(' '),
          expires: token.expires ?? '',
          lastUsed: token.lastUsed ?? '',
          revoked: token.revoked ?? '',
        }))
        return print(json, tokens, table(shown, noneOf('token', slug)))
      }),
  },
  {
    name: 'token revoke',
    summary: 'Revoke an API token; every node refuses it within a second',
    arguments: ['token-id'],
    options: {},
    run: ({ positionals: [tokenId = ''], json }) =>
      withDatabase(async ({ database }) => {
        if (!(await revoke(database, tokenId))) {
          throw new CommandProblem(
            `There is no active token "${tokenId}". See malipo token list for the ids.`,
          )
        }
        return print(json, { tokenId, revoked: true }, `Token ${tokenId} is revoked.`)
      }),
  },
]

const revoke = (database: Database, tokenId: string): Promise<boolean> =>
  database.inTransaction(async (tx) => {
    const token = (await listTokens(tx, undefined)).find((one) => one.tokenId === tokenId)
    const merchant = token && (await findMerchantBySlug(tx, token.merchant))
    if (merchant === undefined || !(await revokeTokenIn(tx, { tokenId }, Date.now()))) return false
    const change = { action: 'token revoked', object: tokenId, before: { label: token?.label } }
    await recordCommand(tx, { ...change, merchantId: merchant.id })
    return true
  })

const dateOrNone = (ms: number | null): string | null => (ms === null ? null : dateText(ms))

function futureTimeOf(value: unknown): number | undefined {
  const ms = timeOf(value, 'expires')
  if (ms === undefined || ms > Date.now()) return ms
  throw new CommandProblem(`--expires is "${textOf(value)}", which has passed.`)
}

function scopesOf(given: unknown): readonly Scope[] {
  const texts = (Array.isArray(given) ? given : []) as readonly string[]
  if (texts.length === 0) return ['*']
  return texts.map((text) => {
    if (isScope(text)) return text
    throw new CommandProblem(`"${text}" is not a scope. Scopes are ${SCOPES.join(', ')}.`)
  })
}
