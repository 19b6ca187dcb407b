import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from './service.ts'

/** A receiver of traces: OTLP over HTTP with protobuf, as collectors speak it. */
type TraceReceiver = {
  /** The base address: what OTEL_EXPORTER_OTLP_ENDPOINT takes. */
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Leaves requests hanging from now on, or not any more: then those that hang are cut off. */
  hang(isHanging: boolean): void
  /** All spans of a trace, once those of these names are among them. */
  trace(traceId: string, ...names: readonly string[]): Promise<readonly ReceivedSpan[]>
  close(): Promise<void>
}

export type ReceivedSpan = {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the first of a trace. */
  readonly parentId: string
  readonly traceState: string
  readonly name: string
  readonly kind: number
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Attributes
  readonly events: readonly string[]
  /** 2 is an error. */
  readonly status: { readonly code: number; readonly message: string }
  readonly resource: Attributes
}

type Attributes = Readonly<Record<string, string | number | boolean>>

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const requests: { path: string; headers: IncomingHttpHeaders }[] = []
  const hanging = new Set<ServerResponse>()
  let isHanging = false
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    requests.push({ path: request.url ?? '', headers: request.headers })
    if (isHanging) {
      hanging.add(response)
      return
    }
    spans.push(...readExport(Buffer.concat(chunks)))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    requests,
    hang: (next) => {
      isHanging = next
      if (!next) for (const response of hanging) response.destroy()
    },
    trace: (traceId, ...names) =>
      eventually(() => {
        const found = spans.filter((span) => span.traceId === traceId)
        const missing = names.filter((name) => !found.some((span) => span.name === name))
        assert.deepEqual(missing, [], `missing beside ${found.map(({ name }) => name).join(', ')}`)
        return found
      }),
    close: () => {
      for (const response of hanging) response.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** The fields of a protobuf message by number, each as often as it comes. */
type Message = ReadonlyMap<number, readonly (bigint | Buffer)[]>

function readMessage(bytes: Buffer): Message {
  const fields = new Map<number, (bigint | Buffer)[]>()
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(bytes[at] as number)
      at += 1
      value |= (byte & 0x7fn) << shift
      if (byte < 0x80n) return value
    }
  }
  const take = (length: number): Buffer => {
    at += length
    return bytes.subarray(at - length, at)
  }
  const read = (wire: number): bigint | Buffer => {
    if (wire === 0) return varint()
    if (wire === 1) return take(8).readBigUInt64LE()
    if (wire === 5) return BigInt(take(4).readUInt32LE())
    assert.equal(wire, 2, 'a wire type of protobuf')
    return take(Number(varint()))
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const field = tag >> 3
    fields.set(field, [...(fields.get(field) ?? []), read(tag & 7)])
  }
  return fields
}

const EMPTY = Buffer.alloc(0)
const bytesIn = (message: Message, field: number): Buffer =>
  (message.get(field)?.[0] as Buffer | undefined) ?? EMPTY
const textIn = (message: Message, field: number): string => bytesIn(message, field).toString()
const numberIn = (message: Message, field: number): bigint =>
  (message.get(field)?.[0] as bigint | undefined) ?? 0n
const messagesIn = (message: Message, field: number): readonly Message[] =>
  (message.get(field) ?? []).map((one) => readMessage(one as Buffer))
const messageIn = (message: Message, field: number): Message => readMessage(bytesIn(message, field))

/** By the numbers of `opentelemetry/proto/trace/v1/trace.proto`. */
function readExport(bytes: Buffer): readonly ReceivedSpan[] {
  return messagesIn(readMessage(bytes), 1).flatMap((resourceSpans) => {
    const resource = attributesIn(messageIn(resourceSpans, 1), 1)
    return messagesIn(resourceSpans, 2).flatMap((scopeSpans) =>
      messagesIn(scopeSpans, 2).map((span) => readSpan(span, resource)),
    )
  })
}

function readSpan(span: Message, resource: Attributes): ReceivedSpan {
  const status = messageIn(span, 15)
  return {
    traceId: bytesIn(span, 1).toString('hex'),
    spanId: bytesIn(span, 2).toString('hex'),
    parentId: bytesIn(span, 4).toString('hex'),
    traceState: textIn(span, 3),
    name: textIn(span, 5),
    kind: Number(numberIn(span, 6)),
    startNs: numberIn(span, 7),
    endNs: numberIn(span, 8),
    attributes: attributesIn(span, 9),
    events: messagesIn(span, 11).map((event) => textIn(event, 2)),
    status: { code: Number(numberIn(status, 3)), message: textIn(status, 2) },
    resource,
  }
}

function attributesIn(message: Message, field: number): Attributes {
  return Object.fromEntries(
    messagesIn(message, field).map((pair) => [textIn(pair, 1), valueIn(messageIn(pair, 2))]),
  )
}

function valueIn(value: Message): string | number | boolean {
  if (value.has(1)) return textIn(value, 1)
  if (value.has(2)) return numberIn(value, 2) === 1n
  if (value.has(3)) return Number(BigInt.asIntN(64, numberIn(value, 3)))
  const double = Buffer.alloc(8)
  double.writeBigUInt64LE(numberIn(value, 4))
  return double.readDoubleLE()
}
