import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { checkout } from '../../harness/hosted.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { remitterOf } from '../../harness/remittances.ts'
import { eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { split, splitReaches } from '../../harness/splits.ts'
import { type Row, rowsOf } from '../../harness/statements.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const owner = await signedIn(service, 'owner', { merchantId })

const metadata = [
  { order: 'a "b", c' },
  { 'é:x': '=1+1\n2' },
  { mail: 'x@example.com', isPII: true },
]
const paid = await service.deposit({ amount: '15', clientReferenceId: 'R-1', metadata })
const failed = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB'), amount: '20' })
await service.reaches(paid.id, 'COMPLETED')
await service.reaches(failed.id, 'FAILED')
const parted = await split(service, { clientReferenceId: 'S-1' })
await splitReaches(service, parted.id, 'COMPLETED')
const sold = await checkout(service, { clientReferenceId: 'C-1', metadata: [{ shop: 'two' }] })

const idsIn = (text: string, place: string): string[] =>
  [...text.matchAll(new RegExp(`<a href="/dashboard/${place}/([0-9a-f-]{36})"><time`, 'g'))].map(
    ([, id]) => id ?? '',
  )
const namesIn = (text: string): string[] =>
  [...text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, name = '']) =>
    name.replaceAll(/<[^>]+>/g, '').trim(),
  )
const fileOf = async (visitor: Visitor, address: string): Promise<readonly Row[]> => {
  const { status, text } = await visitor.get(`/dashboard/${address}`)
  assert.equal(status, 200)
  return rowsOf(text)
}

describe('a file of a list', () => {
  it('has what the wallet has: net and fee of what moved, nothing of what did not', async () => {
    const rows = await fileOf(owner, 'deposits.csv?order=oldest&source=API')
    const facts = rows.map((row) => [row.transactionId, row.type, row.direction, row.status])
    assert.deepEqual(facts, [
      [paid.id, 'DEPOSIT', 'CREDIT', 'COMPLETED'],
      [failed.id, 'DEPOSIT', 'CREDIT', 'FAILED'],
    ])
    const [first, second] = rows
    const walletOf = (row?: Row) => [row?.walletCountry, row?.walletCurrency, row?.fee, row?.net]
    assert.deepEqual(walletOf(first), ['ZMB', 'ZMW', '0.00', '15.00'])
    assert.deepEqual(walletOf(second), ['', '', '0.00', '0.00'])
    const payouts = await fileOf(owner, 'payouts.csv')
    assert.deepEqual(payouts.map(({ net }) => net).toSorted(), ['-30.00', '-60.00'])
    assert.ok(payouts.every(({ type }) => type === 'SPLIT_PAYOUT'))
  })

  it('is offered with semicolons as well, for French spreadsheets', async () => {
    for (const place of ['deposits', 'payouts', 'split-payments', 'checkouts']) {
      const { text: page } = await owner.get(`/dashboard/${place}?lang=fr&currency=ZMW`)
      const link = /href="([^"]+)">CSV pour tableur, avec points-virgules</.exec(page)?.[1] ?? ''
      const { status, text } = await owner.get(link.replaceAll('&amp;', '&'))
      assert.equal(status, 200)
      assert.match(text, /^\ufeff?createdAt;completedAt;/, place)
    }
    const { text } = await owner.get('/dashboard/deposits?lang=en&currency=ZMW')
    assert.match(text, /CSV for spreadsheets, with semicolons/)
  })

  it('has metadata that parse back to those of the API', async () => {
    const [row] = await fileOf(owner, 'deposits.csv?clientReferenceId=R-1')
    const { data } = (await service.get(`/v2/deposits/${paid.id}`)).body
    assert.deepEqual(JSON.parse(row?.metadata ?? ''), data.metadata)
    assert.equal(row?.phoneNumber, '260763456789')
  })

  it('of split payments and checkouts has the rows of the page', async () => {
    const [one, another] = await fileOf(owner, 'split-payments.csv')
    assert.equal(another, undefined)
    assert.deepEqual(
      [one?.transactionId, one?.type, one?.status, one?.amount],
      [parted.id, 'SPLIT_DEPOSIT', 'COMPLETED', '100.00'],
    )
    const [row] = await fileOf(owner, 'checkouts.csv')
    assert.deepEqual(
      [row?.transactionId, row?.type, row?.status, row?.amount, row?.metadata],
      [sold.id, 'CHECKOUT', 'WAITING_PAYMENT', '15.00', '{"shop":"two"}'],
    )
  })

  it('is not made of a filter that cannot be read, nor by a role that may not export', async () => {
    assert.equal((await owner.get('/dashboard/deposits.csv?min=lots')).status, 404)
    const support = await signedIn(service, 'support', { merchantId })
    for (const place of ['deposits', 'split-payments', 'checkouts']) {
      assert.equal((await support.get(`/dashboard/${place}.csv`)).status, 403)
    }
  })

  for (const [list, id] of [
    ['split-payments', parted.id],
    ['checkouts', sold.id],
  ] as const) {
    it(`of ${list} can be a job, which is the same file`, async () => {
      const { text } = await owner.get(`/dashboard/${list}.csv?order=oldest`)
      assert.ok(text.includes(id))
      const order = { list, query: 'order=oldest', format: 'csv' }
      assert.equal((await owner.post('/dashboard/exports', order)).status, 303)
      const file = await eventually(async () => {
        const page = (await owner.get('/dashboard/exports')).text
        const [href] = new RegExp(`/dashboard/exports/[^/]+/file(?="[^>]*${list})`).exec(page) ?? []
        return (await owner.get(href ?? assert.fail())).text
      })
      assert.equal(file, text)
    })
  }
})

