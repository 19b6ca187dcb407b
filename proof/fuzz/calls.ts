import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely
type Json = any

/** Valid calls besides the hostile ones. A refusal fails the run; a 503 is repeated. */
export type Call = {
  (token: string, method: string, path: string, body?: unknown): Promise<Json>
  /** Sends a form and returns the cookie that it sets. */
  form(path: string, fields: Readonly<Record<string, string>>, cookie?: string): Promise<string>
}

const TRIES = 50
const PAUSE_MS = 100

export function callerAt(port: number): Call {
  const base = `http://127.0.0.1:${port}`
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(base + path, init).catch(() => undefined)
      if (response !== undefined && (response.status !== 503 || tries === TRIES)) return response
      assert.ok(tries < TRIES, `${path}: no answer`)
      await pause(PAUSE_MS)
    }
  }
  const call = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await send(path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = text === '' ? undefined : JSON.parse(text)
    const isTaken = response.ok && value?.status !== 'REJECTED'
    assert.ok(isTaken, `${method} ${path}: ${response.status} ${text}`)
    return value
  }
  const form: Call['form'] = async (path, fields, cookie = '') => {
    const response = await send(path, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
    assert.equal(response.status, 303, `POST ${path}: ${await response.text()}`)
    return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  return Object.assign(call, { form })
}
