import { randomUUID } from 'node:crypto'
import type { Config } from './config.ts'
import { startLine } from './start-line.ts'

/** What a person sees after the start: where everything stands, and a first payment to paste. */
export type BannerFacts = {
  readonly config: Config
  readonly url: string
  readonly port: number
  readonly token: string | undefined
  /** Opens the virtual phone in a browser, once. */
  readonly sandboxLink: string | undefined
  /** Opens the dashboard as the owner of the demo merchant, once. */
  readonly dashboardLink: string | undefined
  /** False where no operator is within reach, so that payments are refused. */
  readonly hasOperator: boolean
  readonly place: string
  readonly secondNodeUrl: string | undefined
}

export function banner(facts: BannerFacts): string {
  const { config, url, port, token, hasOperator, place, secondNodeUrl } = facts
  const { sandboxLink, dashboardLink = `${url}/dashboard` } = facts
  const lines = [
    '',
    hasOperator
      ? `  Malipo is ready (${config.environment})`
      : `  Malipo is running (${config.environment}), and refuses payments: no operator account`,
    '',
    `  API        ${url}`,
    `  Reference  ${url}/docs`,
    `  Database   ${place}`,
  ]
  if (config.isNodeEnvIgnored) lines.splice(2, 0, ...NODE_ENV_IGNORED)
  if (config.host !== '127.0.0.1') lines.push(`  Listening  ${config.host}:${port}`)
  const once = facts.dashboardLink === undefined ? '' : ' (works once)'
  lines.push(`  Dashboard  ${dashboardLink}${once}`)
  if (sandboxLink !== undefined) lines.push(`  Phone      ${sandboxLink} (works once)`)
  if (token !== undefined) lines.push(`  Token      ${token}`, '', ...firstPayment(url, token))
  if (secondNodeUrl !== undefined) {
    lines.push(
      '',
      '  A second node on the same database:',
      `  DATABASE_URL='${secondNodeUrl}' PORT=${port + 1} ${startLine()}`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

const NODE_ENV_IGNORED = [
  '  NODE_ENV=production is not read: this is a sandbox, with test money only.',
  '  Set MALIPO_ENV=production for production.',
]

/** The same for programs, in one line. */
export function bannerJson({
  config,
  url,
  port,
  token,
  sandboxLink,
  dashboardLink,
  hasOperator,
  place,
  secondNodeUrl,
}: BannerFacts): string {
  const links = { sandboxLink, dashboardLink }
  const facts = { environment: config.environment, hasOperator, url, port, token, ...links }
  return `${JSON.stringify({ ...facts, database: place, databaseUrl: secondNodeUrl })}\n`
}

function firstPayment(url: string, token: string): string[] {
  const id = randomUUID()
  const body = JSON.stringify({
    depositId: id,
    amount: '15',
    currency: 'ZMW',
    payer: {
      type: 'MMO',
      accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
    },
  })
  return [
    '  A first payment, ready to paste:',
    '',
    `  curl -s ${url}/v2/deposits -H 'Authorization: Bearer ${token}' \\`,
    `    -H 'Content-Type: application/json' -d '${body}'`,
    '',
    '  and its outcome:',
    '',
    `  curl -s ${url}/v2/deposits/${id} -H 'Authorization: Bearer ${token}'`,
  ]
}
