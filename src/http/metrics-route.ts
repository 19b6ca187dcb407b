import { createHash, timingSafeEqual } from 'node:crypto'
import type { PageRequest, PageRoute } from './pages.ts'

/** OpenMetrics has what the older format has not: the traces of single values. */
export type MetricsFormat = 'prometheus' | 'openmetrics'

const CONTENT_TYPES: Readonly<Record<MetricsFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

/** `/metrics`: for loopback, or for callers with its token. */
export function metricsRoute(
  token: string | undefined,
  text: (format: MetricsFormat) => Promise<string>,
): PageRoute {
  return {
    path: '/metrics',
    isProbe: true,
    render: async (request) => {
      if (!mayRead(token, request)) {
        return {
          status: token === undefined ? 403 : 401,
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body:
            token === undefined
              ? 'Metrics are read from loopback, or with a token set in MALIPO_METRICS_TOKEN.\n'
              : 'Send the header "Authorization: Bearer <MALIPO_METRICS_TOKEN>".\n',
        }
      }
      const format = formatFor(String(request.headers.accept ?? ''))
      const headers = { 'content-type': CONTENT_TYPES[format], vary: 'accept' }
      return { headers, body: await text(format) }
    },
  }
}

/** The older format, unless the other one is asked for by name and rather. */
function formatFor(accept: string): MetricsFormat {
  const weights = { openmetrics: 0, prometheus: 0 }
  for (const one of accept.toLowerCase().split(',').slice(0, 20)) {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim())
    const [, given = '1'] = parameters.join(';').match(/(?:^|;)q=([\d.]+)/) ?? []
    const weight = Number(given)
    if (type === 'application/openmetrics-text') {
      weights.openmetrics = Math.max(weights.openmetrics, weight)
    }
    if (type === 'text/plain') weights.prometheus = Math.max(weights.prometheus, weight)
  }
  const isAsked = weights.openmetrics > 0 && weights.openmetrics >= weights.prometheus
  return isAsked ? 'openmetrics' : 'prometheus'
}

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/

function mayRead(token: string | undefined, { headers, remoteAddress }: PageRequest): boolean {
  if (token === undefined) return LOOPBACK.test(remoteAddress) && isDirect(headers)
  const given = /^Bearer +(\S+)$/i.exec(String(headers.authorization ?? ''))?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * A proxy on this machine, and a page that has its own name lead here, come from loopback as well:
 * the one names itself or the host that was asked for, the other the host of the page.
 */
function isDirect({ host, forwarded, via, ...headers }: PageRequest['headers']): boolean {
  const isPassedOn =
    forwarded ??
    via ??
    headers['x-forwarded-for'] ??
    headers['x-forwarded-host'] ??
    headers['x-real-ip']
  return isPassedOn === undefined && OWN_HOST.test(String(host ?? ''))
}

const OWN_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
