import { isScope, SCOPES, type Scope } from '../domain/accounts/token.ts'
import { banner, bannerJson } from '../node/banner.ts'
import { readConfig } from '../node/config.ts'
import { start } from '../node/start.ts'
import { CATALOG_FILE, MIGRATIONS_FOLDER } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { listMerchants, type MerchantSummary } from '../store/accounts/merchants.ts'
import { listTokens } from '../store/accounts/tokens.ts'
import { markRestored } from '../store/cluster/lineage.ts'
import { nodesAtWork } from '../store/cluster/nodes.ts'
import { migrate } from '../store/engine/migrate.ts'
import { createMerchant, suspendMerchant } from '../usecases/accounts/manage-merchants.ts'
import { createToken, revokeToken } from '../usecases/accounts/manage-tokens.ts'
import { verifyBooks } from '../usecases/accounts/verify-books.ts'
import { ADDRESS_COMMANDS } from './addresses.ts'
import { CALLBACK_COMMANDS } from './callbacks.ts'
import { CASE_COMMANDS } from './cases.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  table,
  textOf,
  withConnection,
  withDatabase,
} from './command-kit.ts'
import { KEY_COMMANDS } from './keys.ts'
import { LISTEN_COMMANDS } from './listen.ts'
import { MIGRATION_COMMANDS } from './migration.ts'
import { SIGNATURE_COMMANDS } from './signatures.ts'
import { TRIGGER_COMMANDS } from './trigger.ts'

/** True of every merchant until `node/provider-set.ts` has a connector for production. */
const NOTHING_REACHED =
  'No provider can be reached in production yet: connectors to operators are not part of this ' +
  'version, so payments and hosted pages are refused.'

