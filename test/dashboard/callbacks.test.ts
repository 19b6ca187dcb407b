import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { STAYS } from '../../harness/hosted.ts'
import { failForAnHour, startReceiver } from '../../harness/receiver.ts'
import { eventually, startService } from '../../harness/service.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url, payout: `${receiver.url}/out` })
const owner = await signedIn(service, 'owner')

const PHONE = '260763456789'

async function delivered(changes = {}): Promise<string> {
  receiver.answer(200)
  const { id } = await service.deposit(changes)
  await hasStatus(id, 'DELIVERED')
  return id
}

/** Its receiver is down for longer than callbacks are tried. */
async function givenUp(changes = {}): Promise<string> {
  receiver.answer(failForAnHour)
  const { id } = await service.deposit(changes)
  await eventually(async () => {
    await service.advance(86_400)
    assert.equal((await callbackOf(id))?.status, 'GIVEN_UP')
  })
  return id
}

async function callbackOf(id: string) {
  const [row] = await service.database.query<{ key: string; status: string }>(
    'select payment_key as key, status from callbacks where payment_id = $1',
    [id],
  )
  return row
}

const hasStatus = (id: string, status: string) =>
  eventually(async () => assert.equal((await callbackOf(id))?.status, status))

const pageOf = async (id: string): Promise<string> =>
  `/dashboard/callbacks/${(await callbackOf(id))?.key}`

const idsIn = (html: string): string[] =>
  [...html.matchAll(/<td data-label="Id" class="id wrap"><bdi>([^<]+)/g)].map(([, id]) => id ?? '')

/** The page after the last form, with its notice. */
async function textAfter(visitor: Visitor, answer: Awaited<ReturnType<Visitor['post']>>) {
  assert.equal(answer.status, 303)
  const flash = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const shown = await visitor.get(answer.location ?? '', { cookie: `${visitor.cookie}; ${flash}` })
  assert.equal(shown.status, 200)
  return shown.text
}

async function entries(action: string): Promise<readonly { actor: string; object: string }[]> {
  return service.database.query(
    'select actor, object from audit_entries where merchant_id = 1 and action = $1 order by number',
    [action],
  )
}

const attemptsOf = async (id: string): Promise<number> => {
  const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
  return body[0].attempts.length
}

describe('the list of callbacks', { timeout: 540_000 }, () => {
  it('shows what came of each, the newest first, and finds them by every filter', async () => {
    const first = await delivered()
    const second = await delivered()
    const failed = await givenUp()
    const all = await owner.get('/dashboard/callbacks')
    assert.equal(all.status, 200)
    assert.deepEqual(idsIn(all.text).slice(0, 3), [failed, second, first])
    assert.match(all.text, /Given up<\/span> 503/)
    assert.match(all.text, /Delivered<\/span> 200/)
    assert.ok(all.text.includes(receiver.url))
    assert.doesNotMatch(all.text, new RegExp(PHONE))

    const found = async (query: string): Promise<string[]> =>
      idsIn((await owner.get(`/dashboard/callbacks?${query}`)).text)
    assert.ok((await found('result=GIVEN_UP')).includes(failed))
    assert.ok((await found('result=FAILED')).includes(failed))
    assert.ok(!(await found('result=FAILED')).includes(first))
    assert.ok((await found('result=delivered&kind=deposit')).includes(first))
    assert.deepEqual(await found('kind=payout'), [])
    assert.deepEqual(await found('url=nowhere.example'), [])
    assert.ok((await found(`url=${encodeURIComponent(receiver.url)}`)).includes(first))
    assert.deepEqual(await found('to=2020-01-01'), [])
    assert.ok((await found('from=2020-01-01')).includes(first))
    const nowhere = await owner.get('/dashboard/callbacks?kind=payout')
    assert.match(nowhere.text, /No callback matches/)
    assert.match(nowhere.text, /Clear filters/)
  })

  it('names a filter that cannot be read instead of leaving it out in silence', async () => {
    const { text } = await owner.get('/dashboard/callbacks?from=yesterday&result=LOST')
    assert.match(text, /<title>Error: /)
    assert.match(text, /left out: Result, From/)
  })

  it('is there in French', async () => {
    const { text } = await owner.get('/dashboard/callbacks?lang=fr')
    assert.match(text, /Rejouer les callbacks échoués/)
    assert.doesNotMatch(text, /Newest first|Latency/)
    assert.doesNotMatch(text, /<td[^>]*>(?:COMPLETED|FAILED)</)
    assert.match(text, /<td data-label="Annonce">(?:Réussi|Échoué)</)
    const [, one = ''] = /href="(\/dashboard\/callbacks\/[0-9a-f-]{36})"/.exec(text) ?? []
    assert.match((await owner.get(`${one}?lang=fr`)).text, /<dd>(?:Réussi|Échoué)<\/dd>/)
  })

  it('is for those who may see callbacks', async () => {
    const finance = await signedIn(service, 'finance')
    for (const path of ['/dashboard/callbacks', await pageOf(await delivered())]) {
      const { status, text } = await finance.get(path)
      assert.equal(status, 403)
      assert.ok(!text.includes(receiver.url))
    }
    for (const path of ['resend', 'replays', 'replays/stop', `${randomUUID()}/reveal`]) {
      assert.equal((await finance.post(`/dashboard/callbacks/${path}`)).status, 403, path)
    }
  })
})

