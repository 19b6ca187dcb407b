import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { putMembership } from '../../src/store/people/users.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { openJar } from '../support/cookie-jar.ts'
import { enter, PASSWORD, personWithPassword } from './people.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service

/** A merchant of its own for each test: who is an owner matters here. */
let merchants = 0
async function newMerchant(): Promise<number> {
  merchants += 1
  const slug = `team-${merchants}`
  const providers = service.node.ctx.providers.catalog.all
  const id = await createMerchant(database, { slug, name: slug, providers, now: Date.now() })
  assert.ok(id !== undefined)
  return id
}

const person = (
  merchantId: number,
  role: Parameters<typeof signedIn>[1],
  countries: string[] = [],
) => signedIn(service, role, { merchantId, countries })

type Row = { role: string; countries: string[]; disabled: boolean }
async function membership(merchantId: number, userId: number): Promise<Row | undefined> {
  const [row] = await database.query<Row>(
    `select role, countries, disabled_at is not null as disabled from memberships
     where merchant_id = $1 and user_id = $2`,
    [merchantId, userId],
  )
  return row
}

const mailsTo = (email: string) =>
  database.query<{ subject: string; text: string }>(
    'select subject, text from mails where recipient = $1 order by number',
    [email],
  )

const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

it('shows everybody with role, countries, last seen and second factor, by tabs and text', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const zambia = await person(id, 'support', ['ZMB'])
  await owner.post('/dashboard/team/invite', { email: 'pending@example.com', role: 'finance' })
  const active = await owner.get('/dashboard/team')
  for (const words of [
    owner.email,
    zambia.email,
    'Zambia',
    'Support',
    'None',
    'Active (2)',
    'Pending (1)',
  ]) {
    assert.ok(active.text.includes(words), words)
  }
  assert.ok(!active.text.includes('pending@example.com'))
  assert.match(active.text, new RegExp(`>${owner.email}</a> <span class="badge">You</span>`))
  const pending = await owner.get('/dashboard/team?tab=pending')
  assert.ok(pending.text.includes('pending@example.com'))
  const found = await owner.get(
    `/dashboard/team?q=${encodeURIComponent(zambia.email.toUpperCase())}`,
  )
  assert.ok(found.text.includes(zambia.email))
  assert.ok(!found.text.includes(`>${owner.email}</a> <span`))
  const none = await owner.get('/dashboard/team?tab=disabled')
  assert.match(none.text, /Nobody is disabled/)
  assert.match(none.text, /Show all active people/)
})

it('is for owners and admins', async () => {
  const id = await newMerchant()
  for (const role of ['finance', 'operations', 'developer', 'support'] as const) {
    const visitor = await person(id, role)
    assert.equal((await visitor.get('/dashboard/team')).status, 403, role)
    const invited = { email: `by-${role}@example.com`, role }
    assert.equal((await visitor.post('/dashboard/team/invite', invited)).status, 403, role)
    assert.equal((await visitor.get('/dashboard/audit')).status, 403, role)
    assert.equal((await visitor.get('/dashboard/audit.csv')).status, 403, role)
  }
})

it('an invitation comes by mail; its link sets a password once, and the person is in', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const email = 'new.member@example.com'
  const sent = await owner.post('/dashboard/team/invite', {
    email,
    role: 'developer',
    country: 'ZMB',
  })
  assert.equal(sent.status, 303)
  const [mail] = await eventually(async () => {
    const found = await mailsTo(email)
    assert.equal(found.length, 1)
    return found
  })
  assert.match(mail?.subject ?? '', /You are invited to team-/)
  assert.match(mail?.text ?? '', new RegExp(`${owner.email} invited you .* as Developer`))
  const link = linkIn(mail?.text ?? '')
  const set = () =>
    fetch(link, {
      method: 'POST',
      headers: { origin: url },
      body: new URLSearchParams({ password: 'amber river sunrise', again: 'amber river sunrise' }),
      redirect: 'manual',
    })
  assert.equal((await set()).headers.get('location'), '/sign-in?notice=saved')
  assert.equal((await set()).status, 410)
  const entered = await enter(service, openJar(url), email, { password: 'amber river sunrise' })
  assert.equal(entered.location, '/dashboard')
  assert.match((await owner.get('/dashboard/team')).text, /new\.member@example\.com/)
  const [entry] = await database.query(
    `select actor, action, object, after from audit_entries
     where merchant_id = $1 and action = 'user invited'`,
    [id],
  )
  assert.deepEqual(entry, {
    actor: owner.email,
    action: 'user invited',
    object: email,
    after: { role: 'developer', countries: ['ZMB'] },
  })
})

