import { text } from 'node:stream/consumers'
import { seal } from '../signing/keys.ts'
import type { MerchantSummary } from '../store/accounts/merchants.ts'
import type { Db } from '../store/engine/database.ts'
import {
  deleteCompanySignIn,
  findCompanySignIn,
  putCompanySignIn,
} from '../store/people/company-sign-in.ts'
import {
  type Command,
  CommandProblem,
  type Given,
  merchantNamed,
  type Opened,
  print,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { recordCommand } from './recorded.ts'

/** The provider with which the people of a merchant sign in. */
export const COMPANY_SIGN_IN_COMMAND: Command = {
  name: 'merchant sign-in',
  summary: 'Let the people of a merchant sign in with an OpenID Connect provider of their own',
  arguments: ['short-name'],
  options: {
    issuer: { value: 'url', summary: 'address of the provider' },
    'client-id': { value: 'text', summary: 'name of this service at the provider' },
    'client-secret-stdin': { summary: 'read the client secret from the standard input' },
    domain: {
      value: 'domain',
      many: true,
      summary: 'e-mails of this domain are led to the provider; repeatable',
    },
    off: { summary: 'remove the provider' },
  },
  run: (given) =>
    withDatabase(async (opened) => {
      const merchant = await merchantNamed(opened.database, given.positionals[0] ?? '')
      if (given.values.off === true) return turnOff(opened, merchant, given)
      return textOf(given.values.issuer) === undefined
        ? show(opened, merchant, given)
        : set(opened, merchant, given)
    }),
}

async function show({ database }: Opened, merchant: MerchantSummary, { json }: Given) {
  const found = await findCompanySignIn(database, merchant.id)
  if (found === undefined) {
    return print(json, { shortName: merchant.slug }, `${merchant.slug} has no provider.`)
  }
  const { issuer, clientId, domains } = found
  const words = `${merchant.slug}: ${issuer} as ${clientId}, for e-mails of ${domains.join(', ')}.`
  return print(json, { shortName: merchant.slug, issuer, clientId, domains }, words)
}

async function turnOff({ database }: Opened, merchant: MerchantSummary, { json }: Given) {
  await database.inTransaction(async (tx) => {
    const wasThere = await deleteCompanySignIn(tx, merchant.id)
    if (wasThere) await record(tx, merchant, 'company sign-in removed')
  })
  return print(json, { shortName: merchant.slug }, `${merchant.slug} has no provider any more.`)
}

async function set(opened: Opened, merchant: MerchantSummary, { values, json }: Given) {
  const { database, config } = opened
  const issuer = issuerOf(textOf(values.issuer) ?? '', opened)
  const clientId = textOf(values['client-id'])
  if (clientId === undefined) throw new CommandProblem('Name the client with --client-id.')
  const domains = domainsOf(values.domain)
  if (values['client-secret-stdin'] !== true) {
    throw new CommandProblem('Give the client secret on the standard input: --client-secret-stdin.')
  }
  const secret = (await text(process.stdin)).trim()
  if (secret === '') throw new CommandProblem('The standard input has no client secret.')
  const sealedClientSecret = seal(config.secretKey, secret)
  const settings = { merchantId: merchant.id, issuer, clientId, sealedClientSecret, domains }
  await database.inTransaction(async (tx) => {
    await putCompanySignIn(tx, settings, Date.now())
    await record(tx, merchant, 'company sign-in set', { issuer, clientId, domains })
  })
  const publicUrl = config.publicUrl ?? `http://127.0.0.1:${config.port}`
  const redirectUrl = `${publicUrl}/sign-in/company/answer`
  const words =
    `People of ${merchant.slug} with e-mails of ${domains.join(', ')} can sign in at ${issuer}.\n` +
    `Register this redirect address there: ${redirectUrl}`
  return print(json, { shortName: merchant.slug, issuer, clientId, domains, redirectUrl }, words)
}

function issuerOf(given: string, { environment }: Opened): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isSafe =
    url?.protocol === 'https:' || (environment === 'sandbox' && url?.protocol === 'http:')
  if (isSafe && url.search === '' && url.hash === '' && url.username === '') return given
  throw new CommandProblem(`"${given}" is not the https address of a provider.`)
}

function domainsOf(given: unknown): readonly string[] {
  const domains = ((Array.isArray(given) ? given : []) as readonly string[]).map((one) =>
    one.trim().toLowerCase(),
  )
  const wrong = domains.find((one) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(one))
  if (wrong !== undefined) {
    throw new CommandProblem(
      `"${wrong}" is not a domain. Use the part after the @, such as acme.com.`,
    )
  }
  if (domains.length > 0) return domains
  throw new CommandProblem('Name the domain of the e-mails with --domain, such as acme.com.')
}

const record = (tx: Db, { id, slug }: MerchantSummary, action: string, after?: object) =>
  recordCommand(tx, { merchantId: id, action, object: slug, after })