describe('the page of a callback', { timeout: 540_000 }, () => {
  it('has every attempt with what was sent, what came back, why it failed and what follows', async () => {
    receiver.answer(failForAnHour)
    const { id } = await service.deposit()
    await eventually(async () => assert.equal(await attemptsOf(id), 1))
    const { text, status } = await owner.get(await pageOf(id))
    assert.equal(status, 200)
    assert.match(text, /Signature-Input: /i)
    assert.match(text, /Content-Digest: /i)
    assert.match(text, /answered with 503 instead of a 2xx and asked to wait 3600 s/)
    assert.match(text, /Next try after it/)
    assert.ok(text.includes(receiver.url))
    receiver.answer(200)
    await service.advance(7200)
    await hasStatus(id, 'DELIVERED')
    const after = (await owner.get(await pageOf(id))).text
    assert.match(after, /Try 2/)
    assert.match(after, /noted/)
    const french = (await owner.get(`${await pageOf(id)}?lang=fr`)).text
    assert.match(french, /Le destinataire a répondu 503 au lieu d’un 2xx/)
  })

  it('hides phone numbers and personal metadata until they are revealed, which is kept', async () => {
    const id = await delivered({
      metadata: [{ orderId: 'A-1' }, { mail: 'sam@example.com', isPII: true }],
    })
    const path = await pageOf(id)
    const masked = (await owner.get(path)).text
    assert.ok(!masked.includes(PHONE) && !masked.includes('sam@example.com'))
    assert.match(masked, /\*+789/)
    assert.match(masked, /A-1/)
    const before = (await entries('personal data revealed')).length
    const shown = await owner.post(`${path}/reveal`)
    assert.equal(shown.status, 200)
    assert.ok(shown.text.includes(PHONE) && shown.text.includes('sam@example.com'))
    const kept = await entries('personal data revealed')
    assert.equal(kept.length, before + 1)
    assert.deepEqual(kept.at(-1), { actor: owner.email, object: `callbacks of deposit ${id}` })
    const developer = await signedIn(service, 'developer')
    assert.equal((await developer.post(`${path}/reveal`)).status, 403)
    assert.doesNotMatch((await developer.get(path)).text, /Show them/)
  })

  it('hides them in the answer of a receiver as well', async () => {
    receiver.answer((response) => response.writeHead(400).end(`no such customer: ${PHONE}`))
    const { id } = await service.deposit()
    await eventually(async () => assert.equal(await attemptsOf(id), 1))
    const { text } = await owner.get(await pageOf(id))
    assert.match(text, /no such customer: \*\*\*/)
    assert.ok(!text.includes(PHONE))
    receiver.answer(200)
  })

  it('is not there for other merchants, other countries and wrong addresses', async () => {
    const path = await pageOf(await delivered())
    const elsewhere = await signedIn(service, 'owner', { countries: ['COD'] })
    assert.equal((await elsewhere.get(path)).status, 404)
    assert.equal((await owner.get(`/dashboard/callbacks/${randomUUID()}`)).status, 404)
    assert.equal((await owner.get('/dashboard/callbacks/nothing')).status, 404)
    const zambian = await signedIn(service, 'support', { countries: ['ZMB'] })
    assert.equal((await zambian.get(path)).status, 200)
    assert.deepEqual(idsIn((await elsewhere.get('/dashboard/callbacks')).text), [])
    assert.ok(idsIn((await zambian.get('/dashboard/callbacks')).text).length > 0)
  })
})