it('resending makes another link, and the earlier one stops working', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const email = 'again@example.com'
  await owner.post('/dashboard/team/invite', { email, role: 'support' })
  const pending = await owner.get('/dashboard/team?tab=pending')
  const userId = /\/dashboard\/team\/(\d+)"/.exec(pending.text)?.[1]
  assert.match((await owner.get(`/dashboard/team/${userId}`)).text, /Send the invitation again/)
  await owner.post(`/dashboard/team/${userId}/resend`)
  const [first, second] = await eventually(async () => {
    const found = await mailsTo(email)
    assert.equal(found.length, 2)
    return found
  })
  assert.equal((await fetch(linkIn(first?.text ?? ''))).status, 410)
  assert.equal((await fetch(linkIn(second?.text ?? ''))).status, 200)
})

it('a link to set another password goes to the person, and leaves the old one until it is used', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const member = await person(id, 'finance')
  const done = await owner.post(`/dashboard/team/${member.userId}/reset`)
  assert.equal(done.location, `/dashboard/team/${member.userId}`)
  await eventually(async () => assert.equal((await mailsTo(member.email)).length, 1))
  assert.equal((await member.get('/dashboard')).status, 200)
})

it('people grant only what they hold: roles, countries, and nobody above them', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const admin = await person(id, 'admin')
  const local = await person(id, 'admin', ['ZMB'])
  const support = await person(id, 'support', ['ZMB'])
  const invite = async (by: Visitor, fields: Readonly<Record<string, string>>) =>
    (await by.post('/dashboard/team/invite', fields)).status
  assert.equal(await invite(admin, { email: 'a1@example.com', role: 'owner' }), 400)
  assert.equal(await invite(admin, { email: 'a1@example.com', role: 'admin' }), 303)
  assert.equal(
    await invite(local, { email: 'a2@example.com', role: 'support' }),
    400,
    'all countries',
  )
  const kenya = { email: 'a2@example.com', role: 'support', country: 'KEN' }
  assert.equal(await invite(local, kenya), 400)
  assert.equal(await invite(local, { ...kenya, country: 'ZMB' }), 303)
  assert.equal(await invite(admin, { email: 'a3@example.com', role: 'emperor' }), 400)
  assert.equal(await invite(admin, { email: 'not an e-mail', role: 'support' }), 400)
  for (const act of ['', '/disable', '/reset']) {
    const fields = { role: 'support' }
    const { status, text } = await admin.post(`/dashboard/team/${owner.userId}${act}`, fields)
    assert.equal(status, 400, act)
    const refusal =
      act === '' ? /do not exceed your own/ : /<\/strong>You cannot change this person/
    assert.match(text, refusal)
    const far = await local.post(`/dashboard/team/${admin.userId}${act}`, {
      ...fields,
      country: 'ZMB',
    })
    assert.equal(far.status, 400, act)
  }
  assert.match(
    (await admin.get(`/dashboard/team/${owner.userId}`)).text,
    /You cannot change this person/,
  )
  const raised = await admin.post(`/dashboard/team/${support.userId}`, { role: 'owner' })
  assert.equal(raised.status, 400)
  const changed = await admin.post(`/dashboard/team/${support.userId}`, { role: 'finance' })
  assert.equal(changed.status, 303)
  assert.deepEqual(await membership(id, support.userId), {
    role: 'finance',
    countries: [],
    disabled: false,
  })
})

