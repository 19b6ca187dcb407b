import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readConfig } from '../../src/node/config.ts'
import { malipo } from './program.ts'

/** Values that cannot be used, and the way out that is told. */
const BROKEN: readonly (readonly [name: string, value: string, told: RegExp])[] = [
  ['PORT', '80a', /must be a whole number from 0 to 65535, not "80a"\./],
  ['PORT', '65536', /from 0 to 65535/],
  ['PORT', '-1', /from 0 to 65535/],
  ['MALIPO_ENV', 'staging', /must be sandbox or production, not "staging"\./],
  ['MALIPO_MAX_CONNECTIONS', '99', /must be at least 100\./],
  ['MALIPO_DB_CONNECTIONS', '3', /must be at least 4\./],
  ['MALIPO_DB_TIMEOUT_MS', '1e4', /must be a whole number/],
  ['MALIPO_DB_TIMEOUT_MS', '10', /must be at least 1000\./],
  ['MALIPO_SANDBOX_DELAY_MS', '1.5', /must be a whole number/],
  ['MALIPO_SANDBOX_TIME_SCALE', '0', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TIME_SCALE', '1.5', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TIME_SCALE', 'half', /must be a number from 0.01 to 1/],
  ['MALIPO_SANDBOX_TOKEN', 'short', /needs 20 to 200 characters without spaces\./],
  ['MALIPO_SECRET_KEY', 'short', /needs at least 32 characters\./],
  ['MALIPO_SECRET_KEY_FILE', '/nowhere/key', /names "\/nowhere\/key", which cannot be read/],
  ['MALIPO_LOG_LEVEL', 'loud', /must be debug or info or .*, not "loud"\./],
  ['MALIPO_PUBLIC_URL', 'pay.example', /must be an address that starts with http:\/\/\./],
  ['DATABASE_URL', 'mysql://db/malipo', /must be an address that starts with postgres:\/\/\./],
]

it('a setting that cannot be used is named, with what can', () => {
  for (const [name, value, told] of BROKEN) {
    const isNamed = (error: Error): boolean => {
      assert.ok(error.message.startsWith(`${name} `), error.message)
      assert.match(error.message, told)
      return true
    }
    assert.throws(() => readConfig({ [name]: value }), isNamed, `${name}=${value}`)
  }
})

it('and stops the start before anything is opened', async () => {
  const { code, stdout, stderr } = await malipo(['start'], { PORT: '80a' })
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
  assert.match(stderr, /PORT must be a whole number/)
})
