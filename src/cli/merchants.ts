import { CATALOG_FILE } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { listMerchants, type MerchantSummary } from '../store/accounts/merchants.ts'
import {
  allowAnyUuid,
  createMerchantIn,
  suspendMerchant,
} from '../usecases/accounts/manage-merchants.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  switchOf,
  table,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { changeByCommand, recordCommand } from './recorded.ts'

const SERVED_BY_ACCOUNTS =
  'Its payments are accepted for the providers that an operator account serves: see malipo ' +
  'operator list.'

/** Accounts of merchants. */
export const MERCHANT_COMMANDS: readonly Command[] = [
  {
    name: 'merchant create',
    summary: 'Create a merchant with empty wallets, enabled for every provider of the catalogue',
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
        const id = await database.inTransaction(async (tx) => {
          const made = await createMerchantIn(tx, { slug, name, providers, now: Date.now() })
          const change = { action: 'merchant created', object: slug, after: { name } }
          if (made !== undefined) await recordCommand(tx, { ...change, merchantId: made })
          return made
        })
        if (id === undefined) throw new CommandProblem(`The short name "${slug}" is taken.`)
        const lines = [
          `Merchant ${slug} created.`,
          ...(environment === 'production' ? [SERVED_BY_ACCOUNTS] : []),
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
        const change = {
          merchantId: merchant.id,
          action: lift ? 'merchant active again' : 'merchant suspended',
          object: slug,
        }
        await changeByCommand(database, change, (tx) =>
          suspendMerchant(tx, merchant.id, lift ? undefined : Date.now()),
        )
        const words = lift ? `Merchant ${slug} is active again.` : `Merchant ${slug} is suspended.`
        return print(json, { shortName: slug, suspended: !lift }, words)
      }),
  },
  {
    name: 'merchant identifiers',
    summary: 'Choose which identifiers a merchant may give to its payments',
    arguments: ['short-name'],
    options: {
      'any-uuid': {
        value: 'on or off',
        summary: 'accept UUIDs of every version, or of version 4 only',
      },
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        const merchant = await merchantNamed(database, slug)
        const anyUuid = switchOf('any-uuid', values)
        if (anyUuid === undefined) {
          throw new CommandProblem('Say --any-uuid on, or --any-uuid off.')
        }
        const change = { action: 'identifiers changed', object: slug, after: { anyUuid } }
        await changeByCommand(database, { ...change, merchantId: merchant.id }, (tx) =>
          allowAnyUuid(tx, merchant.id, anyUuid),
        )
        const versions = anyUuid ? 'of every version' : 'version 4'
        const words = `Merchant ${slug} uses UUIDs ${versions} as identifiers.`
        return print(json, { shortName: slug, anyUuid }, words)
      }),
  },
]

const shownMerchant = (merchant: MerchantSummary) => ({
  id: merchant.id,
  shortName: merchant.slug,
  name: merchant.name,
  state: merchant.suspended ? 'suspended' : 'active',
  created: dateText(merchant.createdMs),
})
