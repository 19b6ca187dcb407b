import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { ENVIRONMENTS, type Environment } from '../domain/accounts/token.ts'
import { serversIn } from '../store/engine/servers.ts'
import { rangeFault } from '../usecases/operators/address-ranges.ts'
import { readTraceSettings, TRACE_VARIABLES, type TraceSettings } from './trace-settings.ts'
import { unknownSettings } from './unknown-settings.ts'

/** Everything that can be set from outside, and the only place that reads it. */
export type Config = {
  readonly port: number
  readonly host: string
  readonly maxConnections: number
  readonly databaseUrl: string | undefined
  readonly databaseConnections: number
  readonly databaseTimeoutMs: number
  readonly dataDir: string
  readonly environment: Environment
  readonly publicUrl: string | undefined
  readonly trustedProxies: readonly string[]
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly sandboxToken: string | undefined
  readonly sandboxCallbackUrl: string | undefined
  readonly sandboxDelayMs: number
  /** The waits of nodes are multiplied by it; for tests. */
  readonly timeScale: number
  readonly secretKey: string
  readonly metricsToken: string | undefined
  readonly logLevel: LogLevel
  /** Absent: no traces. */
  readonly traces: TraceSettings | undefined
  /** NODE_ENV says production and MALIPO_ENV says nothing: this is a sandbox all the same. */
  readonly isNodeEnvIgnored: boolean
}

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Each variable with one sentence; `docs/configuration.md` is this table. */
export const VARIABLES: Readonly<Record<string, string>> = {
  PORT: 'Port to listen on; 8080 by default, 0 picks a free one.',
  MALIPO_HOST: 'Address to listen on; 127.0.0.1 by default, 0.0.0.0 for every network.',
  MALIPO_MAX_CONNECTIONS: 'Connections of clients at most; 10000 by default.',
  MALIPO_ENV: 'sandbox (default) or production; a database belongs to one of them for good.',
  MALIPO_PUBLIC_URL: 'Base of the links handed out; http://127.0.0.1:PORT by default.',
  MALIPO_TRUSTED_PROXIES:
    'Addresses or ranges of proxies whose X-Forwarded-For counts, with commas; none by default.',
  MALIPO_SMTP_URL:
    'Server that sends mail, such as smtps://user:password@mail.example.com; none by default.',
  MALIPO_MAIL_FROM:
    'Sender of mail, such as Malipo <malipo@example.com>; required with the server.',
  DATABASE_URL:
    'An existing PostgreSQL 15 or newer, one server or several; absent, an embedded one is started.',
  MALIPO_DB_CONNECTIONS: 'Connections to the database at most; 12 by default.',
  MALIPO_DB_TIMEOUT_MS: 'Milliseconds that the database has for one statement; 15000 by default.',
  MALIPO_DATA_DIR: 'Folder of the embedded database; ./data by default.',
  MALIPO_SECRET_KEY:
    'Seals what is stored secretly, at least 32 characters; required in production.',
  MALIPO_SECRET_KEY_FILE: 'A file that holds this key, instead of the variable.',
  MALIPO_METRICS_TOKEN: 'Bearer token for /metrics; without it only loopback may read them.',
  MALIPO_LOG_LEVEL: 'debug, info (default), warn, error or silent.',
  MALIPO_SANDBOX_TOKEN:
    "Sandbox: the demo merchant's API token, at least 20 characters; random by default.",
  MALIPO_SANDBOX_CALLBACK_URL: 'Sandbox: sets all callback addresses of the demo merchant.',
  MALIPO_SANDBOX_DELAY_MS: 'Sandbox: how long the simulated operator takes; 1000 by default.',
  MALIPO_SANDBOX_TIME_SCALE:
    'Sandbox, for tests: scales the waits of nodes, 0.01 to 1 (default); the same on all nodes.',
  ...TRACE_VARIABLES,
}

const SANDBOX_SECRET = 'malipo sandbox, not a secret, for test money only'