export const COMMANDS: readonly Command[] = [
  {
    name: 'start',
    summary: 'Start a node: HTTP server and workers, with the embedded database by default',
    options: {},
    run: async ({ json }) => {
      await start(readConfig(process.env), json ? bannerJson : banner)
      return 0
    },
  },
  {
    name: 'migrate',
    summary: 'Bring the database schema up to date and stop',
    options: {},
    run: ({ json }) =>
      withConnection('make', async ({ database }) => {
        const report = await migrate(database, MIGRATIONS_FOLDER)
        const words =
          report.applied.length === 0 ? 'nothing to do' : `applied ${report.applied.join(', ')}`
        return print(json, report, `Schema version ${report.version}: ${words}.`)
      }),
  },
  {
    name: 'merchant create',
    summary:
      'Create a merchant with empty wallets, enabled for every provider that a node can reach',
    arguments: ['short-name'],
    options: { name: { value: 'text', summary: 'company name; the short name by default' } },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database, environment }) => {
        if (!/^[a-z0-9][a-z0-9-]{1,40}$/.test(slug)) {
          throw new CommandProblem(
            'A short name has 2 to 41 lower-case letters, digits and hyphens, such as "acme".',
          )
        }
        const name = textOf(values.name) ?? slug
        const providers = readCatalog(CATALOG_FILE).all
        const id = await createMerchant(database, { slug, name, providers, now: Date.now() })
        if (id === undefined) throw new CommandProblem(`The short name "${slug}" is taken.`)
        const lines = [
          `Merchant ${slug} created.`,
          ...(environment === 'production' ? [NOTHING_REACHED] : []),
          `Next: malipo token create ${slug}`,
        ]
        return print(json, { id, shortName: slug, name }, lines.join('\n'))
      }),
  },
  {
    name: 'merchant list',
    summary: 'List all merchants',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const merchants = (await listMerchants(database)).map(shownMerchant)
        return print(json, merchants, table(merchants))
      }),
  },
  {
    name: 'merchant suspend',
    summary: 'Suspend a merchant: its tokens are refused until --lift',
    arguments: ['short-name'],
    options: { lift: { summary: 'end the suspension' } },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        const merchant = await merchantNamed(database, slug)
        const lift = values.lift === true
        await suspendMerchant(database, merchant.id, lift ? undefined : Date.now())
        const words = lift ? `Merchant ${slug} is active again.` : `Merchant ${slug} is suspended.`
        return print(json, { shortName: slug, suspended: !lift }, words)
      }),
  },
  ...ADDRESS_COMMANDS,
  ...SIGNATURE_COMMANDS,
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
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database, environment }) => {
        const merchant = await merchantNamed(database, slug)
        const scopes = scopesOf(values.scope)
        const label = textOf(values.label) ?? 'created by command'
        const made = await createToken(database, {
          environment,
          merchantId: merchant.id,
          label,
          scopes,
          now: Date.now(),
        })
        const words = `${made.token}\n\nKeep it now: only its hash is stored. Token id ${made.tokenId}.`
        return print(json, { ...made, merchant: slug, label, scopes }, words)
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
          revoked: token.revokedMs === null ? null : dateText(token.revokedMs),
        }))
        const shown = tokens.map((token) => ({
          ...token,
          scopes: token.scopes.join(' '),
          revoked: token.revoked ?? '',
        }))
        return print(json, tokens, table(shown))
      }),
  },
  {
    name: 'token revoke',
    summary: 'Revoke an API token; every node refuses it within a second',
    arguments: ['token-id'],
    options: {},
    run: ({ positionals: [tokenId = ''], json }) =>
      withDatabase(async ({ database }) => {
        if (!(await revokeToken(database, tokenId, Date.now()))) {
          throw new CommandProblem(
            `There is no active token "${tokenId}". See malipo token list for the ids.`,
          )
        }
        return print(json, { tokenId, revoked: true }, `Token ${tokenId} is revoked.`)
      }),
  },
  ...KEY_COMMANDS,
  ...CALLBACK_COMMANDS,
  ...LISTEN_COMMANDS,
  ...TRIGGER_COMMANDS,
  ...CASE_COMMANDS,
  ...MIGRATION_COMMANDS,
  {
    name: 'restored',
    summary: 'Say that the database was restored from a backup; before the first node starts',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const atWork = await nodesAtWork(database)
        if (atWork.length > 0) {
          throw new CommandProblem(
            `A node is at work on this database: ${atWork.join('; ')}. Stop all nodes first.`,
          )
        }
        const unsent = await markRestored(database)
        const words = `${unsentWords(unsent)} Start the nodes now.`
        return print(json, { paymentsLookedUpFirst: unsent }, words)
      }),
  },
  {
    name: 'verify',
    summary: 'Recompute every balance from transfers and check every invariant',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const results = await verifyBooks(database, (done, of, { name, findings }) => {
          if (json) return
          const verdict = findings.length === 0 ? 'ok' : `${findings.length} FOUND`
          process.stdout.write(`  [${done}/${of}] ${name}: ${verdict}\n`)
          for (const { merchant, subject, finding } of findings) {
            process.stdout.write(`        merchant ${merchant}, ${subject}: ${finding}\n`)
          }
        })
        const count = results.reduce((sum, { findings }) => sum + findings.length, 0)
        const words = count === 0 ? 'The books are in order.' : `${count} findings: see above.`
        print(json, { ok: count === 0, checks: results }, words)
        return count === 0 ? 0 : 3
      }),
  },
]

function unsentWords(count: number): string {
  if (count === 0) return 'No payment waits to be sent.'
  const subject =
    count === 1 ? '1 payment waits to be sent. It is' : `${count} payments wait to be sent. Each is`
  return (
    `${subject} looked up at its operator first, because it may have been sent in the time that ` +
    'is lost.'
  )
}

function scopesOf(given: unknown): readonly Scope[] {
  const texts = (Array.isArray(given) ? given : []) as readonly string[]
  if (texts.length === 0) return ['*']
  return texts.map((text) => {
    if (isScope(text)) return text
    throw new CommandProblem(`"${text}" is not a scope. Scopes are ${SCOPES.join(', ')}.`)
  })
}

const shownMerchant = (merchant: MerchantSummary) => ({
  id: merchant.id,
  shortName: merchant.slug,
  name: merchant.name,
  state: merchant.suspended ? 'suspended' : 'active',
  created: dateText(merchant.createdMs),
})
