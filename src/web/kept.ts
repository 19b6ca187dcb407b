/** Pages that are the same for every visitor until the next start. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { acceptsGzip, type Page, type PageRequest } from '../http/pages.ts'
import { once } from './once.ts'
import type { Headers } from './response.ts'

type Made = { readonly headers: Headers; readonly body: string | Buffer }

/**
 * Made and compressed when it is first asked for, then sent as it is. Caches may keep it, but ask
 * each time whether it is still the same: another version of the service has another one.
 */
export function kept(make: () => Made): (request: PageRequest) => Page {
  const prepared = once(() => {
    const { headers, body } = make()
    const plain = Buffer.from(body)
    const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
    return {
      headers: { ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' },
      plain,
      gzip: gzipSync(plain, { level: 9 }),
    }
  })
  return ({ headers: asked }) => {
    const { headers, plain, gzip } = prepared()
    if (names(asked['if-none-match'], headers.etag)) return { status: 304, headers, body: '' }
    if (!acceptsGzip(asked) || gzip.length >= plain.length) return { headers, body: plain }
    return { headers: { ...headers, 'content-encoding': 'gzip' }, body: gzip }
  }
}

const names = (given: string | string[] | undefined, etag: string): boolean =>
  String(given ?? '')
    .split(',')
    .some((one) => one.trim() === etag || one.trim() === '*')
