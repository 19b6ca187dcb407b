import { flagPath, logoPath } from '../../src/domain/hosted/picture-paths.ts'
import type { Provider } from '../../src/domain/provider.ts'
import { DASHBOARD_ROUTES } from '../../src/web/dashboard/routes.ts'

/** What is served and not in the reference. `test/hostile/targets.test.ts` finds what is missing. */
export type PageTarget = {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly query?: readonly string[]
  /** Only for those who signed in to the sandbox. */
  readonly needsSession?: true
  /** Changes settings, or costs as much. */
  readonly isControl?: true
}

const get = (path: string, ...query: readonly string[]): PageTarget => ({
  method: 'GET',
  path,
  query: ['lang', ...query],
})
const post = (path: string, ...query: readonly string[]): PageTarget => ({
  method: 'POST',
  path,
  query: ['lang', ...query],
})
const SESSION = { needsSession: true } as const

export const PAGES: readonly PageTarget[] = [
  ...[get('/'), get('/livez'), get('/readyz'), get('/metrics'), get('/openapi.json'), get('/docs')],
  get('/docs/api/{group}'),
  get('/docs/guides/{name}'),
  get('/docs/guides/{name}/{page}'),
  get('/docs/pictures/{folder}/{file}'),
  get('/docs/search', 'q'),
  get('/statements/{statementId}/{token}'),
  ...['/operators/{account}/{secret}', '/operators/{account}/{secret}/{reference}'].flatMap(
    (path) => [post(path), { ...post(path), method: 'PUT' as const }],
  ),
  ...['/pay/{link}', '/checkout/{link}'].flatMap((path) => [
    get(path, 'wait', 'again', 'v', 'country'),
    post(path, 'country'),
    get(`${path}/status`, 'wait', 'v'),
    post(`${path}/provider`),
  ]),
  { ...get('/sandbox', 'phone', 'view', 'tab'), ...SESSION },
  get('/sandbox/sign-in', 'phone'),
  post('/sandbox/sign-in'),
  { ...post('/sandbox/sign-out'), ...SESSION },
  get('/sandbox/enter/{code}', 'phone'),
  { ...post('/sandbox/acts', 'phone', 'view', 'tab'), ...SESSION, isControl: true },
  { ...get('/sandbox/live/{number}', 'wait', 'v'), ...SESSION },
  { ...get('/sandbox/numbers', 'country'), ...SESSION },
  { ...get('/sandbox/shop'), ...SESSION },
  { ...post('/sandbox/shop'), ...SESSION },
  { ...get('/sandbox/shop/back', 'checkoutId', 'depositId'), ...SESSION },
  get('/sandbox/wallet/{token}'),
  post('/sandbox/wallet/{token}/approve'),
  post('/sandbox/wallet/{token}/refuse'),
  { ...get('/sandbox/mail'), ...SESSION },
  get('/branding/{file}'),
  get('/sign-in', 'next', 'notice'),
  post('/sign-in'),
  post('/sign-in/again'),
  post('/sign-in/passkey'),
  get('/sign-in/forgotten'),
  post('/sign-in/forgotten'),
  get('/sign-in/company'),
  post('/sign-in/company'),
  get('/sign-in/company/go'),
  get('/sign-in/company/answer', 'code', 'state'),
  get('/sign-in/{code}'),
  post('/sign-out'),
  get('/set-password/{code}'),
  post('/set-password/{code}'),
  get('/unsubscribe/{token}'),
  post('/unsubscribe/{token}'),
  ...DASHBOARD_ROUTES.map(({ path, method }) => {
    const named = path.replace(/:(\w+)/g, '{$1}')
    return method === 'POST' ? post(named) : get(named, 'from', 'to', 'status', 'after', 'q')
  }),
]

/** Aliases of operations, left out of the reference; called like the originals. */
export const ALIASES: readonly { readonly call: string; readonly of: string }[] = [
  { call: 'POST /refund/resend-callback', of: 'POST /refunds/resend-callback' },
  { call: 'GET /v1/predict-correspondent', of: 'POST /v1/predict-correspondent' },
  { call: 'GET /public-key/https', of: 'GET /public-key/http' },
  { call: 'GET /v2/public-keys', of: 'GET /v2/public-key/http' },
]

export const picturePaths = (providers: readonly Provider[]): readonly string[] => [
  ...new Set(
    providers.flatMap(({ country, displayName }) => [flagPath(country), logoPath(displayName)]),
  ),
]