/** A setting that cannot be used; the message names the variable and the way out. */
export class ConfigProblem extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`)
    this.name = 'ConfigProblem'
  }
}

export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  refuseUnknown(env)
  const environment = oneOf('MALIPO_ENV', text('MALIPO_ENV') ?? 'sandbox', ENVIRONMENTS)
  refuseSandboxSettings(environment, text)
  const dataDir = text('MALIPO_DATA_DIR') ?? './data'
  const config: Config = {
    port: whole('PORT', text('PORT') ?? '8080', [0, 65_535]),
    host: text('MALIPO_HOST') ?? '127.0.0.1',
    maxConnections: whole(
      'MALIPO_MAX_CONNECTIONS',
      text('MALIPO_MAX_CONNECTIONS') ?? '10000',
      [100, 1_000_000],
    ),
    databaseUrl: databaseAddress('DATABASE_URL', text('DATABASE_URL')),
    databaseConnections: whole(
      'MALIPO_DB_CONNECTIONS',
      text('MALIPO_DB_CONNECTIONS') ?? '12',
      [4, 1000],
    ),
    databaseTimeoutMs: whole(
      'MALIPO_DB_TIMEOUT_MS',
      text('MALIPO_DB_TIMEOUT_MS') ?? '15000',
      [1000, 600_000],
    ),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    environment,
    publicUrl: publicAddress('MALIPO_PUBLIC_URL', text('MALIPO_PUBLIC_URL')),
    trustedProxies: ranges('MALIPO_TRUSTED_PROXIES', text('MALIPO_TRUSTED_PROXIES')),
    smtpUrl: mailServer('MALIPO_SMTP_URL', text('MALIPO_SMTP_URL')),
    mailFrom: text('MALIPO_MAIL_FROM'),
    sandboxToken: text('MALIPO_SANDBOX_TOKEN'),
    sandboxCallbackUrl: text('MALIPO_SANDBOX_CALLBACK_URL'),
    sandboxDelayMs: whole(
      'MALIPO_SANDBOX_DELAY_MS',
      text('MALIPO_SANDBOX_DELAY_MS') ?? '1000',
      [0, 86_400_000],
    ),
    timeScale: fraction('MALIPO_SANDBOX_TIME_SCALE', text('MALIPO_SANDBOX_TIME_SCALE') ?? '1'),
    secretKey: secretFrom(text) ?? SANDBOX_SECRET,
    metricsToken: text('MALIPO_METRICS_TOKEN'),
    logLevel: oneOf('MALIPO_LOG_LEVEL', text('MALIPO_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    traces: readTraceSettings(text, (variable, problem) => {
      throw new ConfigProblem(variable, problem)
    }),
    isNodeEnvIgnored: env.NODE_ENV === 'production' && text('MALIPO_ENV') === undefined,
  }
  check(config)
  return Object.freeze(config)
}

/** Spaces around the key in a file, such as the newline at its end, do not belong to it. */
function secretFrom(text: (name: string) => string | undefined): string | undefined {
  const [key, file] = [text('MALIPO_SECRET_KEY'), text('MALIPO_SECRET_KEY_FILE')]
  if (file === undefined) return key
  if (key !== undefined) {
    throw new ConfigProblem(
      'MALIPO_SECRET_KEY_FILE',
      'is set beside MALIPO_SECRET_KEY. Set one of them, so that it is clear which key counts.',
    )
  }
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigProblem(
      'MALIPO_SECRET_KEY_FILE',
      `names "${file}", which cannot be read (${code}). Check the path and who may read it.`,
    )
  }
}

function ranges(name: string, given: string | undefined): readonly string[] {
  const listed = given?.split(',').map((one) => one.trim()) ?? []
  for (const range of listed) {
    const fault = rangeFault(range)
    if (fault !== undefined) throw new ConfigProblem(name, `lists "${range}": ${fault}.`)
  }
  return listed
}

function check(config: Config): void {
  if (config.smtpUrl !== undefined && !/[^\s<>@]+@[^\s<>@]+>?$/.test(config.mailFrom ?? '')) {
    throw new ConfigProblem(
      'MALIPO_MAIL_FROM',
      'must be set beside MALIPO_SMTP_URL, to an address such as Malipo <malipo@example.com>.',
    )
  }
  if (config.sandboxToken !== undefined && !/^\S{20,200}$/.test(config.sandboxToken)) {
    throw new ConfigProblem('MALIPO_SANDBOX_TOKEN', 'needs 20 to 200 characters without spaces.')
  }
  if (config.secretKey.length < 32) {
    throw new ConfigProblem('MALIPO_SECRET_KEY', 'needs at least 32 characters.')
  }
  if (config.environment === 'production' && config.secretKey === SANDBOX_SECRET) {
    throw new ConfigProblem(
      'MALIPO_SECRET_KEY',
      'must be set in production. Make one with "openssl rand -base64 32" and keep it safe: ' +
        'without it the stored signing keys cannot be read.',
    )
  }
}

function refuseUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const unknown = unknownSettings(env, Object.keys(VARIABLES))
  const [first] = unknown
  if (first === undefined) return
  const problems = unknown.map(({ name, meant }) => {
    const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
    return `${name} is not a setting.${hint}`
  })
  const text = [...problems, 'See docs/configuration.md.'].join(' ')
  throw new ConfigProblem(first.name, text.slice(first.name.length + 1))
}

function refuseSandboxSettings(
  environment: Environment,
  text: (name: string) => string | undefined,
): void {
  if (environment === 'sandbox') return
  const given = Object.keys(VARIABLES).find(
    (name) => name.startsWith('MALIPO_SANDBOX_') && text(name) !== undefined,
  )
  if (given !== undefined) {
    throw new ConfigProblem(given, 'is for the sandbox only. Remove it, or set MALIPO_ENV=sandbox.')
  }
}

function whole(name: string, text: string, [least, most]: readonly [number, number]): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new ConfigProblem(name, `must be a whole number from ${least} to ${most}, not "${text}".`)
}

function fraction(name: string, text: string): number {
  const value = /^[01](\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN
  if (value >= 0.01 && value <= 1) return value
  throw new ConfigProblem(name, `must be a number from 0.01 to 1, not "${text}".`)
}

function oneOf<T extends string>(name: string, text: string, choices: readonly T[]): T {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new ConfigProblem(name, `must be ${choices.join(' or ')}, not "${text}".`)
}

function mailServer(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const isServer = URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol)
  if (isServer && new URL(text).hostname !== '') return text
  throw new ConfigProblem(name, 'must be an address that starts with smtp:// or smtps://.')
}

/** One server or several. */
function databaseAddress(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const fits = (url: string): boolean =>
    URL.canParse(url) && ['postgres:', 'postgresql:'].includes(new URL(url).protocol)
  if (serversIn(text).every(fits)) return text
  throw new ConfigProblem(name, 'must be an address that starts with postgres://.')
}

/** Links are made by adding a path, so nothing may follow the path that is in it. */
function publicAddress(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  // A proxy may shorten a path with empty or dotted parts, and the links would lead elsewhere.
  const isPlain =
    /^https?:\/\/[^\s,?#@\\]+$/i.test(text) &&
    !/\/\/[^/]|\/(?:\.|%2e){1,2}(?:\/|$)/i.test(text.replace('://', ':')) &&
    URL.canParse(text)
  if (isPlain) return (new URL(text).origin + new URL(text).pathname).replace(/\/+$/, '')
  throw new ConfigProblem(
    name,
    'must be one address, http or https, with at most a path: https://x.org or https://x.org/app.',
  )
}
