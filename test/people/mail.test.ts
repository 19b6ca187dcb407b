import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, startService } from '../../harness/service.ts'
import { findUser } from '../../src/store/people/users.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { openJar } from '../support/cookie-jar.ts'
import { PASSWORD, personWithPassword } from './people.ts'

const service = await startService()
after(() => service.stop())

const { database, url } = service

const mailsTo = (email: string) =>
  database.query<{ text: string; subject: string }>(
    'select subject, text from mails where recipient = $1 order by number',
    [email],
  )

it('a forgotten password: a link comes by mail; the answer does not say who exists', async () => {
  const { email, userId } = await personWithPassword(service)
  const ask = (address: string) => openJar(url).post('/sign-in/forgotten', { email: address })
  const known = await ask(` ${email.toUpperCase()}`)
  const unknown = await ask('nobody-forgot@example.com')
  const plain = ({ status, location, text }: typeof known) => ({ status, location, text })
  assert.deepEqual(plain(known), plain(unknown))
  const page = await openJar(url).get(known.location ?? '')
  assert.match(page.text, /If there is an account with this e-mail/)
  const [mail] = await eventually(async () => {
    const found = await mailsTo(email)
    assert.equal(found.length, 1)
    return found
  })
  assert.equal((await mailsTo('nobody-forgot@example.com')).length, 0)
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  const still = await openJar(url).post('/sign-in', { email, password: PASSWORD })
  assert.equal(still.status, 303, 'until then the old password works')
  const password = 'silver comet orchard'
  const set = await openJar(url).post(link, { password, again: password })
  assert.equal(set.location, '/sign-in?notice=saved')
  // To sign in with it takes long; somebody who was invited does, in the tests of the team.
  const user = await findUser(database, userId)
  assert.match(user?.passwordHash ?? '', /^scrypt\$17\$/)
  if (!IS_PROOF) return
  assert.equal((await openJar(url).post('/sign-in', { email, password })).status, 303)
})

it('a stranger cannot fill the mailbox of somebody', async () => {
  const { email } = await personWithPassword(service)
  for (let nth = 0; nth < 12; nth += 1) {
    await openJar(url).post('/sign-in/forgotten', { email })
  }
  const { email: last } = await personWithPassword(service)
  await openJar(url).post('/sign-in/forgotten', { email: last })
  await eventually(async () => assert.equal((await mailsTo(last)).length, 1))
  const sent = (await mailsTo(email)).length
  assert.ok(sent >= 1 && sent <= 7, `${sent} mails`)
})

it('disabled people and strangers to every merchant get none', async () => {
  const { email, userId } = await personWithPassword(service)
  await database.query('update users set disabled_at = now() where user_id = $1', [userId])
  const { email: left, userId: leftId } = await personWithPassword(service)
  await database.query('update memberships set disabled_at = now() where user_id = $1', [leftId])
  const { email: last } = await personWithPassword(service)
  for (const one of [email, left, last])
    await openJar(url).post('/sign-in/forgotten', { email: one })
  await eventually(async () => assert.equal((await mailsTo(last)).length, 1))
  assert.deepEqual([(await mailsTo(email)).length, (await mailsTo(left)).length], [0, 0])
})

it('the sandbox shows mail to the people of the merchant, and not what would open another one', async () => {
  const other = await createMerchant(database, {
    slug: 'apart',
    name: 'Apart',
    providers: [],
    now: 1,
  })
  const owner = await signedIn(service)
  const both = await personWithPassword(service, 'support', [1, other ?? 0])
  const theirs = await personWithPassword(service, 'support', [other ?? 0])
  await owner.post('/dashboard/team/invite', { email: 'seen@example.com', role: 'support' })
  for (const { email } of [both, theirs]) await openJar(url).post('/sign-in/forgotten', { email })
  await eventually(async () => {
    const found = await Promise.all(
      ['seen@example.com', both.email, theirs.email].map((one) => mailsTo(one)),
    )
    assert.deepEqual(
      found.map(({ length }) => length),
      [1, 1, 1],
    )
  })
  const jar = openJar(url)
  assert.match((await jar.get('/sandbox/mail')).text, /name="token"/, 'nobody reads it unknown')
  const entered = await jar.post('/sandbox/sign-in', { token: service.token, to: '/sandbox/mail' })
  assert.equal(entered.location, '/sandbox/mail?lang=en')
  const { status, text } = await jar.get(entered.location ?? '')
  assert.equal(status, 200)
  assert.match(text, /seen@example\.com/)
  assert.match(text, /<a href="http[^"]+\/set-password\/[^"]+">/)
  assert.ok(!text.includes(both.email) && !text.includes(theirs.email))
  assert.match((await jar.get('/sandbox/mail?lang=fr')).text, /<h1>E-mails<\/h1>/)
})

