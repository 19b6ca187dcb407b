import { connect, type Socket } from 'node:net'

/** One answer as read from the wire. */
export type WireAnswer = {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A keep-alive connection on which several requests are sent at once, to be answered in order. */
export type Wire = {
  /** Undefined for an answer that never came. */
  exchange(requests: readonly WireRequest[]): Promise<readonly (WireAnswer | undefined)[]>
  isOpen(): boolean
  close(): void
}

type WireRequest = { readonly bytes: Buffer; readonly isHead: boolean }

const ANSWERS_WITHIN_MS = 30_000

export async function openWire(port: number): Promise<Wire> {
  const socket = await connected(port)
  let pending: Pending | undefined
  let isOpen = true

  const finish = (): void => {
    const done = pending
    pending = undefined
    if (done === undefined) return
    clearTimeout(done.late)
    done.resolve(done.wanted.map((_, at) => done.answers[at]))
  }
  socket.on('data', (chunk: string) => {
    if (pending === undefined) return
    pending.text = pending.text === '' ? chunk : pending.text + chunk
    takeAnswers(pending)
    if (pending.answers.length === pending.wanted.length) finish()
  })
  const ended = (): void => {
    isOpen = false
    finish()
  }
  socket.on('error', ended)
  socket.on('close', ended)

  return {
    exchange: (requests) =>
      new Promise((resolve) => {
        const late = setTimeout(() => socket.destroy(), ANSWERS_WITHIN_MS)
        pending = { wanted: requests, answers: [], text: '', resolve, late }
        if (!isOpen) return finish()
        socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)))
      }),
    isOpen: () => isOpen,
    close: () => socket.destroy(),
  }
}

type Pending = {
  readonly wanted: readonly WireRequest[]
  readonly answers: WireAnswer[]
  readonly resolve: (answers: readonly (WireAnswer | undefined)[]) => void
  readonly late: NodeJS.Timeout
  text: string
}

function takeAnswers(pending: Pending): void {
  while (pending.answers.length < pending.wanted.length) {
    const taken = takeAnswer(pending.text, pending.wanted[pending.answers.length]?.isHead === true)
    if (taken === undefined) return
    pending.text = pending.text.slice(taken.length)
    // A provisional answer is followed by the real one.
    if (taken.answer.status >= 200) pending.answers.push(taken.answer)
  }
}

/** All complete answers in a text. */
export function answersIn(text: string): readonly WireAnswer[] {
  const taken = takeAnswer(text, false)
  return taken === undefined ? [] : [taken.answer, ...answersIn(text.slice(taken.length))]
}

function takeAnswer(
  text: string,
  isHead: boolean,
): { readonly answer: WireAnswer; readonly length: number } | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Map<string, string>()
  for (const one of lines) {
    const colon = one.indexOf(':')
    headers.set(one.slice(0, colon).toLowerCase(), one.slice(colon + 1).trim())
  }
  const status = Number(line.slice(9, 12))
  const hasBody = !isHead && status >= 200 && status !== 204 && status !== 304
  const body = hasBody ? bodyOf(text, end + 4, headers) : { content: '', end: end + 4 }
  if (body === undefined) return undefined
  return { answer: { status, headers, body: body.content }, length: body.end }
}

function bodyOf(
  text: string,
  start: number,
  headers: ReadonlyMap<string, string>,
): { readonly content: string; readonly end: number } | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return chunksOf(text, start)
  const end = start + Number(headers.get('content-length') ?? 0)
  return text.length < end ? undefined : { content: text.slice(start, end), end }
}

function chunksOf(text: string, start: number): { content: string; end: number } | undefined {
  let [content, at] = ['', start]
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(text.slice(at, lineEnd), 16)
    const end = lineEnd + 2 + size + 2
    if (text.length < end) return undefined
    if (size === 0) return { content, end }
    content += text.slice(lineEnd + 2, lineEnd + 2 + size)
    at = end
  }
}

/** Whatever comes back for some bytes until the connection ends, or for `ms`. */
export async function sendBytes(
  port: number,
  pieces: readonly Buffer[],
  { ms, waitMs }: { readonly ms: number; readonly waitMs: number },
): Promise<string> {
  const socket = await connected(port)
  let text = ''
  return new Promise((resolve) => {
    const late = setTimeout(() => socket.destroy(), ms)
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(late)
      resolve(text)
    })
    // Pieces arrive one by one, as over a slow network.
    for (const [at, piece] of pieces.entries()) setTimeout(() => socket.write(piece), at)
    setTimeout(() => socket.end(), pieces.length + waitMs)
  })
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.setEncoding('latin1')
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}
