import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { seal } from '../../src/signing/keys.ts'
import { codeAt, newCodeKey } from '../../src/signing/one-time-codes.ts'
import { hashPassword } from '../../src/signing/passwords.ts'
import { replaceRecoveryCodes } from '../../src/store/people/sign-in.ts'
import { changeUser } from '../../src/store/people/users.ts'
import { recoveryHash } from '../../src/usecases/people/proofs.ts'
import { formIn, type Jar, openJar } from '../support/cookie-jar.ts'
import { enter, mailedCode, PASSWORD, personWithPassword } from './people.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service
const person = () => personWithPassword(service)

const signIn = (jar: Jar, email: string, password = PASSWORD, more = {}) =>
  jar.post('/sign-in', { email, password, ...more })

async function signedInJar(email: string): Promise<Jar> {
  const jar = openJar(url)
  assert.equal((await enter(service, jar, email)).location, '/dashboard')
  return jar
}

const isIn = async (jar: Jar): Promise<boolean> => (await jar.get('/dashboard')).status === 200

/** A second factor, set up behind the service's back. */
async function withAuthenticator(userId: number): Promise<string> {
  const key = newCodeKey()
  const sealedCodeKey = seal(service.node.ctx.people.secretKey, key)
  await changeUser(database, userId, { sealedCodeKey, codeSinceMs: Date.now() })
  return key
}

const step = () => Math.floor(Date.now() / 30_000)

it('signs in with e-mail and password, in either case, and lands where the link led', async () => {
  const { email } = await person()
  const jar = openJar(url)
  const led = await jar.get('/dashboard/team?tab=pending')
  assert.equal(led.status, 303)
  const shown = await jar.get(led.location ?? '')
  const next = /name="next" value="([^"]+)"/.exec(shown.text)?.[1] ?? ''
  assert.equal(next, '/dashboard/team?tab=pending')
  const half = await signIn(jar, ` ${email.toUpperCase()} `, PASSWORD, { next })
  assert.equal(half.location, `/sign-in?${new URLSearchParams({ next })}`)
  // Mail comes behind the answer; this code is of no use once there is another.
  await mailedCode(service, email, 0)
  const answer = await enter(service, jar, email, { next })
  assert.deepEqual([answer.status, answer.location], [303, '/dashboard/team?tab=pending'])
  assert.equal(await isIn(jar), true)
  assert.equal((await jar.get('/sign-in')).location, '/dashboard', 'no need to sign in twice')
})

it('lets password managers and the clipboard fill the forms', async () => {
  const { email, userId } = await person()
  const { text } = await openJar(url).get('/sign-in')
  assert.match(text, /<input[^>]* name="email"[^>]* autocomplete="username"/)
  assert.match(text, /<input[^>]* name="password"[^>]* autocomplete="current-password"/)
  await withAuthenticator(userId)
  const jar = openJar(url)
  await signIn(jar, email)
  const second = await jar.get('/sign-in')
  assert.match(second.text, /<input[^>]* name="code"[^>]* autocomplete="one-time-code"/)
  assert.doesNotMatch(text + second.text, /onpaste|oncopy|autocomplete="off"[^>]*type="password"/)
})

it('answers the same for a wrong password and for nobody', async () => {
  const { email } = await person()
  const known = await signIn(openJar(url), email, 'wrong password here')
  const unknown = await signIn(openJar(url), 'nobody-at-all@example.com', 'wrong password here')
  const plain = ({ status, text }: typeof known, its: string) => ({
    status,
    text: text.replaceAll(its, 'E-MAIL').replaceAll(/&quot;challenge&quot;:&quot;[^&]+&quot;/g, ''),
  })
  assert.equal(known.status, 401)
  assert.deepEqual(plain(known, email), plain(unknown, 'nobody-at-all@example.com'))
  assert.match(known.text, /E-mail or password is not right/)
  // Failures are written behind their answers.
  const failed = (object: string) =>
    database.query('select from audit_entries where object = $1', [object])
  await eventually(async () => assert.equal((await failed(email)).length, 1))
  assert.equal((await failed('nobody-at-all@example.com')).length, 0, 'only of people')
})