describe('lists of split payments and checkouts, by the filter of their address:', () => {
  const cases: readonly (readonly [place: string, query: string, isThere: boolean])[] = [
    ['split-payments', 'status=COMPLETED', true],
    ['split-payments', 'status=OPEN', false],
    ['split-payments', 'clientReferenceId=S-1', true],
    ['split-payments', 'clientReferenceId=S', false],
    ['split-payments', 'min=100&max=100&currency=ZMW&country=ZMB&provider=MTN_MOMO_ZMB', true],
    ['split-payments', 'min=101', false],
    ['split-payments', 'phone=0763456789', true],
    ['split-payments', 'failureCode=PAYMENT_NOT_APPROVED', false],
    ['split-payments', 'from=2001-01-01&order=oldest', true],
    ['split-payments', 'to=2001-01-01', false],
    ['checkouts', 'status=WAITING_PAYMENT', true],
    ['checkouts', 'status=EXPIRED', false],
    ['checkouts', 'clientReferenceId=C-1&meta.shop=two', true],
    ['checkouts', 'meta.shop=tw', false],
    ['checkouts', 'currency=ZMW&min=15&max=15.00&country=ZMB', true],
    ['checkouts', 'currency=UGX', false],
    ['checkouts', 'country=UGA', false],
  ]
  for (const [place, query, isThere] of cases) {
    it(`${place}?${query}`, async () => {
      const { status, text } = await owner.get(`/dashboard/${place}?${query}`)
      assert.equal(status, 200)
      assert.equal(idsIn(text, place).length, isThere ? 1 : 0)
      assert.equal((await fileOf(owner, `${place}.csv?${query}`)).length, isThere ? 1 : 0)
    })
  }
})

it('an empty list says of its own kind that there is none, or that none fits', async () => {
  const { id } = await addMerchant(service)
  const nobody = await signedIn(service, 'owner', { merchantId: id })
  const kinds = [
    ['deposits', 'deposits', 'Aucun dépôt'],
    ['payouts', 'payouts', 'Aucun versement'],
    ['refunds', 'refunds', 'Aucun remboursement'],
    ['remittances', 'remittances', 'Aucun transfert'],
    ['split-payments', 'split payments', 'Aucun paiement partagé'],
    ['checkouts', 'checkouts', 'Aucune session de paiement'],
  ] as const
  for (const [place, words, french] of kinds) {
    const emptyText = async (query: string): Promise<string> => {
      const { text } = await nobody.get(`/dashboard/${place}?${query}`)
      return /<div class="panel empty"><p>(.*?)<\/p>/.exec(text)?.[1] ?? ''
    }
    assert.match(await emptyText('all'), new RegExp(`^No ${words} yet\\.`))
    assert.equal(await emptyText('status=COMPLETED'), `No ${words} match.`)
    assert.match(await emptyText('all&lang=fr'), new RegExp(`^${french} pour l’instant\\.`))
    assert.equal(await emptyText('status=COMPLETED&lang=fr'), `${french} ne correspond.`)
  }
})