describe('resending', { timeout: 540_000 }, () => {
  it('sends the callback of any final payment again, and the audit log says who did', async () => {
    const id = await delivered()
    const support = await signedIn(service, 'support')
    const answer = await support.post('/dashboard/callbacks/resend', { kind: 'deposit', id })
    assert.match(await textAfter(support, answer), /is being sent again/)
    await eventually(async () => assert.equal(await attemptsOf(id), 2))
    const last = (await entries('callback resent')).at(-1)
    assert.deepEqual(last, { actor: support.email, object: `deposit ${id}` })
  })

  it('says why a payment that has not ended has none to resend', async () => {
    const { id } = await service.deposit({
      payer: { type: 'MMO', accountDetails: { phoneNumber: STAYS, provider: 'MTN_MOMO_ZMB' } },
    })
    await service.reaches(id, 'PROCESSING')
    const before = (await entries('callback resent')).length
    const answer = await owner.post('/dashboard/callbacks/resend', { kind: 'deposit', id })
    const text = await textAfter(owner, answer)
    assert.match(text, /INVALID_STATE/)
    assert.match(text, /it is PROCESSING\. Its callback is sent when it is COMPLETED or FAILED/)
    assert.equal((await entries('callback resent')).length, before)
  })

  it('finds nothing outside the countries of a person, and leads to no other site', async () => {
    const id = await delivered()
    const elsewhere = await signedIn(service, 'admin', { countries: ['COD'] })
    const fields = { kind: 'deposit', id, back: 'https://evil.example/' }
    const answer = await elsewhere.post('/dashboard/callbacks/resend', fields)
    assert.equal(answer.location, '/dashboard/callbacks')
    assert.match(await textAfter(elsewhere, answer), /No deposit with the id/)
  })
})

describe('a replay', { timeout: 540_000 }, () => {
  const since = '2020-01-01T00:00'

  it('pressed twice is one, sends what failed at its rate, and is kept once', async () => {
    const id = await givenUp()
    receiver.answer(200)
    const fields = { replay: randomUUID(), since, rate: '10' }
    const [one, two] = await Promise.all([
      owner.post('/dashboard/callbacks/replays', fields),
      owner.post('/dashboard/callbacks/replays', fields),
    ])
    const texts = [await textAfter(owner, one), await textAfter(owner, two)].join()
    assert.match(texts, /The replay has started/)
    assert.match(texts, /was started already/)
    await hasStatus(id, 'DELIVERED')
    const kept = await entries('callback replay started')
    assert.deepEqual(kept.at(-1), { actor: owner.email, object: `replay ${fields.replay}` })
    assert.equal(kept.filter(({ object }) => object.includes(fields.replay)).length, 1)
    await eventually(async () => {
      const { text } = await owner.get('/dashboard/callbacks')
      assert.match(text, /Done<\/span>/)
      assert.match(text, /\d+ of \d+/)
    })
    const again = await owner.post('/dashboard/callbacks/replays', { since })
    assert.match(await textAfter(owner, again), /nothing was started/)
  })

  it('runs alone, and can be stopped', async () => {
    await givenUp()
    await givenUp()
    const running = randomUUID()
    await service.database.query(
      `insert into callback_replays (merchant_id, id, started_at, filter, per_second, matched, due_at)
       values (1, $1, now(), '{"statuses":["GIVEN_UP"],"kinds":["refund"]}', 1, 5, now() + interval '9 years')`,
      [running],
    )
    const busy = await owner.post('/dashboard/callbacks/replays', { since })
    assert.match(await textAfter(owner, busy), /A replay is running/)
    const stopped = await owner.post('/dashboard/callbacks/replays/stop', { replay: running })
    assert.match(await textAfter(owner, stopped), /The replay is stopped/)
    assert.equal((await entries('callback replay stopped')).length, 1)
    const twice = await owner.post('/dashboard/callbacks/replays/stop', { replay: running })
    assert.match(await textAfter(owner, twice), /not running any more/)
    assert.equal((await entries('callback replay stopped')).length, 1)
  })

  it('of somebody who sees some countries sends nothing of others', async () => {
    const id = await givenUp()
    receiver.answer(200)
    const elsewhere = await signedIn(service, 'operations', { countries: ['COD'] })
    const none = await elsewhere.post('/dashboard/callbacks/replays', { since })
    assert.match(await textAfter(elsewhere, none), /nothing was started/)
    assert.equal((await callbackOf(id))?.status, 'GIVEN_UP')
    const zambian = await signedIn(service, 'operations', { countries: ['ZMB', 'COD'] })
    const all = await zambian.post('/dashboard/callbacks/replays', { since })
    assert.match(await textAfter(zambian, all), /The replay has started/)
    await hasStatus(id, 'DELIVERED')
  })

  it('asks since when, and leaves out what still waits unless that is chosen', async () => {
    const wrong = await owner.post('/dashboard/callbacks/replays', { since: 'long ago' })
    assert.match(await textAfter(owner, wrong), /Say since when/)
    receiver.answer(failForAnHour)
    const { id } = await service.deposit()
    await eventually(async () => assert.equal(await attemptsOf(id), 1))
    const none = await owner.post('/dashboard/callbacks/replays', { since })
    assert.match(await textAfter(owner, none), /nothing was started/)
    receiver.answer(200)
    const some = await owner.post('/dashboard/callbacks/replays', { since, pending: '1' })
    assert.match(await textAfter(owner, some), /The replay has started/)
    await hasStatus(id, 'DELIVERED')
  })
})
