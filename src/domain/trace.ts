/**
 * W3C trace context: two headers by which services say what a request is part of. The first has the
 * identifiers of the trace and of the span that asks; the second is what tracing systems add, in words
 * of their own.
 */
export type TraceContext = {
  readonly traceparent: string
  readonly tracestate?: string
}

/** What a payment keeps of its trace: nothing, where the request that starts it is not sampled. */
export type PaymentTrace = Partial<TraceContext>

/** Asked whether it is traced, and it is not. Absent means that nobody has asked. */
export const UNTRACED: PaymentTrace = Object.freeze({})

const VERSION_00_LENGTH = 55
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
const NO_TRACE = '0'.repeat(32)
const NO_SPAN = '0'.repeat(16)
/** Long enough for what later versions may append; what is longer is not looked at. */
const PARENT_MAX = 256
const SAMPLED = 0x01

/** As much of `tracestate` as everybody has to pass on. */
const STATE_MAX = 512
const MEMBERS_MAX = 32
const MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/

export type RemoteTrace = TraceContext & { readonly isSampled: boolean }

/**
 * What came with a request; nothing where it is not exactly what the standard says. It decides nothing
 * about the request itself, so a broken one is ignored and not refused. It is written anew as version
 * 00: what later versions append is not known here.
 */
export function readTrace(
  traceparent: string | readonly string[] | undefined,
  tracestate: string | readonly string[] | undefined,
): RemoteTrace | undefined {
  if (typeof traceparent !== 'string' || traceparent.length > PARENT_MAX) return undefined
  const [, version, traceId = '', spanId = '', flags = ''] = PARENT.exec(traceparent) ?? []
  if (version === undefined || version === 'ff') return undefined
  if (version === '00' && traceparent.length !== VERSION_00_LENGTH) return undefined
  if (traceId === NO_TRACE || spanId === NO_SPAN) return undefined
  const isSampled = (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED
  const read = { traceparent: traceparentOf(traceId, spanId, isSampled), isSampled }
  const state = Array.isArray(tracestate) ? tracestate.join(',') : tracestate
  return typeof state === 'string' && isState(state) ? { ...read, tracestate: state } : read
}

/** All or nothing: a part of it would say something else. */
function isState(text: string): boolean {
  if (text.length > STATE_MAX) return false
  const members = text.split(',').map((member) => member.trim())
  const named = members.filter((member) => member !== '')
  const names = new Set(named.map((member) => member.slice(0, member.indexOf('='))))
  return (
    named.length > 0 &&
    members.length <= MEMBERS_MAX &&
    names.size === named.length &&
    named.every((member) => MEMBER.test(member))
  )
}

export const traceparentOf = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
export const spanIdOf = (traceparent: string): string => traceparent.slice(36, 52)

/** For log lines, under the names that tools look for. */
export function traceFacts(
  traceparent: string | undefined,
): { readonly trace_id: string; readonly span_id: string } | undefined {
  if (traceparent === undefined) return undefined
  return { trace_id: traceIdOf(traceparent), span_id: spanIdOf(traceparent) }
}
