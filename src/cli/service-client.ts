import { COMMAND_TIMING } from '../domain/client-timing.ts'
import { ifGiven, present } from '../domain/present.ts'
import { CommandProblem, textOf } from './command-kit.ts'

/** A running service, near or far, as commands talk to it: over its API, with a token. */
export type ServiceClient = {
  readonly url: string
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
  put(path: string, body: object): Promise<unknown>
}

export const SERVICE_OPTIONS = {
  service: { value: 'url', summary: 'the running service; http://127.0.0.1:8080 by default' },
  token: { value: 'text', summary: 'an API token; MALIPO_TOKEN in the environment by default' },
} as const

/** The service cannot be reached, or is on its way down or up: worth another try. */
export class ServiceAway extends Error {}

export function serviceClient(
  values: Readonly<Record<string, unknown>>,
  environmentToken: string | undefined,
  agent?: string,
): ServiceClient {
  const given = textOf(values.service) ?? 'http://127.0.0.1:8080'
  if (!URL.canParse(given)) throw new CommandProblem(`--service: "${given}" is not an address.`)
  const url = given.replace(/\/+$/, '')
  const token = textOf(values.token) ?? textOf(environmentToken)
  if (token === undefined) {
    throw new CommandProblem(
      'An API token is needed: give --token, or set MALIPO_TOKEN. "malipo start" prints the one ' +
        'of the sandbox, "malipo token create" makes others.',
    )
  }
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...present({ 'user-agent': agent }),
      },
      signal: AbortSignal.timeout(COMMAND_TIMING.answerWithinMs),
      ...present({ body: ifGiven(body, JSON.stringify) }),
    }).catch((error: Error) => {
      throw new ServiceAway(`${url} cannot be reached: ${causeOf(error)}.`)
    })
    const text = await response.text()
    if (response.ok) return text === '' ? undefined : JSON.parse(text)
    const problem = `${method} ${path.split('?')[0]} was answered with ${response.status}: ${text}`
    throw response.status >= 500 ? new ServiceAway(problem) : new CommandProblem(problem)
  }
  return {
    url,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
  }
}

const causeOf = (error: Error): string =>
  error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message

/** For commands that know the settings of the service: where it listens on this machine. */
export function serviceUrl(
  given: string | undefined,
  { host, port }: { readonly host: string; readonly port: number },
): string {
  const isEvery = host === '0.0.0.0' || host === '::'
  const here = `http://${isEvery ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`
  if (given !== undefined && !URL.canParse(given)) {
    throw new CommandProblem(`--service: "${given}" is not an address.`)
  }
  return (given ?? here).replace(/\/+$/, '')
}

/** Elsewhere these payments would be real ones. */
export async function mustBeSandbox(client: ServiceClient): Promise<void> {
  await client.get('/sandbox/clock').catch((error: Error) => {
    if (!/answered with 404/.test(error.message)) throw error
    throw new CommandProblem(`${client.url} is not a sandbox: there, this would move money.`)
  })
}
