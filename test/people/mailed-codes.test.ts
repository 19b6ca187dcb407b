import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { formIn, openJar } from '../support/cookie-jar.ts'
import { enter, mailedCode, mailsTo, PASSWORD, personWithPassword } from './people.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service

const isIn = async (jar: ReturnType<typeof openJar>): Promise<boolean> =>
  (await jar.get('/dashboard')).status === 200

/** After the password, with the code that came by mail. */
async function half(email: string) {
  const { length } = await mailsTo(service, email)
  const jar = openJar(url)
  assert.equal((await jar.post('/sign-in', { email, password: PASSWORD })).status, 303)
  const code = await mailedCode(service, email, length)
  return { jar, code, give: (text = code) => jar.post('/sign-in', { code: text }) }
}

/** Another one than this. */
const wrong = (code: string, by = 1): string =>
  String((Number(code) + by) % 1_000_000).padStart(6, '0')

const entriesOf = (email: string) =>
  database.query<{ actor: string; action: string; after: object | null; address: string }>(
    'select actor, action, after, address from audit_entries where object = $1 order by number',
    [email],
  )

it('a password alone is not enough: six digits by mail, typed with spaces or not', async () => {
  const { email } = await personWithPassword(service)
  const { jar, code, give } = await half(email)
  assert.equal(await isIn(jar), false)
  const shown = await jar.get('/sign-in')
  assert.match(shown.text, /Look at your mail/)
  assert.ok(shown.text.includes(email))
  assert.match(shown.text, /href="\/sandbox\/mail/)
  assert.match(shown.text, /<input[^>]* name="code"[^>]* autocomplete="one-time-code"/)
  const secret = jar.cookies.get('malipo_session')
  assert.equal((await give(`${code.slice(0, 3)} ${code.slice(3)}`)).location, '/dashboard')
  assert.equal(await isIn(jar), true)
  assert.notEqual(jar.cookies.get('malipo_session'), secret, 'with another secret')
})

it('counts once, in the browser that asked for it, and never in clear in the database', async () => {
  const { email } = await personWithPassword(service)
  const [first, second] = [await half(email), await half(email)]
  if (first.code !== second.code) {
    assert.equal((await second.give(first.code)).status, 401, 'of another browser')
  }
  const stored = JSON.stringify(await database.query('select * from mailed_codes'))
  assert.ok(!stored.includes(first.code) && !stored.includes(second.code))
  const rows = await database.query<{ hash: Buffer }>('select code_hash as hash from mailed_codes')
  for (const { hash } of rows) assert.equal(hash.length, 32)
  const tries = await Promise.all([first.give(), first.give(), first.give()])
  const ways = tries.map(({ location }) => location).filter((one) => one === '/dashboard')
  assert.equal(ways.length, 1, 'of three at once, one gets in')
  assert.equal((await second.give()).location, '/dashboard', 'both sign-ins are good')
})

it('ends after ten minutes, and after five wrong ones', async () => {
  const { email, userId } = await personWithPassword(service)
  const setBack = (minutes: number) =>
    database.query(
      `update mailed_codes set expires_at = expires_at - make_interval(mins => $2)
       where session_hash in (select hash from user_sessions where user_id = $1)`,
      [userId, minutes],
    )
  const late = await half(email)
  await setBack(11)
  assert.equal((await late.give()).status, 401)
  const inTime = await half(email)
  await setBack(8)
  assert.equal((await inTime.give()).location, '/dashboard')
  const tried = await half(email)
  for (let nth = 1; nth <= 5; nth += 1) {
    const { status, text } = await tried.give(wrong(tried.code, nth))
    assert.equal(status, 401)
    assert.match(text, /This code is not right/)
  }
  await database.query(`delete from sign_in_failures where subject = 'code:' || $1::text`, [userId])
  assert.equal((await tried.give()).status, 401, 'the right one comes too late')
})

it('after five failures each further one waits, whichever code it is for', async () => {
  const { email, userId } = await personWithPassword(service)
  const { code, give } = await half(email)
  for (let nth = 1; nth <= 5; nth += 1) await give(wrong(code, nth))
  await database.query(
    `update sign_in_failures set last_at = now() + interval '1 hour' where subject = 'code:' || $1::text`,
    [userId],
  )
  const again = await half(email)
  const waits = await again.give()
  assert.equal(waits.status, 429)
  assert.match(waits.text, /Too many attempts/)
})

/** The first wait is one second, which a slow machine may need for the next request. */
const holdTimeOfMailedCodes = () =>
  database.query(`
    do $do$ begin
      create function hold_time() returns trigger language plpgsql as $$
      begin
        new.last_at := now() + interval '1 hour';
        return new;
      end $$;
      create trigger hold_time before insert or update on sign_in_failures
        for each row when (new.subject like 'mailed code:%') execute function hold_time();
    end $do$`)

it('another code can be asked for, a few times; the one before is worth nothing', async () => {
  const { email } = await personWithPassword(service)
  const { jar, code } = await half(email)
  const again = () => jar.post('/sign-in/again', { next: '/dashboard/team' })
  const sent = await again()
  assert.equal(sent.location, '/sign-in?next=%2Fdashboard%2Fteam&notice=codeSent')
  assert.match((await jar.get(sent.location ?? '')).text, /Another code is on its way/)
  const next = await mailedCode(service, email, 1)
  if (next !== code) assert.equal((await jar.post('/sign-in', { code })).status, 401)
  await holdTimeOfMailedCodes()
  // However many come at once, each sees how many there were.
  const answers = await Promise.all(Array.from({ length: 8 }, again))
  const refusals = answers.filter(({ status }) => status === 429)
  assert.equal(refusals.length, 5, 'five are sent in all')
  assert.ok(refusals.every(({ text }) => /Too many attempts/.test(text)))
  const refused = await openJar(url).post('/sign-in', { email, password: PASSWORD })
  assert.equal(refused.status, 429, 'nor does the password bring more of them')
  const stranger = await openJar(url).post('/sign-in/again', {})
  assert.equal(stranger.location, '/sign-in?next=%2Fdashboard', 'nobody waits for one')
})

it('a browser that the person trusts is not asked, until the password is another one', async () => {
  const { email } = await personWithPassword(service)
  const jar = openJar(url)
  await enter(service, jar, email, { trust: 'on' })
  jar.cookies.delete('malipo_session')
  const again = await jar.post('/sign-in', { email, password: PASSWORD })
  assert.equal(again.location, '/dashboard')
  assert.equal((await mailsTo(service, email)).length, 1, 'no second code is sent')
  const form = formIn((await jar.get('/dashboard')).text)
  const password = 'copper valley morning'
  await jar.post('/dashboard/account/password', { form, old: PASSWORD, password, again: password })
  jar.cookies.delete('malipo_session')
  const asked = await jar.post('/sign-in', { email, password })
  assert.match(asked.location ?? '', /^\/sign-in/)
})

it('nobody is kept out whose mail the sandbox shows to nobody', async () => {
  const other = await createMerchant(database, { slug: 'two', name: 'Two', providers: [], now: 1 })
  const { email } = await personWithPassword(service, 'support', [1, other ?? 0])
  const entered = await openJar(url).post('/sign-in', { email, password: PASSWORD })
  assert.equal(entered.location, '/dashboard')
  assert.equal((await mailsTo(service, email)).length, 0)
})

it('speaks French', async () => {
  const { email } = await personWithPassword(service)
  const { jar, give, code } = await half(email)
  const { text } = await jar.get('/sign-in?lang=fr')
  assert.match(text, /Consultez vos e-mails/)
  assert.match(text, /Envoyer un autre code/)
  assert.match((await give(wrong(code))).text, /This code is not right/)
  await database.query(`update users set language = 'fr' where email = $1`, [email])
  await half(email)
  const subjects = await mailsTo(service, email)
  assert.match(subjects.at(-1) ?? '', /est votre code pour Malipo/)
})

it('signing in, failing, asking for a link and signing out are in the audit log', async () => {
  const { email } = await personWithPassword(service)
  for (let nth = 0; nth < 3; nth += 1) {
    await openJar(url).post('/sign-in', { email, password: 'not the password' })
  }
  const { jar, code, give } = await half(email)
  await give(wrong(code))
  await give()
  const form = formIn((await jar.get('/dashboard')).text)
  await jar.post('/sign-out', { form })
  for (let nth = 0; nth < 2; nth += 1) await openJar(url).post('/sign-in/forgotten', { email })
  // Failures and links asked for are written behind their answers.
  const entries = await eventually(async () => {
    const found = await entriesOf(email)
    assert.equal(found.length, 5)
    return found
  })
  const texts = entries.map(({ actor, action, after: how }) =>
    [actor, action, ...(how === null ? [] : [JSON.stringify(how)])].join(': '),
  )
  assert.deepEqual(texts.toSorted(), [
    'not signed in: reset link asked for',
    'not signed in: sign-in failed: {"at":"password"}',
    'not signed in: sign-in failed: {"at":"second factor"}',
    `${email}: signed in: {"with":"password and mailed code"}`,
    `${email}: signed out`,
  ])
  for (const { address } of entries) assert.equal(address, '127.0.0.1')
  const nobody = 'nobody-in-the-log@example.com'
  await openJar(url).post('/sign-in', { email: nobody, password: 'not the password' })
  assert.equal((await entriesOf(nobody)).length, 0)
})

it('who leaves between the two steps was never signed in', async () => {
  const { email } = await personWithPassword(service)
  const { jar } = await half(email)
  await jar.post('/sign-out', {})
  assert.deepEqual(await entriesOf(email), [])
  assert.equal((await jar.post('/sign-in/again', {})).location, '/sign-in?next=%2Fdashboard')
})