it('inviting somebody who is there already changes nothing', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const admin = await person(id, 'admin')
  const answer = await admin.post('/dashboard/team/invite', { email: owner.email, role: 'support' })
  assert.equal(answer.status, 400)
  assert.match(answer.text, /belongs to somebody of the team already/)
  assert.equal((await membership(id, owner.userId))?.role, 'owner')
})

it('a disabled person is out at once, and back when enabled', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const member = await person(id, 'developer')
  await owner.post(`/dashboard/team/${member.userId}/disable`)
  assert.equal((await member.get('/dashboard')).status, 303)
  assert.ok((await owner.get('/dashboard/team?tab=disabled')).text.includes(member.email))
  await owner.post(`/dashboard/team/${member.userId}/enable`)
  assert.equal((await membership(id, member.userId))?.disabled, false)
  const entries = await database.query(
    `select before, after from audit_entries where merchant_id = $1 and object = $2
       and action in ('user disabled', 'user enabled') order by number`,
    [id, member.email],
  )
  assert.deepEqual(entries, [
    { before: { state: 'active' }, after: { state: 'disabled' } },
    { before: { state: 'disabled' }, after: { state: 'active' } },
  ])
})

it('a person who disables themselves reads so on the next page, in their language', async () => {
  const id = await newMerchant()
  await person(id, 'owner')
  for (const [isElsewhere, lang, path, words] of [
    [false, 'en', '/sign-in', 'You have disabled your own access. '],
    [false, 'fr', '/sign-in', 'Vous avez désactivé votre propre accès. '],
    [true, 'en', '/dashboard', 'You have disabled your own access to team-'],
    [true, 'fr', '/dashboard', 'Vous avez désactivé votre propre accès à team-'],
  ] as const) {
    const visitor = await person(id, 'owner')
    const { userId } = visitor
    const other = { merchantId: 1 as MerchantId, userId, role: 'support', countries: [] } as const
    if (isElsewhere) {
      await database.inTransaction((tx) => putMembership(tx, { ...other, now: Date.now() }))
    }
    await database.query('update users set language = $1 where user_id = $2', [lang, userId])
    const done = await visitor.post(`/dashboard/team/${userId}/disable`)
    assert.equal(done.location?.split('?')[0], path, done.text)
    const [flash = ''] = done.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
    // Who is not signed in any more has the language that the browser asks for.
    const headers = { cookie: `${visitor.cookie}; ${flash}`, 'accept-language': lang }
    const { text } = await visitor.get(done.location ?? '', headers)
    const notice = /<p class="notice" role="status">(.*?)<\/p>/.exec(text)?.[1] ?? ''
    assert.ok(notice.startsWith(words), notice)
  }
})

it('the last owner is neither disabled nor demoted', async () => {
  const id = await newMerchant()
  const owner = await person(id, 'owner')
  const invited = { email: 'owner-to-be@example.com', role: 'owner' }
  assert.equal((await owner.post('/dashboard/team/invite', invited)).status, 303)
  for (const [act, fields] of [
    ['/disable', {}],
    ['', { role: 'admin' }],
  ] as const) {
    const { status, text } = await owner.post(`/dashboard/team/${owner.userId}${act}`, fields)
    assert.equal(status, 400)
    assert.match(text, /This is the last owner/, 'somebody invited does not count yet')
  }
  const second = await person(id, 'owner')
  assert.equal(
    (await second.post(`/dashboard/team/${owner.userId}`, { role: 'admin' })).status,
    303,
  )
  assert.equal((await second.post(`/dashboard/team/${second.userId}/disable`)).status, 400)
})

const ROUNDS = IS_PROOF ? 5 : 2

