import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { payer, startService } from '../../harness/service.ts'
import { addAuditEntry } from '../../src/store/people/audit.ts'
import { ACTIONS_OF_COUNTRIES } from '../../src/store/people/audit-scope.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'
import { actionName } from '../../src/web/dashboard/audit/actions.ts'
import { HEADER, idIn, uploaded } from '../bulk/bulk-support.ts'

const service = await startService()
after(() => service.stop())

const { database } = service
const DAY = 86_400_000
const NOON = Date.parse('2026-03-10T12:00:00Z')

let merchants = 0
/** An owner of a merchant in whose log nothing is but that the owner signed in. */
async function newOwner() {
  merchants += 1
  const slug = `audited-${merchants}`
  const id = await createMerchant(database, { slug, name: slug, providers: [], now: 1 })
  assert.ok(id !== undefined)
  return { id, owner: await signedIn(service, 'owner', { merchantId: id }) }
}

const add = (merchantId: number, entry: Readonly<Record<string, unknown>> = {}) =>
  database.inTransaction((tx) =>
    addAuditEntry(tx, {
      merchantId,
      at: NOON,
      actor: 'someone@example.com',
      action: 'token created',
      object: 'a token',
      address: '203.0.113.7',
      ...entry,
    }),
  )

/** Every action that stands in the code. */
const codedActions = (): readonly string[] =>
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join('src', name), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(/action: '([a-z]+ [^']+)'/g)].map(([, action = '']) => action),
    )

const rowsIn = (text: string): readonly string[] =>
  (text.match(/<tr><th scope="row".*?<\/tr>/gs) ?? []).filter((row) => !row.includes('signed in'))

