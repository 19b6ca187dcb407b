import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { checkout, FAILS, failOnce, recordOf } from '../../harness/hosted.ts'
import { shareService } from '../../harness/share.ts'
import { PAY_WORDS } from '../../src/web/pay/words.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const owner = await signedIn(service, 'owner', { merchantId })

it('the page of a deposit shows what its customer saw, also when the link is over', async () => {
  const one = await checkout(service)
  await failOnce(service, one)
  const { depositsHistory } = await recordOf(service, one.id)
  const path = `/dashboard/deposits/${depositsHistory[0].depositId}`
  await service.node.hosted.cancelCheckout(one.code)
  for (const lang of ['en', 'fr'] as const) {
    const { text } = await owner.get(`${path}?lang=${lang}`)
    const { waitHeading, failedHeading } = PAY_WORDS[lang]
    for (const [screen, heading] of [
      ['waiting', waitHeading],
      ['result', failedHeading],
    ] as const) {
      assert.ok(text.includes(`${path}/customer/${screen}`), screen)
      const seen = await owner.get(`${path}/customer/${screen}?lang=${lang}`)
      assert.equal(seen.status, 200)
      assert.ok(seen.text.includes(heading), `${heading} in ${seen.text}`)
      assert.ok(!seen.text.includes(FAILS), 'the number is masked')
    }
  }
  assert.equal((await owner.get(`${path}/customer/elsewhere`)).status, 404)
})

it('the reference that a customer reads finds the payment', async () => {
  const one = await checkout(service)
  await failOnce(service, one)
  const { depositsHistory } = await recordOf(service, one.id)
  const path = `/dashboard/deposits/${depositsHistory[0].depositId}`
  const seen = await owner.get(`${path}/customer/result`)
  const [reference = ''] = /\b[0-9A-Z]{5}-[0-9A-Z]{5}\b/.exec(seen.text) ?? []
  assert.ok((await owner.get(path)).text.includes(reference), `${reference} on ${path}`)
  const { location } = await owner.get(`/dashboard/search?q=${reference}`)
  assert.equal(location, path)
  const preview = await owner.get('/dashboard/branding/preview/paid')
  assert.match(preview.text, /Reference<\/dt><dd><bdi[^>]*>[0-9A-Z]{5}-[0-9A-Z]{5}</)
})

it('a deposit of the API has no such screens, and those of others are not shown', async () => {
  const { id } = await service.deposit()
  const path = `/dashboard/deposits/${id}`
  assert.ok(!(await owner.get(path)).text.includes('/customer/'))
  assert.equal((await owner.get(`${path}/customer/result`)).status, 404)
  const other = await shareService()
  const stranger = await signedIn(other, 'owner', { merchantId: other.merchantId })
  const one = await checkout(service)
  await failOnce(service, one)
  const { depositsHistory } = await recordOf(service, one.id)
  const hidden = `/dashboard/deposits/${depositsHistory[0].depositId}/customer/result`
  assert.equal((await stranger.get(hidden)).status, 404)
})
