/**
 * One request and its answer on a connection of a pool. A single timer bounds the whole of it, so a
 * receiver that sends a byte now and then gains nothing by it.
 */
import { performance } from 'node:perf_hooks'
import { StringDecoder } from 'node:string_decoder'
import type { Dispatcher, Pool } from 'undici'
import { failureReason, PROTOCOL_SWITCHED } from './failure-reason.ts'

export type Sent =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: string
      readonly headers: AnswerHeaders
      /** The body is longer than was read. */
      readonly isCut: boolean
      readonly durationMs: number
    }
  | {
      readonly kind: 'failed'
      readonly reason: string
      /** False: not a byte of the request has left. */
      readonly wasSent: boolean
      readonly durationMs: number
    }

/** The few headers of an answer that anyone asks for. */
type AnswerHeaders = {
  readonly contentType?: string
  readonly location?: string
  readonly retryAfter?: string
}

export type Posting = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Limits = {
  readonly connectTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly maxBodyBytes: number
}

export function exchange(pool: Pool, posting: Posting, limits: Limits): Promise<Sent> {
  return new Promise((resolve) => {
    const startMs = performance.now()
    const answer = emptyAnswer()
    let controller: Dispatcher.DispatchController | undefined
    let isSettled = false

    const settle = (outcomeAfter: (durationMs: number) => Sent): void => {
      if (isSettled) return
      isSettled = true
      clearTimeout(deadline)
      resolve(outcomeAfter(Math.round(performance.now() - startMs)))
    }
    const fail = (reason: string): void =>
      settle((durationMs) => {
        const wasSent = controller !== undefined
        return { kind: 'failed', reason, wasSent, durationMs }
      })
    const end = (isCut: boolean): void => settle((ms) => toOutcome(answer, isCut, ms))
    const deadline = setTimeout(() => {
      const reason = lateReason(controller !== undefined, answer.status, limits)
      fail(reason)
      controller?.abort(new Error(reason))
    }, limits.totalTimeoutMs)

    pool.dispatch(posting, {
      onRequestStart: (started) => {
        // Thrown, not aborted: the connection has not been used and stays good for others.
        if (isSettled) throw new Error('the deadline passed before a connection was free')
        controller = started
      },
      onResponseStart: (current, status, headers) => {
        if (status === SWITCHING_PROTOCOLS) {
          fail(PROTOCOL_SWITCHED)
          current.abort(new Error(PROTOCOL_SWITCHED))
        }
        answer.status = status
        answer.headers = pickHeaders(headers)
      },
      onResponseData: (current, chunk) => {
        if (keepChunk(answer, chunk, limits.maxBodyBytes)) return
        end(true)
        current.abort(new Error('the rest of the answer is not wanted'))
      },
      onResponseEnd: () => end(false),
      onResponseError: (_, error) => fail(failureReason(error, limits.connectTimeoutMs)),
    })
  })
}

const SWITCHING_PROTOCOLS = 101

type Answer = { status: number; headers: AnswerHeaders; size: number; readonly chunks: Buffer[] }

function emptyAnswer(): Answer {
  return { status: 0, headers: {}, size: 0, chunks: [] }
}

function lateReason(wasSent: boolean, status: number, limits: Limits): string {
  const within = `within ${limits.totalTimeoutMs / 1000} s`
  if (!wasSent) return `no free connection ${within}: earlier requests are still under way`
  return status < 200 ? `no answer ${within}` : `no complete answer ${within}`
}

/** False when the chunk goes past the limit; the part that fits is kept. */
function keepChunk(answer: Answer, chunk: Buffer, maxBytes: number): boolean {
  const room = maxBytes - answer.size
  const part = chunk.subarray(0, room)
  answer.chunks.push(part)
  answer.size += part.length
  return chunk.length <= room
}

function toOutcome({ status, headers, chunks }: Answer, isCut: boolean, durationMs: number): Sent {
  const [first] = chunks
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)
  // The decoder keeps back a character that was cut in two.
  const text = isCut ? new StringDecoder('utf8').write(bytes) : bytes.toString('utf8')
  // A text column takes every character but this one.
  const body = text.replaceAll('\0', '\ufffd')
  return { kind: 'answered', status, body, headers, isCut, durationMs }
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>

function pickHeaders(raw: RawHeaders): AnswerHeaders {
  const contentType = oneValue(raw['content-type'])
  const location = oneValue(raw.location)
  const retryAfter = oneValue(raw['retry-after'])
  const picked: { -readonly [Name in keyof AnswerHeaders]: AnswerHeaders[Name] } = {}
  if (contentType !== undefined) picked.contentType = contentType
  if (location !== undefined) picked.location = location
  if (retryAfter !== undefined) picked.retryAfter = retryAfter
  return picked
}

function oneValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
