import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { checkout, checkoutReaches, form } from '../../../harness/hosted.ts'
import { startReceiver } from '../../../harness/receiver.ts'
import { eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { PAYOUT_FAILS, part, split, splitReaches } from '../../../harness/splits.ts'
import { rowsOf } from '../../../harness/statements.ts'

const receiver = await startReceiver()
const service = await shareService()
after(() => Promise.all([service.stop(), receiver.close()]))
const { merchantId } = service
await service.put('/sandbox/callbacks', { splitPayment: receiver.url, checkout: receiver.url })
const owner = await signedIn(service, 'owner', { merchantId })

const metadata = [{ order: 'ORD-9' }, { mail: 'x@example.com', isPII: true }]
const parted = await split(service, {
  clientReferenceId: 'S-1',
  metadata,
  splits: [part('60'), part('30', PAYOUT_FAILS)],
})
await splitReaches(service, parted.id, 'PAYOUT_FAILED')
const sold = await checkout(service, {
  clientReferenceId: 'C-1',
  metadata,
  payer: {
    type: 'MMO',
    accountDetails: { phoneNumber: '260763456789', allowCustomerToOverride: true },
  },
})

const textOf = async (path: string, lang = 'en'): Promise<string> => {
  const { status, text } = await owner.get(`${path}?lang=${lang}`)
  assert.equal(status, 200)
  return text
}

const timelineOf = (text: string): readonly string[] =>
  [...(text.split('class="timeline"')[1] ?? '').matchAll(/<\/time>(.*?)<\/li>/gs)].map(
    ([, event = '']) =>
      event
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/[\s\u00a0]+/g, ' ')
        .trim(),
  )

/** What every such page shows of what the merchant called it, without personal data. */
function assertFacts(text: string, id: string, reference: string, place: string): void {
  assert.match(text, new RegExp(`data-copied="${id}"`))
  assert.match(text, new RegExp(`<dd>${reference}</dd>`))
  assert.match(text, new RegExp(`<a href="/dashboard/${place}">Back to the list</a>`))
  assert.match(text, /<th scope="row">order<\/th><td>ORD-9<\/td>/)
  assert.match(text, /<th scope="row">mail<\/th><td>\*\*\*<\/td>/)
  assert.match(text, /Raw JSON/)
  assert.ok(!text.includes('x@example.com') && !text.includes('260763456789'))
}

describe('the page of a split payment', () => {
  const path = `/dashboard/split-payments/${parted.id}`

  it('has its id, what the merchant called it, what is kept, and its record', async () => {
    const text = await textOf(path)
    assertFacts(text, parted.id, 'S-1', 'split-payments')
    assert.match(text, /Kept<\/th>.*?10\.00\u00a0ZMW/s)
    assert.match(text, /&quot;splitPaymentId&quot;/)
    assert.match(await textOf(path, 'fr'), /Conservé/)
  })

  it('tells what happened to the deposit, the payouts and the callback', async () => {
    await eventually(async () => {
      const events = timelineOf(await textOf(path))
      assert.equal(events[0], 'Deposit 100.00 ZMW: Accepted')
      for (const one of [
        'Deposit 100.00 ZMW: Completed',
        'Payout 60.00 ZMW: Completed',
        'Payout 30.00 ZMW: Failed',
        'Callback about “Payout failed”, attempt 1: delivered (200)',
      ]) {
        assert.ok(events.includes(one), `${one}: ${events.join(' | ')}`)
      }
    })
  })

  it('sends its callback again', async () => {
    const timesReceived = (): number =>
      receiver.received.filter(({ body }) => JSON.parse(body).splitPaymentId === parted.id).length
    await eventually(async () => assert.equal(timesReceived(), 1))
    assert.match(await textOf(path), /Send the callback again/)
    const values = { kind: 'splitPayment', id: parted.id, back: path }
    const { status, location } = await owner.post('/dashboard/callbacks/resend', values)
    assert.deepEqual([status, location], [303, path])
    await eventually(async () => assert.equal(timesReceived(), 2))
  })
})

describe('the page of a checkout', () => {
  const path = `/dashboard/checkouts/${sold.id}`

  it('has its id, code, what the merchant called it, and its record', async () => {
    const text = await textOf(path)
    assertFacts(text, sold.id, 'C-1', 'checkouts')
    assert.match(text, new RegExp(`data-copied="${sold.code}"`))
    assert.match(text, /&quot;checkoutCode&quot;/)
    assert.ok(!text.includes('Send the callback again'))
    assert.deepEqual(timelineOf(text), ['Created'])
  })

  it('names the countries in which it can be paid', async () => {
    const both = await checkout(service, { amounts: undefined, countries: ['ZMB', 'UGA'] })
    assert.match(await textOf(`/dashboard/checkouts/${both.id}`), /<dd>Zambia, Uganda<\/dd>/)
    const french = await textOf(`/dashboard/checkouts/${both.id}`, 'fr')
    assert.match(french, /<dd>Zambie, Ouganda<\/dd>/)
  })

  it('that is paid ends after its deposit, which its file names', async () => {
    const paid = await checkout(service)
    assert.equal((await service.node.hosted.payOnCheckout(paid.code, form())).status, 'STARTED')
    const { depositsHistory } = await checkoutReaches(service, paid.id, 'COMPLETED')
    const events = timelineOf(await textOf(`/dashboard/checkouts/${paid.id}`))
    const [deposit, whole] = ['Deposit 15.00 ZMW: Completed', 'Checkout completed']
    assert.ok(events.indexOf(deposit) >= 0, events.join(' | '))
    assert.equal(events.indexOf(whole), events.indexOf(deposit) + 1, events.join(' | '))
    const { text } = await owner.get('/dashboard/checkouts.csv?status=COMPLETED')
    const [row] = rowsOf(text)
    assert.equal(row?.relatedTransactionId, depositsHistory[0].depositId)
  })

  it('tells how it ended, and sends its callback again', async () => {
    assert.equal((await owner.post(`${path}/expire`)).status, 303)
    await checkoutReaches(service, sold.id, 'EXPIRED')
    await eventually(async () => {
      const text = await textOf(path)
      assert.deepEqual(timelineOf(text), [
        'Created',
        'Checkout expired on request',
        'Callback about “Expired”, attempt 1: delivered (200)',
      ])
      assert.match(text, /Send the callback again/)
    })
    const [first, second] = timelineOf(await textOf(path, 'fr'))
    assert.deepEqual([first, second], ['Création', 'Session de paiement expirée à la demande'])
  })
})