/** A mail server: it keeps what it is given, and may turn away the first ones. */
async function startMailServer(refusals: number) {
  const received: string[] = []
  let toRefuse = refusals
  const serve = (socket: Socket): void => {
    let isData = false
    let text = ''
    socket.on('error', () => {})
    socket.write('220 test\r\n')
    socket.on('data', (chunk) => {
      text += chunk
      if (isData) {
        if (!text.endsWith('\r\n.\r\n')) return
        received.push(text)
        isData = false
        text = ''
        socket.write('250 taken\r\n')
        return
      }
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (/^DATA/i.test(line)) {
          isData = true
          socket.write('354 go on\r\n')
        } else if (/^MAIL/i.test(line) && toRefuse > 0) {
          toRefuse -= 1
          socket.write('451 not now\r\n')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else socket.write('250 fine\r\n')
      }
    })
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { received, url: `smtp://127.0.0.1:${port}`, close: () => server.close() }
}

it('mail goes by SMTP from the sender that is set, also when the server is busy at first', async () => {
  const server = await startMailServer(1)
  const sending = await startService({
    MALIPO_SMTP_URL: server.url,
    MALIPO_MAIL_FROM: 'Malipo <malipo@example.com>',
  })
  try {
    const owner = await signedIn(sending)
    const invited = { email: 'by-smtp@example.com', role: 'support' }
    assert.equal((await owner.post('/dashboard/team/invite', invited)).status, 303)
    await eventually(() => assert.equal(server.received.length, 1))
    const [mail = ''] = server.received
    assert.match(mail, /^From: Malipo <malipo@example\.com>$/m)
    assert.match(mail, /^To: by-smtp@example\.com$/m)
    assert.match(mail, /^Subject: You are invited to /m)
    assert.match(mail.replaceAll('=\r\n', ''), /\/set-password\//)
    assert.equal((await sending.database.query('select from mails')).length, 0)
    await owner.post('/dashboard/providers/subscribe')
    const closed = { provider: 'MTN_MOMO_ZMB', operationType: 'PAYOUT', status: 'CLOSED' }
    await sending.put('/sandbox/availability', closed)
    await eventually(() => assert.equal(server.received.length, 2))
    const about = (server.received[1] ?? '').replaceAll(/\r\n[ \t]+/g, ' ')
    assert.match(about, /^Subject: Status changed: MTN\r$/m)
    assert.match(about, /^Message-ID: <status-\d+-1-\d+@127\.0\.0\.1>\r$/m)
    assert.match(about, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
    const link = /^List-Unsubscribe: <([^>]+)>\r$/m.exec(about)?.[1] ?? ''
    // As a mail program does it: from no page, with no cookie.
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    assert.equal((await fetch(link, { method: 'POST', body })).status, 200)
    assert.deepEqual(await sending.database.query('select from status_subscriptions'), [])
  } finally {
    await sending.stop()
    server.close()
  }
})

it('a mail that cannot be sent fails nothing, and its recipient is not in the log', async () => {
  const sending = await startService({
    MALIPO_SMTP_URL: 'smtp://127.0.0.1:9',
    MALIPO_MAIL_FROM: 'malipo@example.com',
  })
  const owner = await signedIn(sending)
  const invited = { email: 'never-reached@example.com', role: 'support' }
  assert.equal((await owner.post('/dashboard/team/invite', invited)).status, 303)
  assert.match((await owner.get('/dashboard/team?tab=pending')).text, /never-reached@example\.com/)
  await sending.stop()
  const log = sending.logLines.join('\n')
  assert.match(log, /a mail was not sent/)
  assert.doesNotMatch(log, /never-reached/)
})
