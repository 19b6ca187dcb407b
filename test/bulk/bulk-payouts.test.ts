import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { payout, setBalance } from '../../harness/payouts.ts'
import { eventually } from '../../harness/service.ts'
import { type SharedService, shareService } from '../../harness/share.ts'
import { changeUser } from '../../src/store/people/users.ts'
import {
  actionsOn,
  approved,
  flashOf,
  HEADER,
  idIn,
  PATH,
  rowsOf,
  stateOf,
  uploaded,
  versionOf,
} from './bulk-support.ts'

describe('bulk payouts', () => {
  let service: SharedService
  let maker: Visitor
  let checker: Visitor
  before(async () => {
    service = await shareService()
    const { merchantId } = service
    maker = await signedIn(service, 'operations', { merchantId })
    checker = await signedIn(service, 'finance', { merchantId })
  })

  it('the template has every column, and needs nothing else to be uploaded', async () => {
    const { text, headers } = await maker.get(`${PATH}/template.csv`)
    assert.match(headers.get('content-type') ?? '', /text\/csv/)
    const columns =
      'amount,currency,phoneNumber,provider,payoutId,customerMessage,clientReferenceId\r\n'
    assert.equal(text, columns)
    const path = await uploaded(maker, `${columns}5,ZMW,260763456789,,,Salary May,INV-7\r\n`)
    const page = await maker.get(path)
    assert.match(page.text, /The row is right/)
    assert.match(page.text, /MTN_MOMO_ZMB<span class="note"> \(predicted\)/)
    assert.match(page.text, /INV-7/)
    assert.ok(!page.text.includes('260763456789'), 'numbers are masked')
  })

  it('a file comes as multipart, with its name', async () => {
    const form = new FormData()
    const token = /name="form" value="([^"]+)"/.exec((await maker.get(PATH)).text)?.[1] ?? ''
    form.set('form', token)
    form.set('paste', '')
    form.set(
      'file',
      new Blob(['\ufeffcurrency;phoneNumber;amount\nZMW;+260 76 345 6789;7']),
      'may.csv',
    )
    const answer = await fetch(service.url + PATH, {
      method: 'POST',
      body: form,
      headers: { cookie: maker.cookie, origin: service.url },
      redirect: 'manual',
    })
    assert.equal(answer.status, 303)
    const page = await maker.get(answer.headers.get('location') ?? '')
    assert.match(page.text, /<h1>may\.csv<\/h1>/)
    assert.match(page.text, /The row is right/)
  })

  it('a form with a file and without its token is refused before the file is looked at', async () => {
    const form = new FormData()
    form.set('file', new Blob([rowsOf(1)]), 'a.csv')
    const headers = { cookie: maker.cookie, origin: service.url }
    const answer = await fetch(service.url + PATH, { method: 'POST', body: form, headers })
    assert.equal(answer.status, 403)
  })

  const FAULTS: readonly (readonly [text: string, words: RegExp])[] = [
    ['', /Choose a file or paste rows/],
    ['amount,currency\n1,ZMW', /column “phoneNumber” is missing/],
    [`${HEADER},colour\n1,ZMW,260763456789,red`, /no column “colour”/],
    [`${HEADER},Amount\n1,ZMW,260763456789,2`, /column “Amount” is there twice/],
    [HEADER, /no rows under the column names/],
    [`${HEADER}\n1,ZMW,260763456789,9`, /Row 2 has more cells/],
    [`${HEADER}\n"1,ZMW,260763456789`, /quotation marks do not match/],
    [`${HEADER}\n1,ZMW,26076\ufffd`, /not a CSV file in UTF-8/],
    [rowsOf(5001), /more than 5,?000 rows/],
    [`${HEADER},metadata.note\n1,ZMW,260763456789,${'x'.repeat(1_000_000)}`, /larger than 1 MB/],
  ]
  for (const [text, words] of FAULTS) {
    it(`a file that cannot be read is explained: ${words.source}`, async () => {
      const token = /name="form" value="([^"]+)"/.exec((await maker.get(PATH)).text)?.[1] ?? ''
      const form = new FormData()
      form.set('form', token)
      form.set('paste', text)
      const headers = { cookie: maker.cookie, origin: service.url }
      const answer = await fetch(service.url + PATH, { method: 'POST', body: form, headers })
      assert.equal(answer.status, 422)
      assert.match(await answer.text(), words)
    })
  }

  it('every problem stands beside its row, in both languages', async () => {
    const used = (await payout(service)).id
    const twice = randomUUID()
    const rows = [
      ['', 'ZMW', '260763456789', '', '', ''],
      ['1,500', 'ZMW', '260763456789', '', '', ''],
      ['1.555', 'ZMW', '260763456789', '', '', ''],
      ['99999999', 'ZMW', '260763456789', '', '', ''],
      ['5', 'kwacha', '260763456789', '', '', ''],
      ['5', 'KES', '260763456789', 'MTN_MOMO_ZMB', '', ''],
      ['5', 'ZMW', '2.60763E+11', '', '', ''],
      ['5', 'ZMW', '999', '', '', ''],
      ['5', 'ZMW', '26076', 'MTN_MOMO_ZMB', '', ''],
      ['5', 'ZMW', '260763456789', 'NOBODY', '', ''],
      ['5', 'ZMW', '260763456789', '', 'not-a-uuid', ''],
      ['5', 'ZMW', '260763456789', '', twice, ''],
      ['5', 'ZMW', '260763456789', '', twice, ''],
      ['5', 'ZMW', '260763456789', '', used, ''],
      ['5', 'ZMW', '260763456789', '', '', 'Café!'],
    ]
    const lines = rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','))
    const text = [`${HEADER},provider,payoutId,customerMessage`, ...lines].join('\n')
    const path = await uploaded(maker, text)
    const page = (await maker.get(path)).text
    const expected: readonly (readonly [row: number, words: RegExp])[] = [
      [2, /Amount: Fill this in/],
      [3, /Amount: Write an amount such as 1500 or 15\.50/],
      [4, /Amount: MTN_MOMO_ZMB takes at most 2 decimals/],
      [5, /Amount: MTN_MOMO_ZMB takes [\d.]+\sZMW to \d+,[\d.]+\sZMW/],
      [6, /Currency: Write three letters/],
      [7, /Currency: MTN_MOMO_ZMB pays out in ZMW/],
      [8, /Phone number: Write digits with the country code/],
      [9, /Provider: The number does not tell the provider/],
      [10, /Phone number: MTN_MOMO_ZMB takes \+260 and 9 digits/],
      [11, /Provider: There is no provider “NOBODY”/],
      [12, /Payout id: Write a UUID version 4/],
      [14, /Payout id: Row 13 has the same payout id/],
      [15, /Payout id: There is a payout with this id already/],
      [16, /Message: Write 4 to 22 letters/],
    ]
    for (const [row, words] of expected) {
      const html = new RegExp(`<tr id="row-${row}">.*?</tr>`, 's').exec(page)?.[0] ?? ''
      assert.match(html, words)
    }
    assert.match(page, /14 of 15 rows have problems/)
    const french = (await maker.get(`${path}?lang=fr`)).text
    assert.match(french, /14 lignes sur 15 posent problème/)
    assert.match(french, /Montant\s:\sÀ compléter/)
    assert.ok(!/Fill this in|have problems/.test(french))
    const refused = await maker.post(`${path}/submit`)
    assert.equal(refused.status, 303)
    assert.equal(stateOf((await maker.get(path)).text), 'Draft')
  })

  it('a number without its country code is reported, and no total is no sum', async () => {
    const path = await uploaded(maker, `${HEADER}\n5,ZMW,0763456789`)
    const page = (await maker.get(path)).text
    assert.match(page, /Phone number: The country code is missing/)
    assert.match(page, /<dt>Total of the rows that are right<\/dt><dd>–<\/dd>/)
  })

  it('amounts that a French spreadsheet writes are read', async () => {
    const heading = HEADER.replaceAll(',', ';')
    const lines = ['15,50', '1 500,00', '1\u202f500'].map((one) => `${one};ZMW;260763456789`)
    const path = await uploaded(maker, [heading, ...lines].join('\r\n'))
    const page = (await maker.get(path)).text
    assert.match(page, /All 3 rows are right/)
    assert.match(page, /3,015\.50\sZMW/)
    await maker.post(`${path}/rows`, { 'amount.2': '16,50', from: '0' })
    assert.match((await maker.get(path)).text, /3,016\.50\sZMW/)
  })

  it('one wrong row is counted as one, is not in the total, and shows no country it has not', async () => {
    const right = '10,ZMW,260763456789'
    const path = await uploaded(maker, [HEADER, right, '5,UGX,0763456789', right].join('\n'))
    const plain = async (visitor: Visitor, query = ''): Promise<string> =>
      (await visitor.get(path + query)).text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    const page = await plain(maker)
    assert.match(page, /1 of 3 rows has a problem\. It comes first/)
    assert.match(page, /Total of the rows that are right 20\.00 ZMW/)
    const french = await plain(maker, '?lang=fr')
    assert.match(french, /1 ligne sur 3 pose problème\. Elle vient en premier/)
    assert.match(french, /Total des lignes correctes 20,00 ZMW/)
    const seen = await plain(checker)
    assert.match(seen, /076 \*\*\* \*789/)
    assert.ok(!seen.includes('+076'))
  })

  it('rows are corrected and removed in place, and keep their payout id', async () => {
    const path = await uploaded(maker, `${HEADER}\nfive,ZMW,260763456789\n6,ZMW,260763456789`)
    const idOf = async (number: number): Promise<string> => {
      const [row] = await service.database.query<{ payout_id: string }>(
        'select payout_id from bulk_payout_rows where bulk_id = $1 and number = $2',
        [idIn(path), number],
      )
      return row?.payout_id ?? ''
    }
    const id = await idOf(2)
    assert.match(id, /^[0-9a-f-]{36}$/)
    await maker.post(`${path}/rows`, { 'amount.2': '5.25', 'phoneNumber.2': '+260 973 456 789' })
    const page = (await maker.get(path)).text
    assert.match(page, /All 2 rows are right/)
    assert.match(page, /AIRTEL_OAPI_ZMB/)
    assert.match(page, /11\.25/)
    assert.equal(await idOf(2), id)
    await maker.post(`${path}/rows`, { remove: '3' })
    assert.match((await maker.get(path)).text, /The row is right/)
    const actions = await actionsOn(service, idIn(path))
    assert.deepEqual(actions, [
      'bulk payout uploaded',
      'bulk payout rows changed',
      'bulk payout rows changed',
    ])
    const [entry] = await service.database.query<{ text: string }>(
      `select string_agg(before::text || after::text, '') as text from audit_entries
       where object = $1 and action like '%rows%'`,
      [idIn(path)],
    )
    assert.ok(!entry?.text.includes('973456789'), 'the log holds no number')
  })

  it('only the maker changes a draft', async () => {
    const path = await uploaded(maker, rowsOf(1))
    for (const act of ['rows', 'submit', 'discard']) {
      await checker.post(`${path}/${act}`, { 'amount.2': '900' })
    }
    const page = (await checker.get(path)).text
    assert.match(page, /2\.00\sZMW/)
    assert.ok(!page.includes('Discard'))
    await maker.post(`${path}/discard`)
    assert.equal((await maker.get(path)).status, 404)
  })

  it('the maker never approves, whatever the role', async () => {
    const owner = await signedIn(service, 'owner', { merchantId: service.merchantId })
    const path = await uploaded(owner, rowsOf(1))
    await owner.post(`${path}/submit`)
    const page = (await owner.get(path)).text
    assert.ok(!page.includes('/approve'))
    const [row] = await service.database.query<{ version: number }>(
      'select version from bulk_payouts where id = $1',
      [idIn(path)],
    )
    await owner.post(`${path}/approve`, { version: String(row?.version) })
    assert.equal(stateOf((await owner.get(path)).text), 'Needs approval')
    assert.ok(!(await actionsOn(service, idIn(path))).includes('bulk payout approved'))
    await owner.post(`${path}/withdraw`)
    assert.equal(stateOf((await owner.get(path)).text), 'Draft')
  })

  it('roles without the permission can neither see nor approve', async () => {
    const path = await uploaded(checker, rowsOf(1))
    await checker.post(`${path}/submit`)
    const other = await signedIn(service, 'operations', { merchantId: service.merchantId })
    assert.equal((await other.get(path)).status, 200)
    assert.equal((await other.post(`${path}/approve`, { version: '3' })).status, 403)
    for (const role of ['developer', 'support'] as const) {
      const visitor = await signedIn(service, role, { merchantId: service.merchantId })
      assert.equal((await visitor.get(PATH)).status, 403)
      assert.equal((await visitor.get(path)).status, 403)
      assert.equal((await visitor.get(`${path}/results.csv`)).status, 403)
    }
  })

  it('a rejection needs a reason, and makes it a draft again', async () => {
    const path = await uploaded(maker, rowsOf(1))
    await maker.post(`${path}/submit`)
    const version = versionOf((await checker.get(path)).text)
    const without = await checker.post(`${path}/reject`, { version })
    assert.equal(without.status, 422)
    assert.match(without.text, /Say why/)
    await checker.post(`${path}/reject`, { version, reason: 'Wrong month' })
    const page = (await maker.get(path)).text
    assert.equal(stateOf(page), 'Draft')
    assert.match(page, /rejected it: Wrong month/)
  })

  it('nobody approves what has changed since they looked', async () => {
    const path = await uploaded(maker, rowsOf(1))
    await maker.post(`${path}/submit`)
    const version = versionOf((await checker.get(path)).text)
    await maker.post(`${path}/withdraw`)
    await maker.post(`${path}/rows`, { 'amount.2': '900' })
    await maker.post(`${path}/submit`)
    await checker.post(`${path}/approve`, { version })
    assert.equal(stateOf((await checker.get(path)).text), 'Needs approval')
  })

  it('approving asks again who it is, once the last proof is old', async () => {
    const path = await uploaded(maker, rowsOf(1))
    await maker.post(`${path}/submit`)
    const late = await signedIn(service, 'admin', { merchantId: service.merchantId })
    await changeUser(service.database, late.userId, { passwordHash: 'scrypt$1$1$1$A$A' })
    await service.database.query(
      `update user_sessions set confirmed_at = confirmed_at - interval '1 hour' where user_id = $1`,
      [late.userId],
    )
    const version = versionOf((await late.get(path)).text)
    const asked = await late.post(`${path}/approve`, { version })
    assert.equal(asked.status, 200)
    assert.match(asked.text, /name="proof"/)
    assert.equal(stateOf((await late.get(path)).text), 'Needs approval')
  })

  it('a form that is sent twice does its work once, and says so', async () => {
    const form = (await maker.get(PATH)).text
    const id = /name="id" value="([0-9a-f-]{36})"/.exec(form)?.[1] ?? ''
    const paste = rowsOf(1, '4.44')
    const uploads = await Promise.all([1, 2, 3].map(() => maker.post(PATH, { id, paste })))
    for (const { location } of uploads) assert.equal(location, `${PATH}/${id}`)
    const other = await maker.post(PATH, { id, paste: rowsOf(1, '4.45') })
    assert.notEqual(other.location, `${PATH}/${id}`, 'another file is another draft')
    const path = `${PATH}/${id}`
    const twice = async (visitor: Visitor, act: string, fields: Record<string, string> = {}) => {
      await visitor.post(`${path}/${act}`, fields)
      const flash = flashOf(await visitor.post(`${path}/${act}`, fields))
      assert.match(flash, /"text"/, act)
      assert.doesNotMatch(flash, /isProblem/, act)
    }
    await twice(maker, 'submit')
    const version = versionOf((await checker.get(path)).text)
    await twice(checker, 'reject', { version, reason: 'not today' })
    await twice(maker, 'submit')
    await twice(checker, 'approve', { version: versionOf((await checker.get(path)).text) })
    assert.deepEqual(await actionsOn(service, id), [
      'bulk payout uploaded',
      'bulk payout submitted',
      'bulk payout rejected',
      'bulk payout submitted',
      'bulk payout approved',
    ])
  })

  it('the same file warns, and says where it was before', async () => {
    const text = rowsOf(1, '3.33')
    const first = await uploaded(maker, text)
    const second = await uploaded(maker, text)
    const page = (await maker.get(second)).text
    assert.match(page, /The same file was uploaded before/)
    assert.doesNotMatch(page, /uploaded again later/)
    assert.ok(page.includes(`href="${first}"`))
    const earlier = (await maker.get(first)).text
    assert.match(earlier, /The same file was uploaded again later/)
    assert.doesNotMatch(earlier, /uploaded before/)
  })

  it('a row that repeats number and amount is allowed, and pointed out', async () => {
    const page = (await maker.get(await uploaded(maker, rowsOf(2, '4.44')))).text
    assert.match(page, /All 2 rows are right/)
    assert.match(page, /Same number and amount as row 2/)
  })

  it('approval is refused while the wallet is short, and while others were promised the money', async () => {
    const merchant = await addMerchant(service)
    const [one, other] = [
      await signedIn(service, 'finance', { merchantId: merchant.id }),
      await signedIn(service, 'admin', { merchantId: merchant.id }),
    ]
    const wallet = { country: 'ZMB', currency: 'ZMW', balance: '10' }
    assert.equal((await merchant.call('PUT', '/sandbox/wallets', wallet)).status, 204)
    const path = await uploaded(one, rowsOf(6))
    await one.post(`${path}/submit`)
    const page = (await other.get(path)).text
    assert.match(page, /2\.00\sZMW missing/)
    assert.match(page, /data-label="Wallet">Zambia · ZMW · All providers</)
    assert.ok(!page.includes(`${path}/approve`))
    const [row] = await service.database.query<{ version: number }>(
      'select version from bulk_payouts where id = $1',
      [idIn(path)],
    )
    await other.post(`${path}/approve`, { version: String(row?.version) })
    assert.equal(stateOf((await other.get(path)).text), 'Needs approval')
    const enough = { ...wallet, balance: '12' }
    assert.equal((await merchant.call('PUT', '/sandbox/wallets', enough)).status, 204)
    assert.ok((await other.get(path)).text.includes(`${path}/approve`))
    // Approved, and not sent yet: the wallet still holds the money, and it is spoken for.
    await service.database.query(
      `update bulk_payouts set state = 'APPROVED', due_at = now() + interval '1 day',
         decided_by = $2, decided_at = now() where id = $1`,
      [idIn(path), other.userId],
    )
    const next = await uploaded(one, rowsOf(1))
    await one.post(`${next}/submit`)
    const shown = (await other.get(next)).text
    assert.match(shown, /2\.00\sZMW missing/)
    assert.ok(!shown.includes(`${next}/approve`))
    // Nothing is left that waits for tomorrow.
    await service.database.query('delete from bulk_payouts where id = $1', [idIn(path)])
  })

  it('what is approved is sent as ordinary payouts, and the results can be downloaded', async () => {
    await setBalance(service, '100000')
    const failing = '260763456019'
    const text = `${HEADER},clientReferenceId\n5,ZMW,260763456789,=A1\n6,ZMW,${failing},B`
    const path = await uploaded(maker, text)
    await approved(maker, checker, path)
    const page = await eventually(async () => {
      const shown = (await checker.get(path)).text
      assert.match(stateOf(shown), /Done|Partly failed/)
      return shown
    })
    const ids = [...page.matchAll(/dashboard\/payouts\/([0-9a-f-]{36})/g)].map(([, id]) => id ?? '')
    assert.equal(ids.length, 2)
    const { body } = await service.get(`/v2/payouts/${ids[0]}`)
    assert.equal(body.data.status, 'COMPLETED')
    assert.ok(!JSON.stringify(body).includes('BULK'), 'the API does not say where it came from')
    const [stored] = await service.database.query<{ details: Record<string, unknown> }>(
      'select details from payments where id = $1',
      [ids[0]],
    )
    assert.equal(stored?.details.source, 'BULK')
    const results = await checker.get(`${path}/results.csv`)
    const [head, first] = results.text.split('\r\n')
    assert.match(head ?? '', /^row,payoutId,amount,currency,phoneNumber/)
    assert.match(first ?? '', /,260763456789,MTN_MOMO_ZMB,=A1,ACCEPTED,COMPLETED/)
    const guarded = await checker.get(`${path}/results.csv?mode=spreadsheet`)
    assert.match(guarded.text, /,'=A1,/)
    const masked = await maker.get(`${path}/results.csv`)
    assert.ok(!masked.text.includes('260763456789'))
    const actions = await actionsOn(service, idIn(path))
    assert.deepEqual(actions.slice(0, 3), [
      'bulk payout uploaded',
      'bulk payout submitted',
      'bulk payout approved',
    ])
    assert.ok(actions.includes('bulk payout results downloaded'))
  })

  it('a person with country limits finds neither files nor rows of other countries', async () => {
    const { merchantId } = service
    const zambian = await signedIn(service, 'finance', { merchantId, countries: ['ZMB'] })
    const path = await uploaded(maker, `${HEADER}\n50,KES,254700000000,\n`.replace(',\n', '\n'))
    assert.equal((await zambian.get(path)).status, 404)
    assert.equal((await zambian.get(`${path}/results.csv`)).status, 404)
    assert.equal((await zambian.post(`${path}/approve`, { version: '1' })).status, 404)
    assert.ok(!(await zambian.get(PATH)).text.includes(idIn(path)))
    const own = await uploaded(zambian, `${HEADER}\n50,KES,254700000000`)
    assert.match((await zambian.get(own)).text, /The country KEN is not one of yours/)
  })

  it('another merchant finds nothing', async () => {
    const path = await uploaded(maker, rowsOf(1))
    const { id } = await addMerchant(service)
    const stranger = await signedIn(service, 'owner', { merchantId: id })
    assert.equal((await stranger.get(path)).status, 404)
    for (const act of ['rows', 'submit', 'withdraw', 'discard', 'approve']) {
      assert.equal((await stranger.post(`${path}/${act}`, { version: '2' })).status, 404)
    }
    assert.equal((await stranger.get(`${PATH}/not-an-id`)).status, 404)
  })

  it('the list is filtered by state and maker', async () => {
    const path = await uploaded(maker, rowsOf(1))
    const has = async (query: string): Promise<boolean> =>
      (await checker.get(`${PATH}?${query}`)).text.includes(path)
    assert.ok(await has(''))
    assert.ok(await has(`state=DRAFT&creator=${encodeURIComponent(maker.email)}`))
    assert.ok(!(await has('state=DONE')))
    assert.ok(!(await has(`creator=${encodeURIComponent(checker.email)}`)))
  })
})