it('a list is sorted by its first column, on every page and in its file', async () => {
  const newest = await owner.get('/dashboard/deposits?per=50&source=API')
  const [link = ''] =
    /(?<=aria-sort="descending"><a [^>]*href=")[^"]+/.exec(newest.text) ?? assert.fail(newest.text)
  const oldest = await owner.get(link.replaceAll('&amp;', '&'))
  assert.match(oldest.text, /aria-sort="ascending"/)
  assert.match(oldest.text, /Oldest first\. 2 payments\./)
  assert.deepEqual(idsIn(newest.text, 'deposits'), [failed.id, paid.id])
  assert.deepEqual(idsIn(oldest.text, 'deposits'), [paid.id, failed.id])
  const key = await service.database.query<{ key: string }>(
    'select key from payments where id = $1',
    [paid.id],
  )
  const next = await owner.get(`/dashboard/deposits?order=oldest&source=API&after=${key[0]?.key}`)
  assert.deepEqual(idsIn(next.text, 'deposits'), [failed.id])
})

describe('the columns of a list', () => {
  const USUAL = ['Status', 'Amount', 'Failure code', 'Phone number', 'Provider', 'Country']
  const REST = ['Client reference', 'Provider transaction id', 'Metadata']

  it('are the usual ones, and others by the address', async () => {
    const usual = await owner.get('/dashboard/deposits?all')
    assert.deepEqual(namesIn(usual.text).slice(1), [...USUAL, ...REST])
    const asked = await owner.get('/dashboard/deposits?columns=duration,id,nonsense,id,source')
    assert.deepEqual(namesIn(asked.text).slice(1), ['Duration', 'Id', 'Source'])
  })

  it('are kept for the person who chose them, in the order that was given', async () => {
    const own = await signedIn(service, 'support', { merchantId })
    const other = await signedIn(service, 'support', { merchantId })
    const form = new URLSearchParams([
      ['show', 'amount'],
      ['show', 'completed'],
      ['show', 'status'],
      ['at.amount', '3'],
      ['at.completed', '1'],
      ['at.status', '2'],
      ['query', 'status=COMPLETED&columns=id'],
    ])
    const chosen = await own.post('/dashboard/deposits/columns', form)
    assert.equal(chosen.location, '/dashboard/deposits?status=COMPLETED')
    const names = async (visitor: Visitor, place = 'deposits'): Promise<string[]> =>
      namesIn((await visitor.get(`/dashboard/${place}?all`)).text).slice(1)
    assert.deepEqual(await names(own), ['Completed', 'Status', 'Amount'])
    assert.deepEqual(await names(other), [...USUAL, ...REST])
    const { text } = await own.get('/dashboard/deposits?all')
    assert.match(text, /name="query" value="columns=completed%2Cstatus%2Camount"/)
    await own.post('/dashboard/deposits/columns', { usual: 'yes' })
    assert.deepEqual(await names(own), [...USUAL, ...REST])
    const log = await service.database.query(
      `select action from audit_entries where merchant_id = $1 and actor = $2
         and action like 'columns%' order by number`,
      [merchantId, own.email],
    )
    assert.deepEqual(log, [{ action: 'columns chosen' }, { action: 'columns reset' }])
  })

  it('say what only payments of the kind have, and names by their first letters', async () => {
    const { id } = await remitterOf(service).remit()
    const { text } = await owner.get('/dashboard/remittances?all')
    assert.ok(namesIn(text).includes('Sender'))
    assert.match(text, />A\*\*\* B\*\*\*</)
    assert.match(text, />C\*\*\* M\*\*\*</)
    assert.doesNotMatch(text, /Amina|Chanda/)
    const page = await owner.get(`/dashboard/remittances/${id}`)
    assert.doesNotMatch(page.text, /Amina|442079460018|Market Street|EC1A|P1234567/)
    assert.match(page.text, /<dt>Sender<\/dt><dd>A\*\*\* B\*\*\*<\/dd>/)
    assert.match(page.text, /<dt>Recipient’s name<\/dt><dd>C\*\*\* M\*\*\*<\/dd>/)
    const revealed = await owner.post(`/dashboard/remittances/${id}/reveal`)
    assert.match(revealed.text, /<dt>Sender<\/dt><dd>Amina Banda<\/dd>/)
    assert.match(revealed.text, /<dt>Recipient’s name<\/dt><dd>Chanda Mwale<\/dd>/)
    assert.ok(namesIn((await owner.get('/dashboard/checkouts')).text).includes('Checkout code'))
  })
})

