import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { flagPath, logoPath } from '../../domain/hosted/picture-paths.ts'
import type { Provider } from '../../domain/provider.ts'
import type { Page, PageRoute } from '../../http/app.ts'
import { PACKAGE_ROOT } from '../../package-root.ts'
import { drawLogo } from './logo.ts'

/** Flags and logos that the active configuration names. They go into the pages of merchants. */
const HEADERS = {
  'cache-control': 'public, max-age=2592000',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

const FLAGS_FOLDER = join(PACKAGE_ROOT, 'catalog', 'flags')

/** A route for each picture and none with a parameter, so no name leads to any other file. */
export function pictureRoutes(providers: readonly Provider[]): PageRoute[] {
  const flags = new Set(providers.map(({ country }) => flagPath(country)))
  const logos = new Map(providers.map(({ displayName }) => [logoPath(displayName), displayName]))
  return [
    ...[...flags].map((path) =>
      picture(path, 'image/svg+xml', () => readFileSync(join(FLAGS_FOLDER, basename(path)))),
    ),
    ...[...logos].map(([path, name]) => picture(path, 'image/png', () => drawLogo(name))),
  ]
}

/** Made when it is first asked for, so that the start does not wait for it, and then kept. */
function picture(path: string, type: string, make: () => Buffer): PageRoute {
  let page: Page | undefined
  return {
    path,
    render: () => {
      page ??= { headers: { ...HEADERS, 'content-type': type }, body: make() }
      return page
    },
  }
}
