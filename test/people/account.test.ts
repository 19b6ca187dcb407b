import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { startService } from '../../harness/service.ts'
import { codeAt } from '../../src/signing/one-time-codes.ts'
import { findUser } from '../../src/store/people/users.ts'
import { formIn, type Jar, openJar } from '../support/cookie-jar.ts'
import { enter, PASSWORD, personWithPassword } from './people.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service

async function enteredJar(email: string, agent?: string): Promise<Jar> {
  const jar = openJar(url, agent)
  assert.equal((await enter(service, jar, email)).location, '/dashboard')
  return jar
}

/** Sends a form of the dashboard. */
async function send(jar: Jar, path: string, fields: Readonly<Record<string, string>> = {}) {
  const form = formIn((await jar.get('/dashboard')).text)
  return jar.post(path, { form, ...fields })
}

const lastEntry = async () => {
  const [row] = await database.query<{ actor: string; action: string; after: object | null }>(
    'select actor, action, after from audit_entries order by number desc limit 1',
  )
  return row
}

it('everybody reaches their account, whatever their role', async () => {
  for (const role of ['owner', 'admin', 'finance', 'operations', 'developer', 'support'] as const) {
    const visitor = await signedIn(service, role)
    const { status, text } = await visitor.get('/dashboard/account')
    assert.equal(status, 200, role)
    assert.match(text, /<h1>Your account<\/h1>/)
    assert.ok(text.includes(visitor.email))
  }
})

it('name, language and time zone are kept, and pages follow them', async () => {
  const { email, userId } = await personWithPassword(service)
  const jar = await enteredJar(email)
  await jar.get('/dashboard?lang=en')
  const saved = await send(jar, '/dashboard/account/preferences', {
    name: '  Amina   Phiri ',
    language: 'fr',
    timeZone: 'Africa/Lusaka',
  })
  const shown = await jar.get(saved.location ?? '')
  assert.match(shown.text, /<html lang="fr"/)
  assert.match(shown.text, /Enregistré\./)
  assert.doesNotMatch((await jar.get('/dashboard/account')).text, /Enregistré\./, 'shown once')
  const user = await findUser(database, userId)
  assert.deepEqual(
    [user?.name, user?.language, user?.timeZone],
    ['Amina Phiri', 'fr', 'Africa/Lusaka'],
  )
  assert.match((await jar.get('/dashboard')).text, />Amina Phiri</)
  assert.equal((await lastEntry())?.action, 'preferences changed')
  const wrong = await send(jar, '/dashboard/account/preferences', {
    name: 'x',
    language: 'fr',
    timeZone: 'Mars/Olympus',
  })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /<title>Erreur/)
})

it('a new password needs the old one, and ends all other sessions', async () => {
  const { email } = await personWithPassword(service)
  const jar = await enteredJar(email)
  const other = await enteredJar(email)
  const change = (fields: Readonly<Record<string, string>>) =>
    send(jar, '/dashboard/account/password', {
      old: PASSWORD,
      password: 'crimson meadow thunder',
      again: 'crimson meadow thunder',
      ...fields,
    })
  const refused = [
    [{ old: 'not the old one' }, /The old password is not right/],
    [{ again: 'crimson meadow' }, /The two are not the same/],
    [{ password: 'short', again: 'short' }, /at least 12 characters/],
    [{ password: 'password1234', again: 'password1234' }, /easy to guess/],
  ] as const
  for (const [fields, words] of refused) {
    const { status, text } = await change(fields)
    assert.equal(status, 400)
    assert.match(text, words)
    assert.doesNotMatch(text, /crimson meadow|not the old one/, 'no password is shown again')
  }
  const done = await change({})
  assert.equal(done.location, '/dashboard/account')
  assert.match((await jar.get('/dashboard/account')).text, /Your password is changed/)
  assert.equal((await other.get('/dashboard')).status, 303)
  assert.deepEqual((await lastEntry())?.action, 'password changed')
  const old = await openJar(url).post('/sign-in', { email, password: PASSWORD })
  assert.equal(old.status, 401)
  const fresh = await openJar(url).post('/sign-in', { email, password: 'crimson meadow thunder' })
  assert.equal(fresh.status, 303)
})

it('somebody without a password sets one by a link of their own', async () => {
  const visitor = await signedIn(service)
  const { text } = await visitor.get('/dashboard/account')
  assert.match(text, /You have no password yet/)
  const led = await visitor.post('/dashboard/account/password-link')
  assert.match(led.location ?? '', /^\/set-password\//)
  const set = await fetch(url + led.location, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ password: PASSWORD, again: PASSWORD }),
    redirect: 'manual',
  })
  assert.equal(set.headers.get('location'), '/sign-in?notice=saved')
  const user = await findUser(database, visitor.userId)
  assert.match(user?.passwordHash ?? '', /^scrypt\$17\$/)
  // To sign in with it takes long; somebody who was invited does, in the tests of the team.
  if (IS_PROOF) await enteredJar(visitor.email)
})

