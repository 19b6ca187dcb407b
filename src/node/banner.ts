import { randomUUID } from 'node:crypto'
import type { Config } from './config.ts'

/** What a person sees after the start: where everything stands, and a first payment to paste. */
export type BannerFacts = {
  readonly config: Config
  readonly url: string
  readonly port: number
  readonly token: string | undefined
  /** Opens the virtual phone in a browser, once. */
  readonly sandboxLink: string | undefined
  readonly place: string
  readonly secondNodeUrl: string | undefined
}

export function banner(facts: BannerFacts): string {
  const { config, url, port, token, sandboxLink, place, secondNodeUrl } = facts
  const lines = [
    '',
    `  Malipo is ready (${config.environment})`,
    '',
    `  API        ${url}`,
    `  Reference  ${url}/docs`,
    `  Database   ${place}`,
  ]
  if (config.host !== '127.0.0.1') lines.push(`  Listening  ${config.host}:${port}`)
  if (sandboxLink !== undefined) lines.push(`  Phone      ${sandboxLink} (works once)`)
  if (token !== undefined) lines.push(`  Token      ${token}`, '', ...firstPayment(url, token))
  if (secondNodeUrl !== undefined) {
    lines.push(
      '',
      '  A second node on the same database:',
      `  DATABASE_URL='${secondNodeUrl}' PORT=${port + 1} npm start`,
    )
  }
  return `${lines.join('\n')}\n\n`
}

/** The same for programs, in one line. */
export function bannerJson({
  config,
  url,
  port,
  token,
  sandboxLink,
  place,
  secondNodeUrl,
}: BannerFacts): string {
  const facts = { environment: config.environment, url, port, token, sandboxLink, database: place }
  return `${JSON.stringify({ ...facts, databaseUrl: secondNodeUrl })}\n`
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