it('waits after five failures, longer each time, for people and for nobody alike', async () => {
  const { email } = await person()
  for (const name of [email, 'nobody-waits@example.com']) {
    const fails = async () => {
      const failed = await signIn(openJar(url), name, 'wrong password here')
      assert.equal(failed.status, 401, name)
    }
    await fails()
    assert.equal(await failuresOf(name), 1)
    // Each takes as long as a password that is hashed with care: the next three are written.
    await setFailures(name, 4, '0 seconds')
    await fails()
    assert.equal(await failuresOf(name), 5)
    // As if the last failure were in the future, so that no pause of this machine can end the wait.
    await setFailures(name, 6)
    const waits = await signIn(openJar(url), name, PASSWORD)
    assert.equal(waits.status, 429)
    assert.match(waits.text, /Too many attempts/)
    const first = secondsIn(waits.text)
    await setFailures(name, 9)
    const later = secondsIn((await signIn(openJar(url), name, PASSWORD)).text)
    assert.ok(later > first, `${later} > ${first}`)
  }
})

const setFailures = (email: string, failures: number, last = '1 hour') =>
  database.query(
    `update sign_in_failures set failures = $2, last_at = now() + $3::interval
     where subject = $1`,
    [`account:${email}`, failures, last],
  )
const failuresOf = async (email: string): Promise<number | undefined> => {
  const rows = await database.query<{ failures: number }>(
    'select failures from sign_in_failures where subject = $1',
    [`account:${email}`],
  )
  return rows[0]?.failures
}
const secondsIn = (text: string): number => Number(/again in (\d+) s/.exec(text)?.[1])

it('one password tried on many people makes its address wait', async () => {
  const address = `update sign_in_failures set failures = $1, last_at = now() + interval '1 hour'
    where subject like 'address:%'`
  const { email } = await person()
  await signIn(openJar(url), email, 'wrong password here')
  await database.query(address, [40])
  const waits = await signIn(openJar(url), 'sprayed-2@example.com', 'wrong password here')
  // The tests after this one come from the same address.
  await database.query("delete from sign_in_failures where subject like 'address:%'")
  assert.equal(waits.status, 429)
  assert.match(waits.text, /Too many attempts/)
})

it('a stranger who guesses does not keep the person out of a browser they used before', async () => {
  const { email } = await person()
  const own = await signedInJar(email)
  own.cookies.delete('malipo_session')
  await signIn(openJar(url), email, 'wrong password here')
  await setFailures(email, 100)
  assert.equal((await signIn(openJar(url), email)).status, 429, 'a stranger waits')
  assert.equal((await signIn(own, email)).status, 303, 'the known browser does not')
  const other = await person()
  await signIn(openJar(url), other.email, 'wrong password here')
  await setFailures(other.email, 100)
  assert.equal((await signIn(own, other.email)).status, 429, 'it is known for one person only')
})

it('the secret of the session changes at every step, and a planted one is worth nothing', async () => {
  const { email, userId } = await person()
  const key = await withAuthenticator(userId)
  const jar = openJar(url)
  jar.cookies.set('malipo_session', 'planted')
  await signIn(jar, email)
  const half = jar.cookies.get('malipo_session') ?? ''
  assert.notEqual(half, 'planted')
  assert.equal(await isIn(jar), false, 'a password alone is not enough')
  assert.equal((await jar.post('/sign-in', { code: codeAt(key, step()) })).status, 303)
  const whole = jar.cookies.get('malipo_session') ?? ''
  assert.notEqual(whole, half)
  assert.equal(await isIn(jar), true)
  jar.cookies.set('malipo_session', half)
  assert.equal(await isIn(jar), false, 'the secret between the steps has ended')
})

it('takes a code of the authenticator once, and each recovery code once', async () => {
  const { email, userId } = await person()
  const key = await withAuthenticator(userId)
  await replaceRecoveryCodes(database, userId, [recoveryHash(userId, 'abcde-fghjk')])
  const give = async (code: string): Promise<number> => {
    const jar = openJar(url)
    await signIn(jar, email)
    return (await jar.post('/sign-in', { code })).status
  }
  // The next one counts too, so that the step may end meanwhile.
  const code = codeAt(key, step() + 1)
  assert.deepEqual([await give(code), await give(code)], [303, 401])
  assert.deepEqual([await give('ABCDE FGHJK'), await give('abcde-fghjk')], [303, 401])
  assert.equal(await give('000000x'), 401)
})