it('an authenticator counts once its first code was given, and comes with ten recovery codes', async () => {
  const { email, userId } = await personWithPassword(service)
  const jar = await enteredJar(email)
  const begun = await send(jar, '/dashboard/account/authenticator')
  assert.equal(begun.location, '/dashboard/account/authenticator')
  const shown = await jar.get('/dashboard/account/authenticator')
  assert.match(shown.text, /<svg/)
  const key = (/<bdi dir="ltr">([A-Z2-7 ]+)<\/bdi>/.exec(shown.text)?.[1] ?? '').replaceAll(' ', '')
  assert.equal(key.length, 32)
  const step = Math.floor(Date.now() / 30_000)
  const path = '/dashboard/account/authenticator/confirm'
  const wrong = await send(jar, path, { code: codeAt(key, step - 50) })
  assert.equal(wrong.status, 400)
  assert.equal((await findUser(database, userId))?.hasCode, false)
  await enteredJar(email)
  const right = await send(jar, path, { code: codeAt(key, step) })
  const codes = [...right.text.matchAll(/<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/g)].map(
    ([, code = '']) => code,
  )
  assert.equal(new Set(codes).size, 10)
  assert.match((await jar.get('/dashboard/account')).text, /10 of 10 left/)
  assert.equal((await lastEntry())?.action, 'authenticator added')
  const half = openJar(url)
  await half.post('/sign-in', { email, password: PASSWORD })
  assert.equal((await half.get('/dashboard')).status, 303)
  assert.equal((await half.post('/sign-in', { code: codeAt(key, step) })).status, 401, 'taken')
  assert.equal((await half.post('/sign-in', { code: codes[0] ?? '' })).status, 303)
  assert.match((await jar.get('/dashboard/account')).text, /9 of 10 left/)
  const again = await send(jar, '/dashboard/account/recovery-codes')
  assert.match(again.text, /Your recovery codes/)
  assert.ok(!again.text.includes(codes[1] ?? '-'), 'the earlier ones have gone')
  const stored = JSON.stringify(
    await database.query('select * from users where user_id = $1', [userId]),
  )
  assert.ok(!stored.includes(key), 'the key is sealed')
  assert.equal((await send(jar, '/dashboard/account/authenticator')).location, '/dashboard/account')
  await send(jar, '/dashboard/account/authenticator/remove')
  assert.equal((await findUser(database, userId))?.hasCode, false)
  assert.match((await jar.get('/dashboard/account')).text, /0 of 10 left/)
})

it('security asks again who it is once ten minutes have gone by', async () => {
  const { email, userId } = await personWithPassword(service)
  const jar = await enteredJar(email)
  await send(jar, '/dashboard/account/authenticator')
  await database.query(
    `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
    [userId],
  )
  const paths = ['authenticator', 'authenticator/confirm', 'authenticator/remove', 'recovery-codes']
  for (const path of [...paths, 'passkeys', 'passkeys/remove', 'passkeys/name', 'password-link']) {
    const { status, text } = await send(jar, `/dashboard/account/${path}`)
    assert.equal(status, 200)
    assert.match(text, /Is it you\?/, path)
  }
  const hidden = await jar.get('/dashboard/account/authenticator')
  assert.equal(hidden.location, '/dashboard/account', 'the key is not shown either')
})

it('sessions are listed in plain words, and ended one by one or all but this', async () => {
  const { email } = await personWithPassword(service)
  const jar = await enteredJar(email)
  const phone = await enteredJar(
    email,
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
  )
  const tablet = await enteredJar(
    email,
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 Version/18.0 Safari/604.1',
  )
  const { text } = await jar.get('/dashboard/account')
  for (const words of ['Firefox on Linux', 'Chrome on Android', 'Safari on iOS', '127.0.0.1']) {
    assert.ok(text.includes(words), words)
  }
  const ids = [...text.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, id = '']) => id)
  assert.equal(ids.length, 2, 'this one has no button')
  assert.match(text, /<span class="badge">This one<\/span>/)
  const [first = ''] = ids
  const stranger = await enteredJar((await personWithPassword(service)).email)
  await send(stranger, '/dashboard/account/sessions/end', { id: first })
  const alive = async () =>
    (await Promise.all([phone, tablet].map((one) => one.get('/dashboard')))).filter(
      ({ status }) => status === 200,
    ).length
  assert.equal(await alive(), 2, 'nobody ends what is not theirs')
  await send(jar, '/dashboard/account/sessions/end', { id: first })
  assert.equal(await alive(), 1)
  await send(jar, '/dashboard/account/sessions/end-others')
  assert.equal(await alive(), 0)
  assert.equal((await jar.get('/dashboard')).status, 200)
})

it('every form of the account writes one entry of the audit log', async () => {
  const { email } = await personWithPassword(service)
  const jar = await enteredJar(email)
  const count = async () =>
    (await database.query('select from audit_entries where actor = $1', [email])).length
  const before = await count()
  const forms = [
    ['preferences', { name: 'a', language: 'en', timeZone: 'UTC' }],
    ['authenticator', {}],
    ['authenticator/remove', {}],
    ['sessions/end-others', {}],
    ['password', { old: PASSWORD, password: PASSWORD, again: PASSWORD }],
  ] as const
  for (const [at, [path, fields]] of forms.entries()) {
    await send(jar, `/dashboard/account/${path}`, fields)
    assert.equal(await count(), before + at + 1, path)
  }
})
