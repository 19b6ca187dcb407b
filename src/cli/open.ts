import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Database } from '../store/engine/database.ts'
import { inviteOwner } from '../usecases/sandbox/demo-owner.ts'
import { keptToken } from '../usecases/sandbox/seed-demo.ts'
import {
  type Command,
  CommandProblem,
  environmentOfBrowsers,
  givenConfig,
  print,
  textOf,
  withDatabase,
} from './command-kit.ts'
import { readiness } from './doctor/service.ts'
import { serviceUrl } from './service-client.ts'

const PAGES = ['dashboard', 'phone', 'reference'] as const

export const OPEN_COMMAND: Command = {
  name: 'open',
  summary: 'Open the dashboard, the virtual phone or the reference in the browser, signed in',
  arguments: ['page?'],
  choices: PAGES,
  options: {
    service: { value: 'url', summary: 'the running service; the port of PORT here by default' },
    print: { summary: 'only print the address' },
  },
  run: async ({ positionals: [given = 'dashboard'], values, json }) => {
    const page = PAGES.find((one) => one === given)
    if (page === undefined) throw new CommandProblem(`"${given}" is none of ${PAGES.join(', ')}.`)
    const config = givenConfig()
    const url = serviceUrl(textOf(values.service), config)
    if ((await readiness(url)) === undefined) {
      throw new Error(
        `No service answers at ${url}. Start it with "malipo start", or give its PORT or --service.`,
      )
    }
    const address = await addressOf(page, { url, publicUrl: config.publicUrl ?? url })
    const opened = values.print !== true && (await openInBrowser(address))
    const words = opened ? `The ${page} is in your browser.` : address
    return print(json, { page, url: address, opened }, words)
  },
}

type Places = {
  /** Where it is asked by this command, and where people open it. */
  readonly url: string
  readonly publicUrl: string
}

async function addressOf(page: (typeof PAGES)[number], places: Places): Promise<string> {
  if (page === 'reference') return `${places.publicUrl}/docs`
  let address = `${places.publicUrl}/dashboard`
  await withDatabase(async ({ database, environment, config }) => {
    if (environment === 'sandbox') {
      address =
        page === 'phone'
          ? await phoneLink(database, config.secretKey, places)
          : ((await inviteOwner(database, places.publicUrl, Date.now())) ?? address)
    } else if (page === 'phone') {
      throw new CommandProblem('The virtual phone is part of the sandbox; this is production.')
    }
    return 0
  })
  return address
}

/**
 * A link that works once lies in the memory of the node, so the node is asked for it, as the button
 * of the page does that makes one for another device.
 */
async function phoneLink(
  database: Database,
  secret: string,
  { url, publicUrl }: Places,
): Promise<string> {
  const token = await keptToken(database, secret, Date.now())
  if (token === undefined) return `${publicUrl}/sandbox`
  const signedIn = await post(`${url}/sandbox/sign-in`, { token }, [])
  const page = await post(`${url}/sandbox/acts`, { do: 'device' }, signedIn)
  const code = codeIn(page)
  return code === undefined ? `${publicUrl}/sandbox` : `${publicUrl}/sandbox/enter/${code}`
}

/** The page keeps its message for the next one in a cookie; here the message is the link. */
function codeIn(cookies: readonly string[]): string | undefined {
  const [, message = ''] = /malipo_flash=([\w-]+)/.exec(cookies.join('\n')) ?? []
  const text = Buffer.from(message, 'base64url').toString()
  return /"link":"([\w-]+)"/.exec(text)?.[1]
}

async function post(
  address: string,
  form: Readonly<Record<string, string>>,
  cookies: readonly string[],
): Promise<readonly string[]> {
  const { headers } = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { cookie: cookiesIn(cookies) },
    redirect: 'manual',
  })
  return headers.getSetCookie()
}

const cookiesIn = (cookies: readonly string[]): string =>
  cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ')

/** Whether a program took it. */
async function openInBrowser(address: string): Promise<boolean> {
  const [command, ...args] = browserCommand()
  if (command === undefined) return false
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  try {
    await once(child, 'spawn')
  } catch {
    return false
  }
  child.unref()
  return true
}

function browserCommand(): readonly string[] {
  const { browser, hasDisplay } = environmentOfBrowsers()
  if (browser !== undefined) return [browser]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return hasDisplay ? ['xdg-open'] : []
}
