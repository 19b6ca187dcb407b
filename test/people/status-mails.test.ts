import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { eventually, startService } from '../../harness/service.ts'
import { setHealth } from '../../src/store/operators/health.ts'
import { createStatusMails } from '../../src/usecases/people/status-mails.ts'
import { openJar } from '../support/cookie-jar.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service
const PAGE = '/dashboard/providers'

type Mail = { readonly subject: string; readonly text: string }
const mailsTo = (email: string): Promise<readonly Mail[]> =>
  database.query<Mail>('select subject, text from mails where recipient = $1 order by number', [
    email,
  ])

/** The mails of somebody, once there are so many. */
const mails = (email: string, count: number): Promise<readonly Mail[]> =>
  eventually(async () => {
    const found = await mailsTo(email)
    assert.equal(found.length, count)
    return found
  })

const switchTo = async (provider: string, operationType: string, status: string): Promise<void> => {
  const answer = await service.put('/sandbox/availability', { provider, operationType, status })
  assert.equal(answer.status, 204)
}

/** Everybody has been mailed all changes, or waits for a minute to be over. */
const settle = (): Promise<void> =>
  eventually(async () => {
    const open = await database.query(
      `select from status_subscriptions
       where done_number < (select max(number) from provider_health_history)
         and (mailed_at is null or mailed_at < now() - interval '1 minute')`,
    )
    assert.equal(open.length, 0)
  })

const aMinuteLater = () =>
  database.query(`update status_subscriptions set mailed_at = mailed_at - interval '1 minute'`)

/** As if somebody had been mailed then, whatever time this machine takes. */
const mailedAt = ({ userId }: Visitor, from: '+1 hour' | '-1 hour') =>
  database.query(
    'update status_subscriptions set mailed_at = now() + $2::interval where user_id = $1',
    [userId, from],
  )

const subscribe = async (visitor: Visitor, about = ''): Promise<void> => {
  assert.equal((await visitor.post(`${PAGE}/subscribe`, { about })).location, PAGE)
}

const linkIn = (text: string): string => /\S+\/unsubscribe\/\S+/.exec(text)?.[0] ?? ''
const linesIn = ({ text }: Mail): readonly string[] =>
  text.split('\n').filter((line) => /_(ZMB|KEN)\)/.test(line))

const entriesOf = async ({ email }: Visitor) =>
  (
    await database.query<{ action: string; before: object | null; after: object | null }>(
      `select action, before, after from audit_entries
       where object = $1 and action like 'status mails%' order by number`,
      [email],
    )
  ).map(({ action, before, after: now }) => [action, before, now])

it('a subscriber is mailed what changes from then on, of what they may see', async () => {
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'DELAYED')
  const all = await signedIn(service)
  const kenya = await signedIn(service, 'support')
  const limited = await signedIn(service, 'support', { countries: ['KEN'] })
  const nobody = await signedIn(service)
  await subscribe(all)
  await subscribe(kenya, 'KEN')
  await subscribe(limited)
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'CLOSED')
  const [first] = await mails(all.email, 1)
  assert.equal(first?.subject, 'Status changed: MTN')
  assert.equal(first === undefined ? 0 : linesIn(first).length, 1, 'nothing of before')
  assert.match(first?.text ?? '', /: MTN \(MTN_MOMO_ZMB\), Zambia, Payouts: Closed/)
  assert.ok(first?.text.includes(`${url}/dashboard/providers`))
  await settle()
  assert.equal((await mailsTo(kenya.email)).length + (await mailsTo(limited.email)).length, 0)
  await switchTo('MPESA_KEN', 'DEPOSIT', 'CLOSED')
  for (const { email } of [kenya, limited]) {
    const [mail] = await mails(email, 1)
    assert.match(mail?.text ?? '', /: Safaricom \(MPESA_KEN\), Kenya, Deposits: Closed/)
  }
  await settle()
  assert.equal((await mailsTo(nobody.email)).length, 0)
  await database.query('delete from status_subscriptions')
})

it('several changes come together, and at most one mail a minute', async () => {
  const [visitor, witness] = [await signedIn(service), await signedIn(service)]
  await subscribe(visitor)
  await subscribe(witness)
  const now = Date.now()
  await database.inTransaction(async (tx) => {
    for (const operation of ['DEPOSIT', 'PAYOUT', 'REFUND'] as const) {
      const health = { provider: 'AIRTEL_OAPI_ZMB', operation, decidedBy: 'SERVICE' } as const
      await setHealth(tx, { ...health, status: 'CLOSED', reason: 'a secret of ours' }, now)
    }
  })
  const [together] = await mails(visitor.email, 1)
  assert.equal(together && linesIn(together).length, 3)
  assert.doesNotMatch(together?.text ?? '', /a secret of ours/)
  await mails(witness.email, 1)
  await mailedAt(visitor, '+1 hour')
  await mailedAt(witness, '-1 hour')
  await switchTo('ZAMTEL_ZMB', 'DEPOSIT', 'CLOSED')
  // People are served in their order, so this one comes after the other.
  await mails(witness.email, 2)
  assert.equal((await mailsTo(visitor.email)).length, 1, 'the minute is not over')
  await switchTo('ZAMTEL_ZMB', 'DEPOSIT', 'OPERATIONAL')
  await mailedAt(visitor, '-1 hour')
  const [, next] = await mails(visitor.email, 2)
  assert.deepEqual(
    (next === undefined ? [] : linesIn(next)).map((line) => line.split(': ').at(-1)),
    ['Closed', 'Operational'],
  )
  await database.query('delete from status_subscriptions')
})