it('of two owners who remove each other at once, one stays', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = await newMerchant()
    const one = await person(id, 'owner')
    const other = await person(id, 'owner')
    const answers = await Promise.all([
      one.post(`/dashboard/team/${other.userId}/disable`),
      other.post(`/dashboard/team/${one.userId}`, { role: 'support' }),
      one.post(`/dashboard/team/${one.userId}`, { role: 'finance' }),
    ])
    const owners = await database.query(
      `select from memberships where merchant_id = $1 and role = 'owner' and disabled_at is null`,
      [id],
    )
    assert.equal(owners.length, 1)
    assert.ok(answers.some(({ status }) => status === 303))
  }
})

it('people of another merchant are not there', async () => {
  const [mine, theirs] = [await newMerchant(), await newMerchant()]
  const owner = await person(mine, 'owner')
  const stranger = await person(theirs, 'support')
  const there = await owner.get(`/dashboard/team/${stranger.userId}`)
  const nowhere = await owner.get('/dashboard/team/999999')
  assert.deepEqual([there.status, nowhere.status], [404, 404])
  assert.equal((await owner.post(`/dashboard/team/${stranger.userId}/disable`)).status, 404)
  assert.equal((await membership(theirs, stranger.userId))?.disabled, false)
  assert.ok(!(await owner.get('/dashboard/team')).text.includes(stranger.email))
})

it('somebody of two merchants switches between them, and loses one without the other', async () => {
  const [mine, theirs] = [await newMerchant(), await newMerchant()]
  const owner = await person(mine, 'owner')
  const shared = await person(theirs, 'developer')
  const known = { email: shared.email, role: 'support' }
  assert.equal((await owner.post('/dashboard/team/invite', known)).status, 303)
  await shared.post('/dashboard/merchant', { merchant: `team-${merchants - 1}` })
  const slug =
    (
      await database.query<{ slug: string }>('select slug from merchants where merchant_id = $1', [
        mine,
      ])
    )[0]?.slug ?? ''
  await shared.post('/dashboard/merchant', { merchant: slug })
  assert.match((await shared.get('/dashboard')).text, new RegExp(`· ${slug}</title>`))
  await owner.post(`/dashboard/team/${shared.userId}/disable`)
  const left = await shared.get('/dashboard')
  assert.equal(left.status, 200)
  assert.doesNotMatch(left.text, new RegExp(`· ${slug}</title>`))
})

it('without mail in production the link is shown once, and never one that opens another merchant', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SANDBOX_DELAY_MS: '',
    MALIPO_SECRET_KEY: 'a secret of thirty-two characters and more',
  })
  try {
    const { database: db } = production
    const create = (slug: string) =>
      createMerchant(db, { slug, name: slug, providers: [], now: Date.now() })
    const [first = 0, second = 0] = [await create('first'), await create('second')]
    const owner = await signedIn(production, 'owner', { merchantId: first })
    const invited = await owner.post('/dashboard/team/invite', {
      email: 'no-mail@example.com',
      role: 'support',
    })
    assert.equal(invited.status, 200)
    assert.match(invited.text, /Pass this link on to no-mail@example\.com.*\/set-password\//s)
    assert.equal(invited.headers.get('cache-control'), 'no-store')
    assert.equal(invited.headers.get('set-cookie'), null, 'no cookie keeps it')
    assert.doesNotMatch((await owner.get('/dashboard/team')).text, /set-password/)
    const { email } = await personWithPassword(production, 'support', [first])
    const entered = await openJar(production.url).post('/sign-in', { email, password: PASSWORD })
    assert.equal(entered.location, '/dashboard', 'the password is enough where none can be mailed')
    const both = await signedIn(production, 'developer', { merchantId: second })
    await putMembership(db, {
      merchantId: first as MerchantId,
      userId: both.userId,
      role: 'support',
      countries: [],
      now: Date.now(),
    })
    const refused = await owner.post(`/dashboard/team/${both.userId}/reset`)
    assert.equal(refused.status, 400)
    assert.match(refused.text, /belongs to another merchant too/)
    assert.equal((await db.query('select from mails')).length, 0)
  } finally {
    await production.stop()
  }
})
