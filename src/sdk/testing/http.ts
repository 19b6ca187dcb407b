/**
 * Requests of the kit. Not by `fetch`, and with a timer taken beforehand: test suites replace the
 * global ones by their own.
 */
import { request } from 'node:http'
import { setTimeout as later } from 'node:timers'

export type Place = { readonly baseUrl: string; readonly token: string }

type Answer = { readonly status: number; readonly body: unknown }

const ANSWER_WITHIN_MS = 30_000

export function call(
  { baseUrl, token }: Place,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      baseUrl + path,
      {
        method,
        agent: false,
        timeout: ANSWER_WITHIN_MS,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.once('error', reject)
        response.once('end', () => {
          const { statusCode: status = 0 } = response
          resolve({ status, body: text === '' ? undefined : JSON.parse(text) })
        })
      },
    )
    sent.once('timeout', () => sent.destroy(new Error(`${path} was not answered in time`)))
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** The body of an answer that must be a success. */
export async function ask(...request: Parameters<typeof call>): Promise<unknown> {
  const [, method, path] = request
  const { status, body } = await call(...request)
  if (status >= 200 && status < 300) return body
  throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`)
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    later(resolve, ms)
  })