it('however many nodes look, each change is mailed once', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, () => signedIn(service)))
  for (const one of people) await subscribe(one)
  const { ctx } = service.node
  const log = { ...console, warn: () => {} } as unknown as Parameters<typeof createStatusMails>[1]
  const others = Array.from({ length: 4 }, () => createStatusMails(ctx, log))
  await switchTo('MTN_MOMO_ZMB', 'REFUND', 'CLOSED')
  for (let nth = 0; nth < 10; nth += 1) {
    for (const other of others) other.wake()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { email } of people) await mails(email, 1)
  await aMinuteLater()
  for (const other of others) other.wake()
  await Promise.all(others.map((other) => other.stop()))
  await settle()
  for (const { email } of people) assert.equal((await mailsTo(email)).length, 1)
  await database.query('delete from status_subscriptions')
})

it('a change whose mail was not sent before the node went away is mailed later', async () => {
  const [visitor, witness] = [await signedIn(service), await signedIn(service)]
  await subscribe(visitor)
  await subscribe(witness)
  // As a node leaves it that ends between the claim and the mail.
  const claimedUntil = (from: string) =>
    database.query(
      `update status_subscriptions
       set due_at = now() + $2::interval, mailed_at = now() + $2::interval, tries = 1
       where user_id = $1`,
      [visitor.userId, from],
    )
  await claimedUntil('+1 hour')
  await switchTo('MTN_MOMO_ZMB', 'REFUND', 'OPERATIONAL')
  await mails(witness.email, 1)
  assert.equal((await mailsTo(visitor.email)).length, 0)
  await claimedUntil('-1 hour')
  await mails(visitor.email, 1)
  await eventually(async () => {
    const rows = await database.query('select from status_subscriptions where tries > 0')
    assert.equal(rows.length, 0)
  })
  await database.query('delete from status_subscriptions')
})

it('is chosen, changed and ended on the page, in the audit log each time', async () => {
  const visitor = await signedIn(service)
  assert.match((await visitor.get(`${PAGE}?country=KEN`)).text, /value="KEN" selected>Kenya/)
  await subscribe(visitor)
  assert.match((await visitor.get(PAGE)).text, /You get mail about: All countries\./)
  await subscribe(visitor, 'ZMB')
  assert.match((await visitor.get(PAGE)).text, /You get mail about: Zambia\./)
  await visitor.post(`${PAGE}/unsubscribe`)
  await visitor.post(`${PAGE}/unsubscribe`)
  const { text } = await visitor.get(PAGE)
  assert.doesNotMatch(text, /You get mail about/)
  assert.doesNotMatch(text, /action="\/dashboard\/providers\/unsubscribe"/)
  assert.deepEqual(await entriesOf(visitor), [
    ['status mails wanted', null, { country: null }],
    ['status mails wanted', { country: null }, { country: 'ZMB' }],
    ['status mails ended', { country: 'ZMB' }, null],
  ])
  const limited = await signedIn(service, 'support', { countries: ['KEN'] })
  for (const about of ['ZMB', 'XXX']) {
    assert.equal((await limited.post(`${PAGE}/subscribe`, { about })).status, 404, about)
  }
})

it('the link in the mail asks, and then ends it without signing in', async () => {
  const visitor = await signedIn(service)
  await visitor.get(`${PAGE}?lang=fr`)
  assert.equal((await visitor.post(`${PAGE}/subscribe?lang=fr`)).status, 303)
  await database.query(`update users set time_zone = 'Africa/Lusaka' where user_id = $1`, [
    visitor.userId,
  ])
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'OPERATIONAL')
  const [mail] = await mails(visitor.email, 1)
  assert.match(mail?.subject ?? '', /^Changement d’état/)
  assert.match(mail?.text ?? '', /MTN \(MTN_MOMO_ZMB\), Zambie, Versements\s: En service/)
  assert.match(mail?.text ?? '', /fuseau Africa\/Lusaka/)
  const link = linkIn(mail?.text ?? '')
  const jar = openJar(url)
  const asked = await jar.get(link)
  assert.equal(asked.status, 200)
  assert.match(asked.text, /Se désabonner/)
  assert.ok(asked.text.includes(visitor.email))
  const count = async () => (await database.query('select from status_subscriptions')).length
  assert.equal(await count(), 1, 'looking at it changes nothing')
  const forged = link.replace(/.\?/, (end) => (end === 'A?' ? 'B?' : 'A?'))
  assert.equal((await jar.get(forged)).status, 404)
  assert.equal((await jar.post(forged, {})).status, 404)
  assert.equal(await count(), 1)
  for (let nth = 0; nth < 2; nth += 1) {
    const ended = await jar.post(link, {}, {})
    assert.equal(ended.status, 200)
    assert.match(ended.text, /Aucun autre e-mail/)
  }
  assert.equal(await count(), 0)
  const entries = await entriesOf(visitor)
  assert.deepEqual(entries.at(-1), [
    'status mails ended',
    { country: null },
    { by: 'link in a mail' },
  ])
  assert.equal(entries.length, 2, 'once')
})

it('a person who has left the merchant gets none', async () => {
  const visitor = await signedIn(service)
  await subscribe(visitor)
  await database.query('update memberships set disabled_at = now() where user_id = $1', [
    visitor.userId,
  ])
  await switchTo('MTN_MOMO_ZMB', 'DEPOSIT', 'CLOSED')
  await settle()
  assert.equal((await mailsTo(visitor.email)).length, 0)
})
