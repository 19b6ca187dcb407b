import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/node/config.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }
const tracesOf = (env: Record<string, string>) => readConfig(env).traces

describe('traces are off', () => {
  const off: readonly [string, Record<string, string>][] = [
    ['by default', {}],
    ['without an address, whatever else is set', { OTEL_TRACES_SAMPLER: 'jaeger_remote' }],
    ['where all of OpenTelemetry is', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['where nothing is exported', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    ['where nothing is sampled', { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'always_off' }],
    [
      'where a ratio of 0 is',
      { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' },
    ],
  ]
  for (const [name, env] of off) it(name, () => assert.equal(tracesOf(env), undefined))
})

it('an address is enough', () => {
  assert.deepEqual(tracesOf(ENDPOINT), {
    url: 'http://collector:4318/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    sampling: { ratio: 1, followsSender: true },
    serviceName: 'malipo',
    attributes: {},
  })
})

it('everything can be set with the variables of OpenTelemetry', () => {
  const traces = tracesOf({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://elsewhere.example/base/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/otlp/spans',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20secret, other=b=c',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=payments,deployment.environment.name=live',
  })
  assert.deepEqual(traces, {
    url: 'https://traces.example/otlp/spans',
    headers: { 'api-key': 'a secret', other: 'b=c' },
    timeoutMs: 2500,
    sampling: { ratio: 0.01, followsSender: false },
    serviceName: 'payments',
    attributes: { 'service.name': 'payments', 'deployment.environment.name': 'live' },
  })
  const base = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://elsewhere.example/base/' }
  assert.equal(tracesOf(base)?.url, 'https://elsewhere.example/base/v1/traces')
})

it('each sampler is what its name says', () => {
  const samplings = [
    ['parentbased_always_on', 1, true],
    ['parentbased_always_off', 0, true],
    ['parentbased_traceidratio', 0.25, true],
    ['always_on', 1, false],
    ['traceidratio', 0.25, false],
  ] as const
  for (const [sampler, ratio, followsSender] of samplings) {
    const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '.25' }
    assert.deepEqual(tracesOf({ ...ENDPOINT, ...env })?.sampling, { ratio, followsSender })
  }
})

it('a setting that cannot be used is named, with what can', () => {
  const broken: readonly [string, string, RegExp][] = [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /must be an address that starts with http/],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://x', /must be an address that starts with http/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be http\/protobuf, not "grpc"\. .*port 4318/],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', /must be http\/protobuf/],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', /must be a whole number from 1 to 600000, not "10s"/],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a secret', /must be name=value/],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%', /has a % that is not followed by two digits/],
    ['OTEL_TRACES_EXPORTER', 'console', /must be otlp or none, not "console"/],
    ['OTEL_TRACES_SAMPLER', 'sometimes', /must be parentbased_always_on or .*, not "sometimes"/],
  ]
  const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio' }
  const cases = [
    ...broken.map((one) => ({ case: one, env: ENDPOINT })),
    ...['2', '-1', '1e-2', 'half'].map((value) => ({
      case: ['OTEL_TRACES_SAMPLER_ARG', value, /must be a number from 0 to 1/] as const,
      env: { ...ENDPOINT, ...ratio },
    })),
  ]
  for (const { case: one, env } of cases) {
    const [name, value, expected] = one
    assert.throws(
      () => readConfig({ ...env, [name]: value }),
      (error: Error) => error.message.startsWith(`${name} `) && expected.test(error.message),
      `${name}=${value}`,
    )
  }
})