it('a browser that the person trusts is not asked for the code, until something changes', async () => {
  const { email, userId } = await person()
  const key = await withAuthenticator(userId)
  const jar = openJar(url)
  await signIn(jar, email)
  assert.equal((await jar.post('/sign-in', { code: codeAt(key, step()), trust: 'on' })).status, 303)
  jar.cookies.delete('malipo_session')
  assert.equal((await signIn(jar, email)).location, '/dashboard')
  assert.equal(await isIn(jar), true)
  const form = formIn((await jar.get('/dashboard')).text)
  const sensitive = await jar.post('/dashboard/account/recovery-codes', { form })
  assert.match(sensitive.text, /Is it you\?/, 'it is asked for before a sensitive change')
  const other = await person()
  await withAuthenticator(other.userId)
  jar.cookies.delete('malipo_session')
  assert.match((await signIn(jar, other.email)).location ?? '', /^\/sign-in/, 'somebody else')
  await withAuthenticator(userId)
  jar.cookies.delete('malipo_session')
  assert.match((await signIn(jar, email)).location ?? '', /^\/sign-in/, 'another authenticator')
})

it('of two requests with the same code at once, one gets in', async () => {
  const { email, userId } = await person()
  const key = await withAuthenticator(userId)
  const jars = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const jar = openJar(url)
      await signIn(jar, email)
      return jar
    }),
  )
  const code = codeAt(key, step() + 1)
  const answers = await Promise.all(jars.map((jar) => jar.post('/sign-in', { code })))
  assert.equal(answers.filter(({ status }) => status === 303).length, 1)
})

it('leads nowhere but into the dashboard', async () => {
  const { email } = await person()
  const elsewhere = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/dashboard/../evil',
    '/dashboard\r\nSet-Cookie: a=b',
    '/dashboardevil',
    'javascript:alert(1)',
  ]
  for (const next of elsewhere) {
    const jar = openJar(url)
    const { location } = await enter(service, jar, email, { next })
    assert.ok(location !== null)
    const target = new URL(location, url)
    assert.equal(target.origin, new URL(url).origin, next)
    assert.match(target.pathname, /^\/(dashboard|evil)$/, next)
    const led = await jar.get(`/sign-in?${new URLSearchParams({ next })}`)
    assert.equal(new URL(led.location ?? '', url).origin, new URL(url).origin, next)
  }
})

it('a session ends after half an hour without a request, and after twelve hours at all', async () => {
  const { email, userId } = await person()
  const idle = await signedInJar(email)
  await setBack(userId, 'seen_at', '29 minutes')
  assert.equal(await isIn(idle), true)
  await setBack(userId, 'seen_at', '31 minutes')
  assert.equal(await isIn(idle), false)
  const busy = await signedInJar(email)
  await setBack(userId, 'created_at', '11 hours 59 minutes')
  assert.equal(await isIn(busy), true)
  await setBack(userId, 'created_at', '12 hours 1 minute')
  assert.equal(await isIn(busy), false)
})

const setBack = (userId: number, column: 'seen_at' | 'created_at', by: string) =>
  database.query(`update user_sessions set ${column} = now() - $2::interval where user_id = $1`, [
    userId,
    by,
  ])

