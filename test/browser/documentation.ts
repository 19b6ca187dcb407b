import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { VIEWPORTS } from '../../harness/browser.ts'
import { visitor } from './developer.ts'
import { service } from './rig.ts'

const reader = await visitor(true, 'fr')
const plain = await visitor(false)
const { tab } = reader
after(() => Promise.all([reader, plain].map(({ context }) => context.close())))

describe('the documentation with a script', () => {
  it('leads a link into the former single page to where the operation is now', async () => {
    await tab.goto('about:blank')
    await tab.goto(`${service.url}/docs#initiate-deposit`)
    await tab.waitForURL('**/docs/api/deposits#initiate-deposit')
  })

  it('shows examples in the language that was chosen last, on every page', async () => {
    await tab.goto(`${service.url}/docs/api/deposits`)
    await tab.locator('label', { hasText: 'Python' }).first().click()
    assert.equal(await tab.locator('.in-python:visible').count(), 3)
    await tab.goto(`${service.url}/docs/api/finances`)
    assert.equal(await tab.locator('.in-curl:visible').count(), 0)
    assert.ok((await tab.locator('.in-python:visible').count()) > 0)
  })

  it('finds while somebody types, and keeps the query in the address', async () => {
    await tab.goto(`${service.url}/docs/search`)
    await tab.locator('#search').fill('clientReferenceId')
    await tab.getByText('results for “clientReferenceId”').first().waitFor()
    await tab.waitForURL('**/docs/search?q=clientReferenceId')
    const field = tab.getByRole('link', { name: 'clientReferenceId', exact: true }).first()
    await Promise.all([tab.waitForURL('**/docs/api/**.clientReferenceId'), field.click()])
    assert.equal(await tab.locator(':target').isVisible(), true)
  })
})

describe('the documentation without a script', () => {
  it('offers the way on at each former anchor', async () => {
    await plain.tab.goto(`${service.url}/docs#initiate-deposit`)
    await plain.tab.locator(':target a').click()
    await plain.tab.waitForURL('**/docs/api/deposits#initiate-deposit')
  })

  it('shows examples in every language', async () => {
    for (const name of ['Node', 'Python', 'PHP', 'curl']) {
      await plain.tab.locator('label', { hasText: name }).first().click()
      const shown = plain.tab.locator('.request').first().locator('pre:visible')
      assert.equal(await shown.count(), 1)
      const label = await shown.getAttribute('aria-label')
      assert.equal(label, `Example request in ${name}: Start a deposit`)
    }
  })

  it('searches from any page, also on a phone', async () => {
    await plain.tab.setViewportSize(VIEWPORTS.phone)
    await plain.tab.getByRole('button', { name: 'Contents' }).click()
    await plain.tab.locator('#search').fill('AMOUNT_OUT_OF_BOUNDS')
    await plain.tab.locator('#search').press('Enter')
    await plain.tab.waitForURL('**/docs/search?q=AMOUNT_OUT_OF_BOUNDS')
    await plain.tab.getByRole('link', { name: 'AMOUNT_OUT_OF_BOUNDS' }).first().click()
    await plain.tab.waitForURL('**/docs/guides/failure-codes/AMOUNT_OUT_OF_BOUNDS')
  })
})