it('shows time, who, what, address, before, after and the hash, newest first', async () => {
  const { id, owner } = await newOwner()
  await add(id, { object: 'first' })
  await add(id, {
    object: 'second',
    action: 'user changed',
    before: { role: 'support' },
    after: { role: 'admin' },
  })
  const { status, text } = await owner.get('/dashboard/audit')
  assert.equal(status, 200)
  const [newest = '', oldest = ''] = rowsIn(text)
  for (const words of [
    '10 Mar 2026',
    'someone@example.com',
    'user changed',
    'second',
    '203.0.113.7',
    '{&quot;role&quot;:&quot;support&quot;}',
    '{&quot;role&quot;:&quot;admin&quot;}',
  ]) {
    assert.ok(newest.includes(words), words)
  }
  assert.ok(oldest.includes('first'))
  const [stored] = await database.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from audit_entries where merchant_id = $1 and number = 3`,
    [id],
  )
  assert.ok(newest.includes(`title="${stored?.hash}"`))
})

it('filters by who, what and day, where a day includes its end', async () => {
  const { id, owner } = await newOwner()
  await add(id, { object: 'day-one', at: NOON })
  await add(id, { object: 'day-two', at: NOON + DAY, actor: 'other@example.com' })
  await add(id, { object: 'day-three', at: NOON + 2 * DAY, action: 'key added' })
  const found = async (query: string): Promise<readonly string[]> =>
    rowsIn((await owner.get(`/dashboard/audit?${query}`)).text).map(
      (row) => /<bdi>(day-[a-z]+)<\/bdi>/.exec(row)?.[1] ?? '',
    )
  assert.deepEqual(await found(''), ['day-three', 'day-two', 'day-one'])
  assert.deepEqual(await found('actor=Other@example.com'), ['day-two'])
  assert.deepEqual(await found('action=key+added'), ['day-three'])
  assert.deepEqual(await found('from=2026-03-11'), ['day-three', 'day-two'])
  assert.deepEqual(await found('to=2026-03-11'), ['day-two', 'day-one'])
  assert.deepEqual(await found('from=2026-03-11&to=2026-03-11&action=token+created'), ['day-two'])
  assert.deepEqual(await found('to=2026-03-11T12:00:00Z'), ['day-one'], 'a moment is excluded')
  const { text } = await owner.get('/dashboard/audit?from=2026-03-11')
  assert.match(text, /<option value="key added">/)
  assert.match(text, /audit\.csv\?from=2026-03-11"/)
  const none = await owner.get('/dashboard/audit?actor=nobody@example.com')
  assert.match(none.text, /No entry fits/)
  const wrong = await owner.get('/dashboard/audit?from=yesterday&to=2026-13-01')
  assert.match(wrong.text, /role="alert".*From, To: a day is written like/)
  const french = await owner.get('/dashboard/audit?to=hier&lang=fr')
  assert.match(french.text, /role="alert".*Au.: un jour s’écrit comme/)
})

it('days are those of the person', async () => {
  const { id, owner } = await newOwner()
  await add(id, { object: 'late', at: Date.parse('2026-03-10T22:30:00Z') })
  const count = async (query: string) =>
    rowsIn((await owner.get(`/dashboard/audit?${query}`)).text).length
  assert.equal(await count('to=2026-03-10'), 1)
  await database.query(`update users set time_zone = 'Africa/Lusaka' where email = $1`, [
    owner.email,
  ])
  assert.equal(await count('to=2026-03-10'), 0)
  assert.equal(await count('from=2026-03-11'), 1)
  assert.match((await owner.get('/dashboard/audit')).text, /11 Mar 2026, 00:30:00/)
})

it('pages of fifty meet without a gap, while entries are added', async () => {
  const { id, owner } = await newOwner()
  for (let nth = 1; nth <= 120; nth += 1) await add(id, { object: `entry-${nth}` })
  const seen: string[] = []
  let path = '/dashboard/audit?actor=someone%40example.com'
  for (let page = 0; path !== ''; page += 1) {
    assert.ok(page < 4)
    const { text } = await owner.get(path)
    seen.push(...rowsIn(text).map((row) => /<bdi>(entry-\d+)<\/bdi>/.exec(row)?.[1] ?? ''))
    path = (/rel="next" href="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    if (page === 0) await add(id, { object: 'entry-121' })
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 120 }, (_, at) => `entry-${120 - at}`),
  )
})

it('the file has exactly what the filter finds, in the same order, more than one page of it', async () => {
  const { id, owner } = await newOwner()
  await database.inTransaction(async (tx) => {
    for (let nth = 1; nth <= 1100; nth += 1) {
      const action = nth % 10 === 0 ? 'key added' : 'token created'
      await addAuditEntry(tx, {
        merchantId: id,
        at: NOON + nth,
        actor: 'someone@example.com',
        action,
        object: `=entry "${nth}", of many`,
        address: '',
        after: { nth },
      })
    }
  })
  const { status, headers, text } = await owner.get('/dashboard/audit.csv?action=token+created')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /text\/csv/)
  assert.match(headers.get('content-disposition') ?? '', /audit\.csv/)
  const lines = text.trimEnd().split('\r\n')
  assert.equal(lines[0], 'number,at,actor,action,object,address,before,after,hash')
  assert.equal(lines.length, 1 + 990)
  assert.match(
    lines[1] ?? '',
    /^1100,2026-03-10T12:00:01\.099Z,someone@example\.com,token created,"=entry ""1099"", of many",,,"\{""nth"":1099\}",[0-9a-f]{64}$/,
  )
  const sheet = await owner.get('/dashboard/audit.csv?mode=spreadsheet')
  assert.ok(sheet.text.startsWith('\ufeff') || sheet.text.startsWith('number'))
  assert.match(sheet.text, /,"'=entry ""1100""/)
})

it('shows nothing of another merchant', async () => {
  const { id } = await newOwner()
  await add(id, { object: 'a secret of one merchant' })
  const { owner } = await newOwner()
  for (const path of ['/dashboard/audit', '/dashboard/audit.csv']) {
    assert.doesNotMatch((await owner.get(path)).text, /a secret of one/)
  }
})

it('people who are limited to countries read what lies within them, and what has no country', async () => {
  const { id: zambian } = await service.deposit()
  const { id: ugandan } = await service.deposit({
    amount: '1500',
    currency: 'UGX',
    payer: payer('256783456789', 'MTN_MOMO_UGA'),
  })
  assert.equal((await service.get(`/v2/deposits/${ugandan}`)).body.status, 'FOUND')
  const seen: Readonly<Record<string, unknown>>[] = [
    { action: 'refund requested', object: zambian, after: { amount: '7701', currency: 'ZMW' } },
    { action: 'personal data shown', object: zambian, after: { mark: 7702 } },
    {
      action: 'callback resent',
      object: `deposit ${zambian.toUpperCase()}`,
      after: { mark: 7703 },
    },
    { action: 'statement downloaded', object: 'ZMB-ZMW', after: { wallet: 'ZMB-ZMW', mark: 7704 } },
    { action: 'export made', object: 'deposits', after: { countries: ['ZMB'], mark: 7705 } },
    { action: 'user changed', after: { countries: ['UGA'], mark: 7706 } },
    { action: 'branding changed', after: { mark: 7707 } },
  ]
  const hidden: Readonly<Record<string, unknown>>[] = [
    { action: 'refund requested', object: ugandan, after: { amount: '8801', currency: 'UGX' } },
    { action: 'personal data shown', object: ugandan, after: { mark: 8802 } },
    { action: 'callback resent', object: `deposit ${ugandan}`, after: { mark: 8803 } },
    { action: 'statement downloaded', object: 'UGA-UGX', after: { wallet: 'UGA-UGX', mark: 8804 } },
    { action: 'export made', object: 'deposits', after: { countries: [], mark: 8805 } },
    { action: 'bulk payout discarded', object: zambian, before: { totals: { UGX: '8806' } } },
    { action: 'payment link created', object: ugandan, after: { country: 'UGA', mark: 8807 } },
    { action: 'cancellation requested', object: randomUUID(), after: { mark: 8808 } },
    { action: 'an action of tomorrow', object: 'x', after: { amount: '8809', currency: 'UGX' } },
  ]
  for (const entry of [...seen, ...hidden]) await add(1, entry)
  const limited = await signedIn(service, 'admin', { countries: ['ZMB'] })
  await add(1, {
    action: 'list exported',
    object: 'deposits',
    actor: limited.email,
    after: { mark: 7708 },
  })
  const owner = await signedIn(service, 'owner')
  for (const path of ['/dashboard/audit', '/dashboard/audit.csv']) {
    const marks = async (visitor: typeof owner) =>
      [...(await visitor.get(path)).text.matchAll(/(?<![\da-f])(?:77|88)0\d(?![\da-f])/g)]
        .map(([mark]) => mark)
        .toSorted()
    const within = [1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `770${nth}`)
    assert.deepEqual(await marks(limited), within, path)
    assert.equal((await marks(owner)).length, seen.length + hidden.length + 1, path)
  }
})

it('what people of a country read of bulk payouts is what the entry itself is about', async () => {
  const owner = await signedIn(service, 'owner')
  const limited = await signedIn(service, 'admin', { countries: ['ZMB'] })
  const [zambian, ugandan] = ['3,ZMW,260763456789', '4000,UGX,256783456789'] as const
  const path = await uploaded(owner, `${HEADER}\n${zambian}\n${ugandan}`)
  const id = idIn(path)
  const actions = async (): Promise<readonly string[]> =>
    rowsIn((await limited.get('/dashboard/audit')).text)
      .filter((row) => row.includes(id))
      .map((row) => /data-label="Action">([^<]+)</.exec(row)?.[1] ?? '')
  assert.deepEqual(await actions(), [])
  await owner.post(`${path}/rows`, { remove: '3' })
  assert.deepEqual(
    await actions(),
    [],
    'what was there before, and what was taken out, is not theirs',
  )
  await owner.post(`${path}/submit`)
  assert.deepEqual(await actions(), ['bulk payout submitted'])
  await owner.post(`${path}/withdraw`)
  await owner.post(`${path}/discard`)
  assert.deepEqual(
    await actions(),
    ['bulk payout discarded', 'bulk payout withdrawn', 'bulk payout submitted'],
    'also after it is gone',
  )
})

it('every action about payments is known as one that has a country', () => {
  const about = /payment|payout|refund|cancel|checkout|export|statement|personal|replay|rese(nt|nd)/
  const actions = codedActions().filter((action) => about.test(action))
  assert.ok(actions.length > 10)
  assert.deepEqual(
    actions.filter((action) => !ACTIONS_OF_COUNTRIES.includes(action)),
    [],
  )
})

it('every action that the code writes has a French name', async () => {
  const actions = codedActions()
  assert.ok(actions.length > 15)
  assert.deepEqual(
    actions.filter((action) => actionName(action, 'fr') === action),
    [],
  )
  const { id, owner } = await newOwner()
  await add(id, { action: 'user changed' })
  const { text } = await owner.get('/dashboard/audit?lang=fr')
  assert.match(text, /utilisateur modifié<\/td>/)
  assert.match(text, /<option value="user changed">utilisateur modifié/)
})

it('names what an entry is about in words; files for machines keep the codes', async () => {
  const { id, owner } = await newOwner()
  const payment = randomUUID()
  const rows = [
    ['deposit, splitPayment', 'Deposits, Split payments', 'Dépôts, Paiements partagés'],
    ['checkout', 'Checkouts', 'Sessions de paiement'],
    [`payout ${payment}`, `Payout ${payment}`, `Versement ${payment}`],
    [
      `callbacks of refund ${payment}`,
      `Callbacks: Refund ${payment}`,
      `Callbacks : Remboursement ${payment}`,
    ],
    [`replay ${payment}`, `Replay ${payment}`, `Relecture ${payment}`],
    ['split-payments: Late ones', 'Split payments: Late ones', 'Paiements partagés : Late ones'],
    ['remittances', 'Remittances', 'Transferts'],
    ['ZMB-ZMW', 'Zambia · ZMW · All providers', 'Zambie · ZMW · Tous les opérateurs'],
    ['ZMB-ZMW-MTN_MOMO_ZMB', 'Zambia · ZMW · MTN', 'Zambie · ZMW · MTN'],
    ['somebody@example.com', 'somebody@example.com', 'somebody@example.com'],
  ] as const
  for (const [object] of rows) await add(id, { object })
  for (const [lang, place] of [
    ['en', 1],
    ['fr', 2],
  ] as const) {
    const { text } = await owner.get(`/dashboard/audit?lang=${lang}`)
    const shown = rowsIn(text).map((row) => /<bdi>(.*?)<\/bdi>/.exec(row)?.[1] ?? '')
    assert.deepEqual(
      shown.map((one) => one.replaceAll('\u00a0', ' ')).filter((one) => one !== owner.email),
      rows.map((row) => row[place]).toReversed(),
    )
  }
  const { text } = await owner.get('/dashboard/audit.csv')
  assert.match(text, /,"deposit, splitPayment",/)
})

it('texts of merchants are shown as text', async () => {
  const { id, owner } = await newOwner()
  await add(id, { object: '<script>alert(1)</script>', after: { name: '</dd><img src=x>' } })
  const { text } = await owner.get('/dashboard/audit')
  assert.doesNotMatch(text, /<script>alert|<img/)
  assert.match(text, /&lt;script>alert\(1\)/)
})