it('the cookie of the session is out of the reach of scripts and of other sites', async () => {
  const { email } = await person()
  const { headers } = await signIn(openJar(url), email)
  const line = headers.getSetCookie().find((one) => one.startsWith('malipo_session=')) ?? ''
  assert.match(line, /; HttpOnly/)
  assert.match(line, /; SameSite=Lax/)
  assert.match(line, /; Path=\//)
  assert.doesNotMatch(line, /Domain|Max-Age/)
})

it('signing out ends the session for good', async () => {
  const { email } = await person()
  const jar = await signedInJar(email)
  const secret = jar.cookies.get('malipo_session') ?? ''
  const shown = await jar.get('/dashboard')
  const out = await jar.post('/sign-out', { form: formIn(shown.text) })
  assert.deepEqual([out.status, out.location], [303, '/sign-in?notice=signedOut'])
  assert.match((await jar.get(out.location ?? '')).text, /You are signed out/)
  jar.cookies.set('malipo_session', secret)
  assert.equal(await isIn(jar), false)
})

it('somebody who is disabled is out at once and does not come in again', async () => {
  const { email, userId } = await person()
  const jar = await signedInJar(email)
  await changeUser(database, userId, { disabledMs: Date.now() })
  assert.equal(await isIn(jar), false)
  assert.equal((await jar.get('/sign-in')).status, 200, 'and is not led in circles')
  assert.equal((await signIn(openJar(url), email)).status, 401)
})

it('somebody who belongs to no merchant any more is out, with the same words as anybody', async () => {
  const { email, userId } = await person()
  const jar = await signedInJar(email)
  await database.query('update memberships set disabled_at = now() where user_id = $1', [userId])
  assert.equal(await isIn(jar), false)
  assert.equal((await jar.get('/sign-in')).status, 200)
  const again = await signIn(openJar(url), email)
  assert.equal(again.status, 401)
  assert.match(again.text, /E-mail or password is not right/)
})

it('a form needs its token and our own origin', async () => {
  const { email } = await person()
  const jar = await signedInJar(email)
  const form = formIn((await jar.get('/dashboard')).text)
  const fields = { name: 'Nobody', language: 'en', timeZone: 'UTC' }
  const path = '/dashboard/account/preferences'
  assert.equal((await jar.post(path, fields)).status, 403)
  assert.equal((await jar.post(path, { ...fields, form: `${form}x` })).status, 403)
  const foreign = await jar.post(path, { ...fields, form }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  const other = await signedInJar(email)
  assert.equal((await other.post(path, { ...fields, form })).status, 403, 'of another session')
  assert.equal((await jar.post(path, { ...fields, form })).status, 303)
  const strange = await openJar(url).post(
    '/sign-in',
    { email, password: PASSWORD },
    { origin: 'https://evil.example' },
  )
  assert.equal(strange.location, '/sign-in', 'nobody is signed in from another site')
  assert.equal(strange.headers.getSetCookie().length, 0)
})

it('a sensitive change asks again after ten minutes, and goes on with what was typed', async () => {
  const { email, userId } = await person()
  const jar = await signedInJar(email)
  const form = formIn((await jar.get('/dashboard')).text)
  const fields = { form, email: 'invited-late@example.com', role: 'support' }
  await database.query(
    `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
    [userId],
  )
  const asked = await jar.post('/dashboard/team/invite', fields)
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Is it you\?/)
  assert.match(asked.text, /name="email" value="invited-late@example.com"/)
  const wrong = await jar.post('/dashboard/team/invite', { ...fields, proof: 'wrong' })
  assert.equal(wrong.status, 403)
  assert.equal(wrong.text.includes('That is not right'), true)
  const done = await jar.post('/dashboard/team/invite', { ...fields, proof: PASSWORD })
  assert.equal(done.status, 303)
})

it('where too many passwords wait to be checked, the next one is asked to come again', async () => {
  const { email } = await person()
  const jar = await signedInJar(email)
  const form = formIn((await jar.get('/dashboard')).text)
  const whole = { form, old: PASSWORD, password: PASSWORD, again: PASSWORD }
  let isOver = false
  const keepBusy = async (): Promise<void> => {
    while (!isOver) {
      await hashPassword('any', { log2N: 10, r: 8, p: 1 }).catch(() => {})
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const busy = Array.from({ length: 60 }, keepBusy)
  try {
    await eventually(async () => {
      const refused = await signIn(openJar(url), email)
      assert.equal(refused.status, 503)
      assert.equal(refused.headers.get('retry-after'), '5')
      assert.match(refused.text, /Too many people are signing in/)
    })
    await eventually(async () => {
      const inside = await jar.post('/dashboard/account/password', whole)
      assert.equal(inside.status, 503)
      assert.equal(inside.headers.get('retry-after'), '5')
    })
  } finally {
    isOver = true
    await Promise.all(busy)
  }
})
