/** Where traces are sent, and of how many requests. Absent: tracing is off, and nothing of it is loaded. */
export type TraceSettings = {
  /** The whole address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** What has not been taken by then is lost. */
  readonly timeoutMs: number
  readonly sampling: Sampling
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
}

export type Sampling = {
  /** Of requests that come without a trace, and of all others unless their sender decides. */
  readonly ratio: number
  /** Whether a request that belongs to a trace is sampled as its sender says. */
  readonly followsSender: boolean
}

/** The names of OpenTelemetry, so that what injects them into containers works here, too. */
export const TRACE_VARIABLES: Readonly<Record<string, string>> = {
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Traces: base address of an OTLP receiver, such as http://127.0.0.1:4318; none by default.',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT:
    'Traces: the whole address, where it is not the base with /v1/traces behind it.',
  OTEL_EXPORTER_OTLP_HEADERS: 'Traces: headers for the receiver, as name=value with commas.',
  OTEL_EXPORTER_OTLP_TIMEOUT:
    'Traces: milliseconds that the receiver has for a batch; 10000 by default.',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'Traces: http/protobuf; every other protocol is refused.',
  OTEL_TRACES_SAMPLER:
    'Traces: which requests are sampled; parentbased_always_on by default, see below.',
  OTEL_TRACES_SAMPLER_ARG: 'Traces: the part that is sampled by a ratio, 0 to 1; 1 by default.',
  OTEL_TRACES_EXPORTER: 'Traces: otlp (default), or none to turn tracing off.',
  OTEL_SDK_DISABLED: 'Traces: true turns tracing off; false by default.',
  OTEL_SERVICE_NAME: 'Traces: the name of the service; malipo by default.',
  OTEL_RESOURCE_ATTRIBUTES: 'Traces: attributes of every node, as name=value with commas.',
}

type Text = (name: string) => string | undefined
type Refuse = (variable: string, problem: string) => never

/** Undefined where nothing is to be sent. */
export function readTraceSettings(text: Text, refuse: Refuse): TraceSettings | undefined {
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return undefined
  const url = addressIn(text, refuse)
  // Without an address the others are of no use here, and may be meant for another program.
  if (url === undefined) return undefined
  if (oneOf('OTEL_TRACES_EXPORTER', text, ['otlp', 'none'], refuse) === 'none') return undefined
  refuseProtocol(text, refuse)
  const sampling = samplingIn(text, refuse)
  if (sampling.ratio === 0 && !sampling.followsSender) return undefined
  const attributes = pairs('OTEL_RESOURCE_ATTRIBUTES', text, refuse)
  return {
    url,
    headers: pairs('OTEL_EXPORTER_OTLP_HEADERS', text, refuse),
    timeoutMs: timeoutIn(text, refuse),
    sampling,
    serviceName: text('OTEL_SERVICE_NAME') ?? attributes['service.name'] ?? 'malipo',
    attributes,
  }
}

function addressIn(text: Text, refuse: Refuse): string | undefined {
  const whole = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  if (whole !== undefined) return address('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', whole, refuse)
  const base = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (base === undefined) return undefined
  return `${address('OTEL_EXPORTER_OTLP_ENDPOINT', base, refuse).replace(/\/+$/, '')}/v1/traces`
}

function address(name: string, text: string, refuse: Refuse): string {
  const isHttp = URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
  return isHttp ? text : refuse(name, 'must be an address that starts with http:// or https://.')
}

/** Where an agent of a cluster speaks gRPC, silence would be all that is seen of it. */
function refuseProtocol(text: Text, refuse: Refuse): void {
  const own = 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'
  const name = text(own) === undefined ? 'OTEL_EXPORTER_OTLP_PROTOCOL' : own
  const protocol = text(name) ?? PROTOCOL
  if (protocol === PROTOCOL) return
  const way = `Traces are sent by ${PROTOCOL}, mostly to port 4318`
  refuse(name, `must be ${PROTOCOL}, not "${protocol}". ${way}.`)
}

const PROTOCOL = 'http/protobuf'

function timeoutIn(text: Text, refuse: Refuse): number {
  const name = 'OTEL_EXPORTER_OTLP_TIMEOUT'
  const given = text(name) ?? '10000'
  const ms = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (ms >= 1 && ms <= 600_000) return ms
  return refuse(name, `must be a whole number from 1 to 600000, not "${given}".`)
}

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

function samplingIn(text: Text, refuse: Refuse): Sampling {
  const sampler = oneOf('OTEL_TRACES_SAMPLER', text, SAMPLERS, refuse)
  const followsSender = sampler.startsWith('parentbased_')
  if (sampler.endsWith('always_off')) return { ratio: 0, followsSender }
  if (sampler.endsWith('always_on')) return { ratio: 1, followsSender }
  const name = 'OTEL_TRACES_SAMPLER_ARG'
  const given = text(name) ?? '1'
  const ratio = /^\d{0,9}(\.\d{1,18})?$/.test(given) ? Number(given) : Number.NaN
  if (ratio >= 0 && ratio <= 1) return { ratio, followsSender }
  return refuse(name, `must be a number from 0 to 1, not "${given}".`)
}

function oneOf<T extends string>(
  name: string,
  text: Text,
  choices: readonly [T, ...T[]],
  refuse: Refuse,
): T {
  const given = text(name)
  if (given === undefined) return choices[0]
  const choice = choices.find((one) => one === given)
  return choice ?? refuse(name, `must be ${choices.join(' or ')}, not "${given}".`)
}

/** `name=value,name=value`; both may be percent-encoded. */
function pairs(name: string, text: Text, refuse: Refuse): Readonly<Record<string, string>> {
  const entries = (text(name)?.split(',') ?? [])
    .filter((pair) => pair.trim() !== '')
    .map((pair): [string, string] => {
      const [, key, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? []
      const isWhole = key !== undefined && value !== undefined
      if (!isWhole) return refuse(name, 'must be name=value, and a comma between two of them.')
      return [decoded(name, key, refuse), decoded(name, value.trim(), refuse)]
    })
  return Object.fromEntries(entries)
}

function decoded(name: string, text: string, refuse: Refuse): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse(name, 'has a % that is not followed by two digits.')
  }
}
