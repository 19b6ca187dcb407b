import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import { openCommandLine } from '../cli/command-line.ts'

const [OLD, NEW] = [
  'the first key of this database, 0123456789',
  'another key, just as long, 0123456789',
]
const databaseUrl = await cloneDatabase('malipo')
const folder = await mkdtemp(join(tmpdir(), 'malipo-secret-'))
const commandLine = openCommandLine({ DATABASE_URL: databaseUrl, MALIPO_ENV: 'production' })
after(() => commandLine.close())

const under = (key: string, ...args: string[]) =>
  commandLine.run([...args, '--json'], { MALIPO_SECRET_KEY: key })

function fileOf(text: string): string {
  const file = join(folder, String(Math.random()))
  writeFileSync(file, text)
  return file
}

it('what was sealed under one key is sealed under another, all of it or nothing', async () => {
  const account = {
    name: 'wave-senegal',
    connector: 'wave',
    baseUrl: 'https://api.wave.com',
    providers: { WAVE_SEN: ['DEPOSIT'] },
    priority: 1,
    settings: {},
    secrets: { apiKey: 'wave_sn_prod_0123', webhookSecret: 'wave_sn_WHS_0123' },
  }
  const added = await under(OLD, 'operator', 'add', '--file', fileOf(JSON.stringify(account)))
  assert.equal(added.code, 0, added.stderr)
  const newKey = fileOf(`${NEW}\n`)

  const wrong = await under(NEW, 'key', 'change-secret', '--new-key-file', newKey)
  assert.match(wrong.stderr, /MALIPO_SECRET_KEY does not fit the stored data/)
  const short = await under(OLD, 'key', 'change-secret', '--new-key-file', fileOf('short'))
  assert.match(short.stderr, /The new key has 5 characters; it needs at least 32/)
  assert.equal((await under(OLD, 'operator', 'show', 'wave-senegal')).code, 0)

  const changed = await under(OLD, 'key', 'change-secret', '--new-key-file', newKey)
  assert.deepEqual(JSON.parse(changed.stdout), { sealed: 1 })
  assert.equal((await under(NEW, 'operator', 'show', 'wave-senegal')).code, 0)
  assert.match(
    (await under(OLD, 'operator', 'show', 'wave-senegal')).stderr,
    /MALIPO_SECRET_KEY does not fit the stored data/,
  )
})