describe('the filters of a list', () => {
  it('take a field of metadata without script, and leave what is empty out', async () => {
    const asked = await owner.get(
      '/dashboard/deposits?status=&min=1&metaName=order&metaValue=a+%22b%22%2C+c&order=oldest',
    )
    assert.equal(asked.status, 303)
    assert.match(asked.location ?? '', /^\/dashboard\/deposits\?min=1&order=oldest&meta\.order=/)
    const { text } = await owner.get(asked.location ?? '')
    assert.deepEqual(idsIn(text, 'deposits'), [paid.id])
  })

  it('offer periods that keep the rest of the filter', async () => {
    const { text } = await owner.get('/dashboard/deposits?status=FAILED&from=2001-01-01')
    const links = [...text.matchAll(/href="\/dashboard\/deposits\?(status=FAILED[^"]*)"/g)].map(
      ([, query = '']) => new URLSearchParams(query.replaceAll('&amp;', '&')),
    )
    const days = links.filter((query) => query.get('to') !== null)
    assert.equal(days.length, 3)
    assert.ok(links.some((query) => /T.*Z$/.test(query.get('from') ?? '')))
    assert.ok(links.some((query) => query.get('from') === null))
  })
})

describe('a list that is looked at', () => {
  const events = async (visitor: Visitor, query: string) => {
    const stopped = new AbortController()
    const answer = await fetch(`${service.url}/dashboard/deposits/events?${query}`, {
      headers: { cookie: visitor.cookie },
      signal: stopped.signal,
    })
    let text = ''
    const read = (async () => {
      for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString()
    })().catch(() => undefined)
    return { answer, text: () => text, read, stop: () => stopped.abort() }
  }
  const newest = async (): Promise<string> => {
    const rows = await service.database.query<{ key: string }>(
      'select key from payments where merchant_id = $1 order by key desc limit 1',
      [merchantId],
    )
    return rows[0]?.key ?? assert.fail()
  }

  it('learns how many payments of its filter have come, and no others', async () => {
    const since = await newest()
    const [all, few] = await Promise.all([
      events(owner, `since=${since}`),
      events(owner, `since=${since}&currency=UGX`),
    ])
    assert.equal(all.answer.headers.get('content-type'), 'text/event-stream')
    assert.equal(all.answer.headers.get('cache-control'), 'no-store')
    await service.deposit()
    await service.deposit()
    await service.deposit({
      payer: payer('256783456789', 'MTN_MOMO_UGA'),
      currency: 'UGX',
      amount: '5000',
    })
    await eventually(() => assert.match(all.text(), /data: \{"count":3\}\n\n/))
    await eventually(() => assert.match(few.text(), /data: \{"count":1\}\n\n/))
    assert.doesNotMatch(few.text(), /"count":[23]/)
    const { text } = await owner.get(`/dashboard/deposits/newer?since=${since}`)
    assert.deepEqual(JSON.parse(text), { count: 3 })
    all.stop()
    few.stop()
  })

  it('gets nothing more once the session has ended', async () => {
    const own = await signedIn(service, 'support', { merchantId })
    const stream = await events(own, `since=${await newest()}`)
    await own.post('/sign-out')
    await stream.read
    const after = await events(own, `since=${await newest()}`)
    assert.match(after.answer.url, /\/sign-in\?next=/)
  })

  it('does not keep the session of somebody who has gone away alive', async () => {
    const own = await signedIn(service, 'support', { merchantId })
    const seen = (): Promise<readonly { readonly isOld: boolean }[]> =>
      service.database.query(
        `select seen_at < now() - interval '4 minutes' as "isOld" from user_sessions
         where user_id = $1`,
        [own.userId],
      )
    await service.database.query(
      `update user_sessions set seen_at = now() - interval '5 minutes' where user_id = $1`,
      [own.userId],
    )
    await own.get(`/dashboard/deposits/newer?since=${await newest()}`)
    await own.get('/dashboard/deposits', { 'x-watching': '1' })
    assert.deepEqual(await seen(), [{ isOld: true }])
    await own.get('/dashboard/deposits')
    assert.deepEqual(await seen(), [{ isOld: false }])
  })

  it('holds no more than a few streams for each session, and then says to ask instead', async () => {
    const own = await signedIn(service, 'support', { merchantId })
    const since = await newest()
    const streams = await Promise.all(
      Array.from({ length: 8 }, () => events(own, `since=${since}`)),
    )
    const states = streams.map(({ answer }) => answer.status).toSorted()
    assert.deepEqual(states, [200, 200, 200, 200, 200, 200, 204, 204])
    for (const { stop } of streams) stop()
    const page = await own.get('/dashboard/deposits')
    assert.match(page.text, /data-events="\/dashboard\/deposits\/events\?since=/)
  })
})
