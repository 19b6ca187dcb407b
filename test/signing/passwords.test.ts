import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hashPassword, isPassword, TooManyPasswords } from '../../src/signing/passwords.ts'

const CHEAP = { log2N: 10, r: 8, p: 1 }

it('a password fits its own hash alone, and nobody’s fits none', async () => {
  const stored = await hashPassword('violet harbour lantern', CHEAP)
  assert.equal(await isPassword('violet harbour lantern', stored), true)
  assert.equal(await isPassword('violet harbour lanterns', stored), false)
  assert.notEqual(await hashPassword('violet harbour lantern', CHEAP), stored)
})

it('two are hashed at a time, fifty wait, and the next one is refused at once', async () => {
  const all = await Promise.allSettled(
    Array.from({ length: 60 }, () => hashPassword('violet harbour lantern', CHEAP)),
  )
  const refused = all.filter((one) => one.status === 'rejected')
  assert.equal(refused.length, 8)
  for (const { reason } of refused) assert.ok(reason instanceof TooManyPasswords)
  assert.match(
    await hashPassword('violet harbour lantern', CHEAP),
    /^scrypt\$10\$/,
    'they are done',
  )
})
