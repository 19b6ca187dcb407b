import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { shareService } from '../../harness/share.ts'
import * as exported from '../../src/sdk/client/client.ts'
import { ROOT } from '../node/program.ts'
import { blocks, chapter, plain, read, rowsOf } from './documents.ts'

const page = read('docs/client.md')
const service = await shareService()
// Inside the package, where its own name leads to it.
const folder = mkdtempSync(join(ROOT, 'dist/client-page-'))
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

/** As one program: each builds on those before it. */
const program = `${blocks(page, 'ts').join('\n')}
const signed = await signing.deposits.initiate({
  depositId: randomUUID(), amount: '15', currency: 'ZMW', payer: {
    type: 'MMO', accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
  },
})
console.log('signed', signed.status)
`

it('the snippets on the page of the client run', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await service.put('/sandbox/signatures', { keys: [{ id: 'shop:1', key: publicKey }] })
  writeFileSync(join(folder, 'private.pem'), privateKey)
  const text = program.replaceAll('https://pay.example', service.url)
  writeFileSync(join(folder, 'page.mjs'), text)
  const { stdout, status } = await runNode(['page.mjs'])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^COMPLETED \S+\nMTN_MOMO_ZMB\nZMW \d/)
  assert.match(stdout, /^found deposit 15 ZMW$/m)
  assert.match(stdout, /^signed ACCEPTED$/m)
})

const PAGES = ['page.mts', 'page.cts']

/** The same methods, from a program that knows no ES modules. */
const COMMONJS = `const { createClient, AuthorisationError } = require('malipo/client')
const main = async () => {
  const [baseUrl, token = '', depositId = ''] = ['https://pay.example', process.env.MALIPO_TOKEN, crypto.randomUUID()]
  const client = createClient({ baseUrl, token })
  const { status } = await client.deposits.initiate({
    depositId, amount: '15', currency: 'ZMW', payer: {
      type: 'MMO', accountDetails: { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' },
    },
  })
  console.log(status, (await client.deposits.waitForFinal(depositId)).status)
  const stranger = createClient({ baseUrl, token: 'mlp_sbx_wrong' })
  await stranger.balances.list().catch((error) => console.log(error instanceof AuthorisationError))
}
main()
`

it('and it can be required', async () => {
  writeFileSync(join(folder, 'page.cjs'), COMMONJS.replace('https://pay.example', service.url))
  const result = await runNode(['page.cjs'])
  assert.deepEqual(result, { stdout: 'ACCEPTED COMPLETED\ntrue\n', status: 0 })
  const built = createRequire(import.meta.url)('malipo/client')
  assert.deepEqual(Object.keys(built).toSorted(), Object.keys(exported).toSorted())
})

it('and have the types that the package declares', async () => {
  writeFileSync(join(folder, 'page.mts'), program)
  const required = "import { createClient, AuthorisationError } from 'malipo/client'"
  writeFileSync(join(folder, 'page.cts'), COMMONJS.replace(/^.*$/m, required))
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023']
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const result = await runNode([tsc, ...options, '--ignoreConfig', '--types', 'node', ...PAGES])
  assert.deepEqual(result, { stdout: '', status: 0 })
})

it('the page names every method and every error', () => {
  const client = exported.createClient({ baseUrl: 'https://pay.example', token: 'x' })
  const named = rowsOf(chapter(page, 'Methods')).slice(1)
  assert.deepEqual(
    Object.fromEntries(named.map(([name, methods]) => [plain(name), plain(methods).split(', ')])),
    Object.fromEntries(Object.entries(client).map(([name, one]) => [name, Object.keys(one)])),
  )
  const errors = rowsOf(chapter(page, 'Refusals and errors')).map(([name]) => plain(name))
  const others = ['MalipoError', 'createClient']
  assert.deepEqual([...errors, ...others].toSorted(), Object.keys(exported).toSorted())
})

/** Never in its stead: the service lives in this process. */
async function runNode(args: readonly string[]) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, MALIPO_TOKEN: service.token },
  })
  let stdout = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
  }
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { stdout, status }
}
