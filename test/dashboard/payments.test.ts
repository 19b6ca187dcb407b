import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { type Shown, signedIn } from '../../harness/dashboard.ts'
import { delayPayingOut, start } from '../../harness/every-kind.ts'
import { checkout } from '../../harness/hosted.ts'
import { eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { changeUser } from '../../src/store/people/users.ts'
import { PASSWORD, STORED } from '../people/people.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const owner = await signedIn(service, 'owner', { merchantId })

const pathsIn = (text: string, place: string): string[] => [
  ...new Set(
    [...text.matchAll(new RegExp(`/dashboard/${place}/([0-9a-f-]{36})`, 'g'))].map(
      ([, id]) => id ?? '',
    ),
  ),
]

const paid = await service.deposit({
  amount: '15',
  clientReferenceId: 'INV-77',
  metadata: [{ orderId: 'ORD-1 "x"' }, { mail: 'somebody@example.com', isPII: true }],
})
const failed = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB'), amount: '20' })
const elsewhere = await service.deposit({
  payer: payer('256783456789', 'MTN_MOMO_UGA'),
  currency: 'UGX',
  amount: '5000',
})
await service.reaches(paid.id, 'COMPLETED')
await service.reaches(failed.id, 'FAILED')
await service.reaches(elsewhere.id, 'COMPLETED')

/** Newest first, as their keys say: two may be accepted in one millisecond. */
const inOrder = async (ids: readonly string[]): Promise<readonly string[]> => {
  const rows = await service.database.query<{ id: string }>(
    'select id from payments where id = any($1) order by key desc',
    [ids],
  )
  return rows.map(({ id }) => id)
}

describe('the list of deposits, by the filter of its address:', () => {
  const rows: readonly (readonly [query: string, ids: readonly string[]])[] = [
    ['', [elsewhere.id, failed.id, paid.id]],
    ['status=FAILED', [failed.id]],
    ['status=COMPLETED,FAILED', [elsewhere.id, failed.id, paid.id]],
    ['status=PROCESSING', []],
    ['provider=MTN_MOMO_UGA', [elsewhere.id]],
    ['country=ZMB', [failed.id, paid.id]],
    ['currency=UGX', [elsewhere.id]],
    ['min=16&max=20', [failed.id]],
    ['min=15&max=15.00', [paid.id]],
    ['failureCode=PAYMENT_NOT_APPROVED', [failed.id]],
    ['failureCode=PAYER_NOT_FOUND', []],
    ['source=API', [elsewhere.id, failed.id, paid.id]],
    ['source=CHECKOUT', []],
    ['clientReferenceId=INV-77', [paid.id]],
    ['phone=0763%20456%20039', [failed.id]],
    ['phone=%2B260-763-456039', [failed.id]],
    ['meta.orderId=ORD-1%20%22x%22', [paid.id]],
    ['meta.orderId=ORD-1', []],
    ['meta.other=ORD-1%20%22x%22', []],
    ['to=2001-01-01', []],
    ['from=2001-01-01', [elsewhere.id, failed.id, paid.id]],
    ['to=2001-01-01T00:00:00Z', []],
  ]
  for (const [query, ids] of rows) {
    it(query === '' ? 'all, newest first' : query, async () => {
      const { status, text } = await owner.get(`/dashboard/deposits?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(pathsIn(text, 'deposits'), await inOrder(ids))
    })

    it(`${query || 'all'}, as CSV: the same rows in the same order`, async () => {
      const { text } = await owner.get(`/dashboard/deposits.csv?${query}`)
      const lines = text.split('\r\n').slice(1, -1)
      assert.deepEqual(
        lines.map((line) => line.split(',')[7]),
        await inOrder(ids),
      )
    })
  }

  it('a value that cannot be read is named and left out', async () => {
    const { text } = await owner.get('/dashboard/deposits?from=yesterday&status=SOON&min=x')
    assert.match(text, /could not be read and was left out: From, Status, Amount from\./)
    assert.equal(pathsIn(text, 'deposits').length, 3)
  })
})

it('pages of a list are stable while payments arrive', async () => {
  const own = await shareService()
  const visitor = await signedIn(own, 'support', { merchantId: own.merchantId })
  const made: string[] = []
  for (let at = 0; at < 60; at += 1) made.push((await own.deposit()).id)
  const ids = await inOrder(made)
  const first = await visitor.get('/dashboard/deposits?per=50')
  assert.deepEqual(pathsIn(first.text, 'deposits'), ids.slice(0, 50))
  await own.deposit()
  const next = /href="(\/dashboard\/deposits\?[^"]*after=[^"]+)"/.exec(first.text)?.[1] ?? ''
  const second = await visitor.get(next.replaceAll('&amp;', '&'))
  assert.deepEqual(pathsIn(second.text, 'deposits'), ids.slice(50))
  assert.ok(!second.text.includes('>Older</a>'))
})

describe('the page of a payment', () => {
  it('shows what happened in the order in which it happened', async () => {
    const { text } = await owner.get(`/dashboard/deposits/${paid.id}`)
    const events = ['Accepted', 'Completed', 'moved from']
    const places = events.map((event) => text.indexOf(event, text.indexOf('id="timeline"')))
    assert.ok(places.every((place) => place > 0))
    assert.ok((places[0] ?? 0) < (places[1] ?? 0))
  })

  it('hides personal data until they are asked for, which the log says', async () => {
    const path = `/dashboard/deposits/${paid.id}`
    const hidden = await owner.get(path)
    assert.doesNotMatch(hidden.text, /260763456789|somebody@example\.com/)
    const shown = await owner.post(`${path}/reveal`)
    assert.match(shown.text, /\+260763456789/)
    assert.match(shown.text, /somebody@example\.com/)
    assert.doesNotMatch((await owner.get(path)).text, /somebody@example\.com/)
    const entries = await service.database.query(
      `select actor, object from audit_entries where merchant_id = $1
       and action = 'personal data shown'`,
      [merchantId],
    )
    assert.deepEqual(entries, [{ actor: owner.email, object: paid.id }])
  })

  it('of another merchant is not there', async () => {
    const stranger = await signedIn(service, 'owner', {
      merchantId: (await shareService()).merchantId,
    })
    const { status, text } = await stranger.get(`/dashboard/deposits/${paid.id}`)
    assert.equal(status, 404)
    const nobody = await stranger.get(`/dashboard/deposits/${randomUUID()}`)
    assert.equal(text.replaceAll(paid.id, ''), nobody.text.replaceAll(/[0-9a-f-]{36}/g, ''))
  })

  it('shows what merchants and customers wrote as text', async () => {
    const evil = '<script>alert(1)</script>'
    const { id } = await service.deposit({ clientReferenceId: evil, metadata: [{ evil }] })
    for (const path of ['/dashboard/deposits', `/dashboard/deposits/${id}`]) {
      const { text } = await owner.get(path)
      assert.ok(text.includes('&lt;script>alert(1)') || text.includes('&lt;script&gt;alert(1)'))
      assert.ok(!text.includes(evil))
    }
  })
})

describe('a file of a list', () => {
  it('guards formulas for spreadsheets alone, and quotes what has to be', async () => {
    const formula = '=HYPERLINK("https://example.com";"a, b")'
    await service.deposit({ clientReferenceId: formula })
    const quoted = `"${formula.replaceAll('"', '""')}"`
    const machines = await owner.get('/dashboard/deposits.csv')
    assert.ok(machines.text.includes(`,${quoted},`))
    assert.ok(!machines.text.startsWith('\ufeff'))
    const people = await owner.get('/dashboard/deposits.csv?mode=spreadsheet')
    assert.ok(people.text.includes(`,"'${quoted.slice(1)},`))
  })

  it('with personal data, like a page that shows them, asks again who it is', async () => {
    const finance = await signedIn(service, 'finance', { merchantId })
    await changeUser(service.database, finance.userId, { passwordHash: STORED })
    const file = '/dashboard/deposits.csv?status=COMPLETED'
    const isOld = () =>
      service.database.query(
        `update user_sessions set confirmed_at = now() - interval '11 minutes' where user_id = $1`,
        [finance.userId],
      )
    await isOld()
    const list = [file, '/dashboard/statements.csv', `/dashboard/exports/${randomUUID()}/file`]
    for (const path of [...list, `/dashboard/bulk-payouts/${randomUUID()}/results.csv`]) {
      const { status, text } = await finance.get(path)
      assert.equal(status, 403, path)
      assert.match(text, /name="proof"/, path)
      assert.doesNotMatch(text, /260763456789|somebody@example\.com/)
    }
    const kinds = ['deposits', 'payouts', 'refunds', 'remittances']
    const forms = kinds.map((place) => `/dashboard/${place}/${paid.id}/reveal`)
    for (const path of [...forms, '/dashboard/exports']) {
      const { text } = await finance.post(path)
      assert.match(text, /name="proof"/, path)
      assert.doesNotMatch(text, /260763456789|somebody@example\.com/)
    }
    const wrong = await finance.post('/dashboard/confirm', { next: file, proof: 'not this one' })
    assert.equal(wrong.status, 403)
    assert.match(wrong.text, /name="next" value="\/dashboard\/deposits\.csv\?status=COMPLETED"/)
    const right = await finance.post('/dashboard/confirm', { next: file, proof: PASSWORD })
    assert.deepEqual([right.status, right.location], [303, file])
    assert.match((await finance.get(file)).text, /somebody@example\.com/)
    for (const next of ['https://example.com/', '//example.com', '/\\example.com']) {
      const { location } = await finance.post('/dashboard/confirm', { next })
      assert.equal(location, '/dashboard', next)
    }
  })

  it('carries personal data to those who may see them, and the log says so', async () => {
    const own = await shareService()
    await own.deposit({ metadata: [{ mail: 'somebody@example.com', isPII: true }] })
    const admin = await signedIn(own, 'admin', { merchantId: own.merchantId })
    assert.match((await admin.get('/dashboard/deposits.csv')).text, /somebody@example\.com/)
    const entries = await own.database.query(
      `select actor, object from audit_entries where merchant_id = $1 and action = 'list exported'`,
      [own.merchantId],
    )
    assert.deepEqual(entries, [{ actor: admin.email, object: 'deposits' }])
  })
})

/** How many entries the audit log has about something. */
const entriesAbout = async (object: string): Promise<number> => {
  const rows = await service.database.query(
    'select from audit_entries where merchant_id = $1 and object = $2',
    [merchantId, object],
  )
  return rows.length
}

/** The notice that the next page shows. */
const noticeAfter = async (path: string, { headers }: Shown): Promise<string> => {
  const cookie = [owner.cookie, ...headers.getSetCookie().map((one) => one.split(';')[0])].join(
    '; ',
  )
  return (
    /<p class="notice[^>]*>(.*?)<\/p>/s.exec((await owner.get(path, { cookie })).text)?.[0] ?? ''
  )
}

describe('a refund from the page of a deposit', () => {
  const fieldIn = (text: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''

  it('is one refund however often it is pressed', async () => {
    const { id } = await service.deposit({ amount: '30' })
    await service.reaches(id, 'COMPLETED')
    const path = `/dashboard/deposits/${id}`
    const fields = { refundId: fieldIn((await owner.get(path)).text, 'refundId'), amount: '10' }
    const answers = await Promise.all([1, 2, 3].map(() => owner.post(`${path}/refund`, fields)))
    assert.ok(answers.every(({ status }) => status === 303))
    await eventually(async () => {
      const { body } = await service.get(`/v2/refunds/${fields.refundId}`)
      assert.equal(body.data?.status, 'COMPLETED')
    })
    const refunds = await service.database.query(
      'select amount::text from payments where merchant_id = $1 and refund_of = $2',
      [merchantId, id],
    )
    assert.deepEqual(refunds, [{ amount: '10' }])
    assert.equal((await owner.post(`${path}/refund`, fields)).status, 303, 'also later')
    assert.equal(await entriesAbout(id), 1, 'one entry in the audit log')
    const refund = (await owner.get(`/dashboard/refunds/${fields.refundId}`)).text
    assert.match(refund, new RegExp(`<dd>Dashboard, by ${owner.email}</dd>`))
    const line = new RegExp(`Refund of 10\\.00.ZMW: Completed \\(${owner.email}\\)`)
    assert.match((await owner.get(path)).text, line)
    assert.match((await owner.get(path)).text, /Up to 20\.00.ZMW can be given back/)
    const { body } = await service.get(`/v2/refunds/${fields.refundId}`)
    assert.ok(!JSON.stringify(body).includes('DASHBOARD'), 'the API does not say so')
    const byApi = randomUUID()
    await service.post('/v2/refunds', {
      refundId: byApi,
      depositId: id,
      amount: '1',
      currency: 'ZMW',
    })
    const list = async (query: string): Promise<string> =>
      (await owner.get(`/dashboard/refunds?columns=source,id&${query}`)).text
    for (const [source, word, has, lacks] of [
      ['DASHBOARD', 'Dashboard', fields.refundId, byApi],
      ['API', 'API', byApi, fields.refundId],
    ] as const) {
      const text = await list(`source=${source}`)
      assert.ok(text.includes(`data-label="Source">${word}</td>`), source)
      assert.ok(text.includes(`<bdi>${has}</bdi>`) && !text.includes(`<bdi>${lacks}</bdi>`), source)
    }
  })

  it('that two pages ask for is one, and the second says so', async () => {
    const { id } = await service.deposit({ amount: '30' })
    await service.reaches(id, 'COMPLETED')
    const path = `/dashboard/deposits/${id}`
    const tabs = [await owner.get(path), await owner.get(path)]
    const [first = '', second = ''] = tabs.map(({ text }) => fieldIn(text, 'refundId'))
    await owner.post(`${path}/refund`, { refundId: first, amount: '30' })
    const again = await owner.post(`${path}/refund`, { refundId: second, amount: '30.00' })
    assert.match(await noticeAfter(path, again), /role="status">This refund was made already\./)
    const other = await owner.post(`${path}/refund`, { refundId: second, amount: '12' })
    assert.match(
      await noticeAfter(path, other),
      /role="alert".*a refund of 30\.00.ZMW was made meanwhile/s,
    )
    assert.equal(await entriesAbout(id), 1)
  })

  it('is shown before it is made: how much, to whom, and what is left', async () => {
    const { id } = await service.deposit({ amount: '2000.50' })
    await service.reaches(id, 'COMPLETED')
    const path = `/dashboard/deposits/${id}`
    assert.match((await owner.get(path)).text, new RegExp(`<form action="${path}/refund"`))
    const typed = ['1,500.00', '1\u202f500,00', '1 500', '1500', '1,500.00 ZMW', '1.500,00']
    for (const [at, amount] of typed.entries()) {
      const query = new URLSearchParams({ amount, refundId: randomUUID() })
      const { status, text } = await owner.get(
        `${path}/refund?${query}&lang=${at % 2 ? 'fr' : 'en'}`,
      )
      assert.equal(status, 200, amount)
      assert.match(text, at % 2 ? /1.500,00.ZMW/ : /<strong>1,500\.00.ZMW/, amount)
      assert.match(text, at % 2 ? /500,50.ZMW/ : /500\.50.ZMW/, 'what is left')
      assert.match(text, /\+260 76 \*\*\* \*789/)
      assert.match(text, /name="amount" value="1500(\.00)?"/)
    }
    const unclear = await owner.get(`${path}/refund?amount=1,500`)
    assert.match(unclear.text, /Amount: “1,500” can be read in two ways\. Write 1500 or 1\.50,/)
    const rows = await service.database.query(
      'select from payments where merchant_id = $1 and refund_of = $2',
      [merchantId, id],
    )
    assert.equal(rows.length, 0, 'looking makes none')
  })

  it('begins with all that is left, written as in the language of the page', async () => {
    const { id } = await service.deposit({ amount: '15' })
    await service.reaches(id, 'COMPLETED')
    const path = `/dashboard/deposits/${id}`
    const prefilled = [
      [`${path}?lang=en`, '15.00'],
      [`${path}?lang=fr`, '15,00'],
      [`/dashboard/deposits/${elsewhere.id}`, '5000'],
    ] as const
    for (const [page, amount] of prefilled) {
      const { text } = await owner.get(page)
      assert.equal(/name="amount"[^>]* value="([^"]+)"/.exec(text)?.[1], amount, page)
    }
    for (const amount of ['15,00', '15.00']) {
      const { status, text } = await owner.get(`${path}/refund?lang=fr&amount=${amount}`)
      assert.equal(status, 200, amount)
      assert.match(text, /<strong>15,00.ZMW/)
    }
  })

  it('of a currency that people write without decimals is read as they write it', async () => {
    const path = `/dashboard/deposits/${elsewhere.id}/refund`
    const english = await owner.get(`${path}?amount=1,500`)
    assert.match(english.text, /<strong>1,500\.00.UGX/)
    const french = await owner.get(`${path}?lang=fr&amount=1,500`)
    assert.equal(french.status, 400)
    assert.match(french.text, /Montant.: «.1,500.» peut se lire de deux façons/)
  })

  it('with more decimals than are taken is refused by the number of decimals', async () => {
    const whole = await service.deposit({
      payer: payer('250783456789', 'MTN_MOMO_RWA'),
      currency: 'RWF',
      amount: '5000',
    })
    await service.reaches(whole.id, 'COMPLETED')
    for (const [id, query, words] of [
      [paid.id, 'amount=0.001', 'Amount: “0.001” has too many decimals. ZMW has 2, as in 15.00.'],
      [paid.id, 'amount=0,0001', 'Amount: “0,0001” has too many decimals. ZMW has 2, as in 15.00.'],
      [
        paid.id,
        'amount=0,001&lang=fr',
        'Montant : « 0,001 » a trop de décimales. ZMW en a 2, comme dans 15,00.',
      ],
      [whole.id, 'amount=0.50', 'Amount: “0.50” has decimals. Write a whole amount, such as 5000.'],
      [
        whole.id,
        'amount=0,001&lang=fr',
        'Montant : « 0,001 » a des décimales. Écrivez un montant entier, comme 5000.',
      ],
    ] as const) {
      const { status, text } = await owner.get(`/dashboard/deposits/${id}/refund?${query}`)
      assert.equal(status, 400, query)
      const link = /<a href="#amount">(.*?)<\/a>/.exec(text)?.[1]
      assert.equal(link?.replaceAll(/[\u00a0\u202f]/g, ' '), words)
    }
  })

  it('of more than is left is refused in words, and so is an amount that is none', async () => {
    const { id } = await service.deposit({ amount: '30' })
    await service.reaches(id, 'COMPLETED')
    for (const amount of ['31', 'ten', '-1', '', '0', '1.500', '1,500', '1.505']) {
      const path = `/dashboard/deposits/${id}/refund`
      const fields = { refundId: randomUUID(), amount }
      const asked = await owner.get(`${path}?${new URLSearchParams(fields)}`)
      for (const { status, text } of [asked, await owner.post(path, fields)]) {
        assert.equal(status, 400, amount)
        assert.match(text, /<title>Error: Refund/)
        const summary = text.indexOf('role="alert" tabindex="-1" autofocus')
        assert.ok(summary > 0 && summary < text.indexOf('<h1'), 'first, and focused')
        assert.match(text, /<a href="#amount">/)
        assert.match(text, /aria-describedby="amount-hint amount-problem"/)
        if (amount !== '') assert.ok(text.includes(`value="${amount}" `), 'what was typed stays')
        assert.match(text, new RegExp(`name="refundId" value="${fields.refundId}"`))
      }
      const rows = await service.database.query(
        'select from payments where merchant_id = $1 and refund_of = $2',
        [merchantId, id],
      )
      assert.equal(rows.length, 0, amount)
    }
    assert.equal(await entriesAbout(id), 0, 'what was refused is not in the audit log')
  })
})

describe('what waits in line', () => {
  it('can be cancelled, once, and only while it waits', async () => {
    await delayPayingOut(service)
    const { id } = await start(service, 'payout', 'OPEN')
    const path = `/dashboard/payouts/${id}`
    assert.match(
      (await owner.get(path)).text,
      new RegExp(`<a class="button danger" href="${path}/cancel">Cancel this payment</a>`),
    )
    const look = await owner.get(`${path}/cancel`)
    assert.equal(look.status, 200)
    assert.match(look.text, /<h1>Check the cancellation<\/h1>/)
    assert.match(look.text, /<strong>15\.00.ZMW<\/strong>/)
    assert.match(look.text, /<bdi>\+260 \d\d \*\*\* \*\d{3}<\/bdi> \(\w+\)/)
    assert.match(look.text, new RegExp(`<form method="post" action="${path}/cancel"`))
    assert.match(look.text, new RegExp(`<a href="${path}">Back to the payment</a>`))
    const french = await owner.get(`${path}/cancel?lang=fr`)
    assert.match(french.text, /<h1>Vérifiez l’annulation<\/h1>/)
    assert.match((await owner.get(path)).text, /Enqueued/, 'looking cancels nothing')
    await owner.post(`${path}/cancel`)
    const gone = await owner.get(`${path}/cancel`)
    assert.match(await noticeAfter(path, gone), /role="alert".*is not enqueued/s)
    const { text } = await owner.get(path)
    assert.match(text, /MANUALLY_CANCELLED/)
    assert.match(text, new RegExp(`<dt>Cancelled by</dt><dd>${owner.email}</dd>`))
    assert.match(text, new RegExp(`Failed \\(${owner.email}\\)`))
    assert.doesNotMatch(text, /Cancel this payment/)
    const again = await owner.post(`${path}/cancel`)
    assert.match(
      await noticeAfter(path, again),
      /role="status">The payment was cancelled already\./,
    )
    assert.equal(await entriesAbout(id), 1)
    const late = await owner.post(`/dashboard/deposits/${paid.id}/cancel`)
    assert.match(await noticeAfter(path, late), /role="alert".*is not enqueued/s)
    const rows = await service.database.query(
      `select from audit_entries where merchant_id = $1 and object = $2
       and action = 'cancellation requested'`,
      [merchantId, paid.id],
    )
    assert.equal(rows.length, 0, 'what was refused is not in the audit log')
  })

  it('of checkouts can be expired, once', async () => {
    const { id } = await checkout(service)
    const path = `/dashboard/checkouts/${id}`
    assert.match(
      await noticeAfter(path, await owner.post(`${path}/expire`)),
      /The checkout is expired\./,
    )
    const again = await owner.post(`${path}/expire`)
    assert.match(await noticeAfter(path, again), /role="status">The checkout was expired already\./)
    assert.equal(await entriesAbout(id), 1)
  })
})

it('a callback without an address is not sent again, and the page says why', async () => {
  const path = `/dashboard/deposits/${paid.id}`
  const answers = [
    await owner.post(`${path}/resend`),
    await owner.post('/dashboard/callbacks/resend', { kind: 'deposit', id: paid.id }),
  ]
  for (const answer of answers) {
    assert.match(
      await noticeAfter(path, answer),
      /role="alert".*o callback URL is set for this kind/s,
    )
  }
  const rows = await service.database.query(
    `select from audit_entries where merchant_id = $1 and action = 'callback resent'
     union all select from callbacks where merchant_id = $1 and payment_id = $2`,
    [merchantId, paid.id],
  )
  assert.equal(rows.length, 0)
})

describe('the search', () => {
  const reference = async (): Promise<string> => {
    const { text } = await owner.get(`/dashboard/deposits/${paid.id}`)
    return /<code>([0-9A-Z]{5}-[0-9A-Z]{5})<\/code>/.exec(text)?.[1] ?? assert.fail()
  }
  const leadsTo = async (q: string, path: string): Promise<void> => {
    const { status, location } = await owner.get(`/dashboard/search?${new URLSearchParams({ q })}`)
    assert.deepEqual([status, location], [303, path], q)
  }

  it('leads to the only payment that has it: id, reference, metadata, short reference', async () => {
    const path = `/dashboard/deposits/${paid.id}`
    const short = await reference()
    const words = [paid.id, paid.id.toUpperCase(), 'INV-77', 'ORD-1 "x"', short]
    for (const q of [...words, short.toLowerCase().replace('-', ' ')]) await leadsTo(q, path)
  })

  it('finds a number in any spelling', async () => {
    for (const q of [
      '0763456039',
      '+260 76 345 6039',
      '260763456039',
      '763-456-039',
      '00260763456039',
    ]) {
      await leadsTo(q, `/dashboard/deposits/${failed.id}`)
    }
  })

  it('finds the transaction of the operator, a sum, and a checkout by its code', async () => {
    const { data } = (await service.get(`/v2/deposits/${elsewhere.id}`)).body
    await leadsTo(data.providerTransactionId, `/dashboard/deposits/${elsewhere.id}`)
    await leadsTo('5000 UGX', `/dashboard/deposits/${elsewhere.id}`)
    const { id, code } = await checkout(service)
    await leadsTo(code, `/dashboard/checkouts/${id}`)
  })

  it('finds no part of a value, and says to use the whole one', async () => {
    const { status, text } = await owner.get('/dashboard/search?q=ORD-1')
    assert.equal(status, 200)
    assert.match(text, /Use the full value/)
  })

  it('takes fields', async () => {
    await leadsTo(
      'status:failed provider:mtn_momo_zmb amount>5 meta.orderId:"a b" kind:payout',
      '/dashboard/payouts?status=FAILED&provider=MTN_MOMO_ZMB&min=5.0001&meta.orderId=a+b',
    )
    assert.match((await owner.get('/dashboard/search?q=colour:red')).text, /Unknown field: colour/)
  })

  it('finds nothing of another merchant', async () => {
    const other = await shareService()
    const stranger = await signedIn(other, 'owner', { merchantId: other.merchantId })
    for (const q of [paid.id, 'INV-77', '0763456039', 'ORD-1 "x"', await reference()]) {
      const { text } = await stranger.get(`/dashboard/search?${new URLSearchParams({ q })}`)
      assert.match(text, /Nothing was found/, q)
    }
  })
})

describe('a person who is limited to countries', () => {
  it('finds nothing of others in lists, files, search and by address', async () => {
    const limited = await signedIn(service, 'finance', { merchantId, countries: ['UGA'] })
    assert.deepEqual(pathsIn((await limited.get('/dashboard/deposits')).text, 'deposits'), [
      elsewhere.id,
    ])
    const { text } = await limited.get('/dashboard/deposits.csv')
    assert.ok(text.includes(elsewhere.id) && !text.includes(paid.id))
    assert.equal((await limited.get(`/dashboard/deposits/${paid.id}`)).status, 404)
    assert.equal((await limited.post(`/dashboard/deposits/${paid.id}/refund`)).status, 404)
    assert.match((await limited.get('/dashboard/search?q=INV-77')).text, /Nothing was found/)
  })
})
