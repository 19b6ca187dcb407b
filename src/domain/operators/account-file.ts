import { OPERATION_TYPES, type OperationType } from '../provider.ts'
import {
  type AccountForm,
  type AccountLimits,
  isNeeded,
  type OperatorAccount,
  type SecretField,
  type Secrets,
  servedOperations,
} from './account.ts'

/** An account as a file describes it, before it has an address for callbacks. */
export type DescribedAccount = Omit<OperatorAccount, 'callbackSecret' | 'enabled'> & {
  readonly secrets: Secrets
}

/** What the checks have to know of connectors and providers. */
export type Known = {
  readonly connectors: readonly string[]
  formOf(connector: string): AccountForm | undefined
  /** What the catalogue says of a provider; undefined where it has none of that code. */
  operationsOf(provider: string): readonly OperationType[] | undefined
  /** Why an address range cannot be used; undefined where it can. */
  rangeFault(range: string): string | undefined
}

/** A file that cannot be used; the message names the member and the way out. */
export class AccountProblem extends Error {}

const MEMBERS = ['name', 'connector', 'baseUrl', 'providers', 'priority', 'settings', 'secrets']
const OPTIONAL = ['callbackSources', 'limits']

/** Operators refuse callback addresses that contain one of these, and the name is part of ours. */
export const REFUSED_IN_ADDRESSES = ['mpesa', 'safaricom', 'exec', 'cmd', 'sql', 'query']

export function readAccountFile(content: unknown, known: Known): DescribedAccount {
  const file = objectOf(content, 'the file')
  refuseUnknown(file, [...MEMBERS, ...OPTIONAL], 'the file')
  const missing = MEMBERS.find((member) => file[member] === undefined)
  if (missing !== undefined) throw new AccountProblem(`"${missing}" is missing.`)
  const connector = textOf(file.connector, 'connector')
  const form = known.formOf(connector)
  if (form === undefined) {
    throw new AccountProblem(
      `"connector" is "${connector}". Use one of ${known.connectors.join(', ')}.`,
    )
  }
  const providers = providersOf(file.providers, form, connector, known)
  const served = servedOperations(providers)
  return {
    name: nameOf(file.name),
    connector,
    baseUrl: baseUrlOf(file.baseUrl),
    providers,
    priority: wholeOf(file.priority, 'priority', [0, 1000]),
    settings: settingsOf(file.settings, form, served),
    secrets: secretsOf(file.secrets, form, served),
    callbackSources: sourcesOf(file.callbackSources, known),
    limits: limitsOf(file.limits),
  }
}

function nameOf(value: unknown): string {
  const name = textOf(value, 'name')
  if (!/^[a-z0-9-]{2,24}$/.test(name)) {
    throw new AccountProblem(`"name" is "${name}". Use 2 to 24 of a to z, 0 to 9 and "-".`)
  }
  const refused = REFUSED_IN_ADDRESSES.find((word) => name.includes(word))
  if (refused === undefined) return name
  throw new AccountProblem(
    `"name" contains "${refused}". It becomes part of the callback address, and operators refuse ` +
      'addresses with this word. Use another name.',
  )
}

/** Without a slash at its end, as paths are added to it. */
function baseUrlOf(value: unknown): string {
  const text = textOf(value, 'baseUrl')
  if (!URL.canParse(text)) throw new AccountProblem(`"baseUrl" is "${text}", which is no address.`)
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new AccountProblem(
      `"baseUrl" is "${text}". Use https; http is possible for a loopback address only.`,
    )
  }
  const isPlain = url.search === '' && url.hash === '' && url.username + url.password === ''
  if (isPlain) return (url.origin + url.pathname).replace(/\/+$/, '')
  throw new AccountProblem('"baseUrl" has more than a host and a path. Leave the rest out.')
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

function providersOf(
  value: unknown,
  form: AccountForm,
  connector: string,
  known: Known,
): OperatorAccount['providers'] {
  const entries = Object.entries(objectOf(value, '"providers"'))
  if (entries.length === 0) throw new AccountProblem('"providers" names none.')
  return Object.fromEntries(
    entries.map(([provider, operations]) => {
      const offered = known.operationsOf(provider)
      if (offered === undefined) {
        throw new AccountProblem(`"providers" names "${provider}", which is not in the catalogue.`)
      }
      return [provider, operationsOf(operations, { provider, offered, form, connector })]
    }),
  )
}

type Asked = {
  readonly provider: string
  readonly offered: readonly OperationType[]
  readonly form: AccountForm
  readonly connector: string
}

