import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { shareService } from '../../../harness/share.ts'
import { DASHBOARD_ROUTES } from '../../../src/web/dashboard/routes.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const owner = await signedIn(service, 'owner', { merchantId })

const toFrench = (text: string): string | undefined =>
  /<a href="([^"]*)" lang="fr"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

it('another language never opens the address of a form', async () => {
  const { id } = await service.deposit()
  let pages = 0
  for (const { path, method } of DASHBOARD_ROUTES) {
    if (method !== 'POST') continue
    const filled = path
      .replace(':id', path.startsWith('/dashboard/deposits') ? id : randomUUID())
      .replace(':kind', 'deposits')
      .replace(/:\w+/, '1')
    const { text, status } = await owner.post(filled)
    if (status === 303) continue
    const href = toFrench(text) ?? ''
    assert.ok(href.startsWith('/dashboard'), `${filled}: ${href}`)
    const shown = await owner.get(href)
    assert.ok(shown.status === 303 || shown.text.includes('<html lang="fr"'), `${filled}: ${href}`)
    pages += 1
  }
  assert.ok(pages > 10, `${pages} pages`)
})

it('a page with a secret stays as it is', async () => {
  const token = { label: 'Shop', scope: 'deposits:read', tokenId: 'tok_abcdefghijkl' }
  const { text } = await owner.post('/dashboard/tokens', token)
  assert.match(text, /shown this once/)
  assert.equal(toFrench(text), undefined)
})

it('signing in is reopened at its own address', async () => {
  const answer = await fetch(`${service.url}/sign-in/passkey`, {
    method: 'POST',
    body: new URLSearchParams({ passkey: 'none' }),
  })
  assert.match(toFrench(await answer.text()) ?? '', /^\/sign-in\?/)
})
