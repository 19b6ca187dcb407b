import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { flagPath, logoPath } from '../../domain/hosted/picture-paths.ts'
import type { Provider } from '../../domain/provider.ts'
import type { PageRoute } from '../../http/pages.ts'
import { once } from '../once.ts'

/** The pages of merchants show them. A flag opened by itself is a document, and may run nothing. */
const HEADERS = {
  'cache-control': 'public, max-age=2592000',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

/**
 * Flags and logos that the active configuration names: a route for each picture and none with a
 * parameter, so no name leads to any other file.
 */
export function pictureRoutes(providers: readonly Provider[], catalogFolder: string): PageRoute[] {
  const flags = new Set(providers.map(({ country }) => flagPath(country)))
  const logos = new Set(providers.map(({ displayName }) => logoPath(displayName)))
  return [
    ...[...flags].map((path) => picture(path, catalogFolder, 'image/svg+xml')),
    ...[...logos].map((path) => picture(path, catalogFolder, 'image/png')),
  ]
}

const picture = (path: string, folder: string, type: string): PageRoute => ({
  path,
  render: once(() => ({
    headers: { ...HEADERS, 'content-type': type },
    body: readFileSync(join(folder, path.replace('/assets/', ''))),
  })),
})