function operationsOf(
  value: unknown,
  { provider, offered, form, connector }: Asked,
): readonly OperationType[] {
  if (!Array.isArray(value) || value.length === 0) {
    throw new AccountProblem(`"providers.${provider}" must be a list with at least one operation.`)
  }
  const operations = value.map((one: unknown) => {
    const operation = OPERATION_TYPES.find((known) => known === one)
    if (operation !== undefined) return operation
    throw new AccountProblem(
      `"providers.${provider}" lists ${JSON.stringify(one)}. Use ${OPERATION_TYPES.join(', ')}.`,
    )
  })
  for (const operation of operations) {
    if (!form.operations.includes(operation)) {
      throw new AccountProblem(
        `"providers.${provider}" lists ${operation}, which the connector ${connector} does not have.`,
      )
    }
    if (!offered.includes(operation)) {
      throw new AccountProblem(
        `"providers.${provider}" lists ${operation}, which the catalogue does not have for it.`,
      )
    }
  }
  return [...new Set(operations)]
}

function settingsOf(
  value: unknown,
  form: AccountForm,
  served: readonly OperationType[],
): Readonly<Record<string, string>> {
  const given = objectOf(value, '"settings"')
  refuseUnknown(given, Object.keys(form.settings), '"settings"')
  const settings: Record<string, string> = {}
  for (const [name, field] of Object.entries(form.settings)) {
    const member = `settings.${name}`
    // Short codes are digits, so people write them as numbers.
    const one = typeof given[name] === 'number' ? String(given[name]) : given[name]
    if (one === undefined) {
      if (isNeeded(field, served)) throw new AccountProblem(`"${member}" is missing.`)
      continue
    }
    const text = textOf(one, member)
    if (field.oneOf !== undefined && !field.oneOf.includes(text)) {
      throw new AccountProblem(`"${member}" is "${text}". Use ${field.oneOf.join(', ')}.`)
    }
    if (field.form !== undefined && !field.form.pattern.test(text)) {
      throw new AccountProblem(`"${member}" is "${text}". Use ${field.form.words}.`)
    }
    settings[name] = text
  }
  return settings
}

/** No message repeats a secret. */
function secretsOf(value: unknown, form: AccountForm, served: readonly OperationType[]): Secrets {
  const given = objectOf(value, '"secrets"')
  refuseUnknown(given, Object.keys(form.secrets), '"secrets"')
  const secrets: Record<string, Secrets[string]> = {}
  for (const [name, field] of Object.entries(form.secrets)) {
    const one = given[name]
    if (one !== undefined) secrets[name] = secretOf(one, `secrets.${name}`, field)
    else if (isNeeded(field, served)) {
      const use =
        typeof field.needed === 'boolean' ? '' : ` It is needed for ${field.needed.join(', ')}.`
      throw new AccountProblem(`"secrets.${name}" is missing.${use}`)
    }
  }
  return secrets
}

function secretOf(value: unknown, member: string, field: SecretField): Secrets[string] {
  if (field.members === undefined) {
    const text = textOf(value, member)
    if (field.form === undefined || field.form.pattern.test(text)) return text
    throw new AccountProblem(`"${member}" must be ${field.form.words}.`)
  }
  const given = objectOf(value, `"${member}"`)
  refuseUnknown(given, field.members, `"${member}"`)
  return Object.fromEntries(
    field.members.map((name) => [name, textOf(given[name], `${member}.${name}`)]),
  )
}

function sourcesOf(value: unknown, { rangeFault }: Known): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new AccountProblem('"callbackSources" must be a list.')
  return value.map((one: unknown) => {
    const range = textOf(one, 'callbackSources')
    const fault = rangeFault(range)
    if (fault === undefined) return range
    throw new AccountProblem(`"callbackSources" lists "${range}": ${fault}.`)
  })
}

function limitsOf(value: unknown): AccountLimits {
  if (value === undefined) return {}
  const given = objectOf(value, '"limits"')
  refuseUnknown(given, ['atOnce', 'perSecond'], '"limits"')
  const limit = (name: 'atOnce' | 'perSecond'): AccountLimits =>
    given[name] === undefined ? {} : { [name]: wholeOf(given[name], `limits.${name}`, [1, 10_000]) }
  return { ...limit('atOnce'), ...limit('perSecond') }
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new AccountProblem(`${what} must be a JSON object.`)
}

function refuseUnknown(
  given: Readonly<Record<string, unknown>>,
  members: readonly string[],
  what: string,
): void {
  const unknown = Object.keys(given).find((name) => !members.includes(name))
  if (unknown === undefined) return
  const list = members.length === 0 ? 'It takes none.' : `It takes ${members.join(', ')}.`
  throw new AccountProblem(`${what} has the member "${unknown}", which does not exist. ${list}`)
}

function textOf(value: unknown, member: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value.trim()
  throw new AccountProblem(
    value === undefined ? `"${member}" is missing.` : `"${member}" must be a text.`,
  )
}

function wholeOf(value: unknown, member: string, [least, most]: readonly [number, number]): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
    return value
  }
  throw new AccountProblem(`"${member}" must be a whole number from ${least} to ${most}.`)
}
