import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { addMerchant } from '../../harness/merchant.ts'
import { eventually } from '../../harness/service.ts'
import { type SharedService, shareService } from '../../harness/share.ts'
import { actionsOn, flashOf } from '../bulk/bulk-support.ts'

const PATH = '/dashboard/links'

describe('payment links', () => {
  let service: SharedService
  let maker: Visitor
  before(async () => {
    service = await shareService()
    maker = await signedIn(service, 'support', { merchantId: service.merchantId })
  })

  const FORM = { kind: 'PAGE', amount: '15', place: 'ZMB-ZMW', reason: 'Ticket' }

  async function made(fields: Readonly<Record<string, string>> = {}): Promise<string> {
    const id = randomUUID()
    const answer = await maker.post(PATH, { ...FORM, ...fields, id })
    assert.equal(answer.status, 303, answer.text)
    assert.equal(answer.location, `${PATH}/${id}`)
    return id
  }

  /** The address that the customer opens, as the page shows it. */
  async function addressOf(id: string): Promise<string> {
    const { text } = await maker.get(`${PATH}/${id}`)
    const [, address = ''] = /<code>([^<]+)<\/code>/.exec(text) ?? []
    return new URL(address).pathname
  }

  async function paid(id: string, fields: Readonly<Record<string, string>> = {}): Promise<void> {
    const address = service.url + (await addressOf(id))
    const details = await (await fetch(address)).text()
    assert.match(details, /15\.00/)
    const body = new URLSearchParams({
      phoneNumber: '260763456789',
      provider: 'MTN_MOMO_ZMB',
      country: 'ZMB',
      ...fields,
    })
    const answer = await fetch(address, { method: 'POST', body, redirect: 'manual' })
    assert.equal(answer.status, 303, await answer.text())
  }

  it('a payment page is made, shown with its QR code, paid, and leads to its payment', async () => {
    const id = await made({ reference: 'INV-9', metadataName: 'order', metadataValue: 'O-1' })
    const page = (await maker.get(`${PATH}/${id}`)).text
    assert.match(page, />Open</)
    assert.match(page, /<svg viewBox/)
    assert.match(page, /class="copy"/)
    const metadata = /<th scope="row">order<\/th><td>O-1<\/td>/
    assert.match(page, metadata)
    await paid(id)
    // Sessions are deleted some time after their end; the payment has it as well.
    await service.database.query('delete from page_sessions where deposit_id = $1', [id])
    assert.match((await maker.get(`${PATH}/${id}`)).text, metadata)
    await eventually(async () => assert.match((await maker.get(`${PATH}/${id}`)).text, />Paid</))
    const { body } = await service.get(`/v2/deposits/${id}`)
    assert.equal(body.data.status, 'COMPLETED')
    assert.equal(body.data.clientReferenceId, 'INV-9')
    assert.deepEqual(body.data.metadata, { order: 'O-1' })
    assert.ok(!JSON.stringify(body).includes('LINK'))
    const list = (await maker.get(PATH)).text
    assert.ok(list.includes(`/dashboard/deposits/${id}`))
    const [stored] = await service.database.query<{ source: string }>(
      `select details ->> 'source' as source from payments where id = $1`,
      [id],
    )
    assert.equal(stored?.source, 'LINK')
    assert.deepEqual(await actionsOn(service, id), ['payment link created'])
  })

  it('a checkout is made and expired; its record does not say where it came from', async () => {
    const named = { metadataName: 'order', metadataValue: 'O-2' }
    const id = await made({ kind: 'CHECKOUT', expiresAfter: '60', ...named })
    assert.match(
      (await maker.get(`${PATH}/${id}`)).text,
      /<th scope="row">order<\/th><td>O-2<\/td>/,
    )
    const { body } = await service.get(`/v2/checkouts/${id}`)
    assert.equal(body.data.status, 'WAITING_PAYMENT')
    assert.equal(body.data.expiresAfter, 60)
    assert.ok(!JSON.stringify(body).includes('LINK'))
    await Promise.all([1, 2].map(() => maker.post(`${PATH}/${id}/expire`)))
    assert.equal((await service.get(`/v2/checkouts/${id}`)).body.data.status, 'EXPIRED')
    const page = (await maker.get(`${PATH}/${id}`)).text
    assert.match(page, />Expired</)
    assert.match(page, /<dd>Zambia · ZMW<\/dd>/)
    assert.ok(!page.includes('<svg viewBox'), 'nobody is asked to scan it')
    const again = await maker.post(`${PATH}/${id}/expire`)
    assert.match(flashOf(again), /The link is expired/)
    assert.deepEqual(await actionsOn(service, id), ['payment link created', 'payment link expired'])
  })

  it('a deposit by the link of a checkout has its source', async () => {
    const id = await made({ kind: 'CHECKOUT' })
    await paid(id)
    await eventually(async () => {
      const { body } = await service.get(`/v2/checkouts/${id}`)
      assert.equal(body.data.status, 'COMPLETED')
    })
    const [stored] = await service.database.query<{ source: string }>(
      `select details ->> 'source' as source from payments where checkout_id = $1`,
      [id],
    )
    assert.equal(stored?.source, 'LINK')
    assert.match((await maker.get(`${PATH}/${id}`)).text, />Paid</)
  })

  it('amounts are read as people write them, in either language', async () => {
    const amounts = { '15,50': '15.50', '1 500': '1500', '1\u202f500,00': '1500.00' }
    for (const [amount, meant] of Object.entries({ ...amounts, '1,500.00': '1500.00' })) {
      const id = await made({ amount })
      const [stored] = await service.database.query<{ amount: string }>(
        'select amount from payment_links where id = $1',
        [id],
      )
      assert.equal(stored?.amount, meant, amount)
    }
  })

  it('a form that is sent twice makes one link', async () => {
    for (const kind of ['PAGE', 'CHECKOUT']) {
      const id = randomUUID()
      const answers = await Promise.all([
        maker.post(PATH, { ...FORM, kind, id }),
        maker.post(PATH, { ...FORM, kind, id }),
      ])
      for (const { status, location } of answers) {
        assert.equal(status, 303)
        assert.equal(location, `${PATH}/${id}`)
      }
      assert.deepEqual(await actionsOn(service, id), ['payment link created'])
    }
  })

  const WRONG: readonly (readonly [fields: Record<string, string>, words: RegExp])[] = [
    [{ amount: '1,500' }, /A comma before three digits can be read in two ways/],
    [{ amount: '99999999999' }, /No provider takes this amount/],
    [{ amount: '0.001' }, /ZMW has at most 2 decimals/],
    [{ amount: '0.50', place: 'RWA-RWF' }, /RWF is paid in whole amounts/],
    [{ place: '' }, /Choose a country and currency/],
    [{ place: 'USA-USD' }, /Choose one of the list/],
    [{ reason: 'x'.repeat(51) }, /Write at most 50 characters/],
    [{ kind: 'CHECKOUT', reason: 'Café!' }, /Write 4 to 22 letters/],
    [{ kind: 'CHECKOUT', expiresAfter: '61' }, /Write a number from 3 to 60/],
    [{ metadataName: 'order' }, /Write both a field/],
    [{ returnUrl: 'javascript:alert(1)' }, /Write a full https address/],
  ]
  for (const [fields, words] of WRONG) {
    it(`a wrong form is explained and kept: ${words.source}`, async () => {
      const id = randomUUID()
      const answer = await maker.post(PATH, { ...FORM, ...fields, id })
      assert.equal(answer.status, 422)
      assert.match(answer.text, words)
      assert.match(answer.text, /<title>Error: /)
      assert.ok(answer.text.includes(`value="${id}"`))
      assert.deepEqual(await actionsOn(service, id), [])
      assert.equal((await maker.get(`${PATH}/${id}`)).status, 404)
    })
  }

  it('one link has a page to print, in both languages', async () => {
    const id = await made()
    const english = (await maker.get(`${PATH}/${id}/print`)).text
    assert.match(english, /<svg viewBox/)
    assert.match(english, /Scan with the camera/)
    const french = (await maker.get(`${PATH}/${id}/print?lang=fr`)).text
    assert.match(french, /Scannez avec l’appareil photo/)
    assert.ok(!french.includes('Scan with'))
  })

  it('other merchants, other countries and other roles find nothing', async () => {
    const id = await made()
    const { merchantId } = service
    const kenyan = await signedIn(service, 'finance', { merchantId, countries: ['KEN'] })
    assert.equal((await kenyan.get(`${PATH}/${id}`)).status, 404)
    assert.ok(!(await kenyan.get(PATH)).text.includes(id))
    const outside = await kenyan.post(PATH, { ...FORM, id: randomUUID() })
    assert.equal(outside.status, 422)
    const anywhere = await kenyan.post(PATH, { ...FORM, amount: '', place: '', id: randomUUID() })
    assert.equal(anywhere.status, 422)
    const stranger = await signedIn(service, 'owner', {
      merchantId: (await addMerchant(service)).id,
    })
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/print`]) {
      assert.equal((await stranger.get(path)).status, 404)
    }
    assert.equal((await stranger.post(`${PATH}/${id}/expire`)).status, 404)
    const developer = await signedIn(service, 'developer', { merchantId })
    assert.equal((await developer.get(PATH)).status, 403)
    assert.equal((await developer.post(PATH, { ...FORM, id: randomUUID() })).status, 403)
  })
})
