import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { eventually, startService } from '../../harness/service.ts'
import { setHealth } from '../../src/store/operators/health.ts'

const service = await startService()
after(() => service.stop())

const switchTo = async (provider: string, operationType: string, status: string): Promise<void> => {
  const answer = await service.put('/sandbox/availability', { provider, operationType, status })
  assert.equal(answer.status, 204)
}

const shownIn = (html: string): string[] =>
  [...html.matchAll(/data-status="([^"]+)"/g)].map(([, text = '']) => text).sort()

async function available(query = ''): Promise<string[]> {
  const { body } = await service.get(`/v2/availability${query}`)
  type Country = { providers: { provider: string; operationTypes: Record<string, string> }[] }
  return (body as Country[])
    .flatMap(({ providers }) =>
      providers.flatMap(({ provider, operationTypes }) =>
        Object.entries(operationTypes).map(([name, status]) => `${provider}/${name}/${status}`),
      ),
    )
    .sort()
}

it('the grid equals GET /v2/availability', async () => {
  const owner = await signedIn(service)
  assert.deepEqual(shownIn((await owner.get('/dashboard/providers')).text), await available())
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'DELAYED')
  await switchTo('MPESA_KEN', 'DEPOSIT', 'CLOSED')
  const all = shownIn((await owner.get('/dashboard/providers')).text)
  assert.deepEqual(all, await available())
  assert.ok(all.includes('MTN_MOMO_ZMB/PAYOUT/DELAYED'))
  assert.ok(all.includes('MPESA_KEN/DEPOSIT/CLOSED'))
  const zambia = shownIn((await owner.get('/dashboard/providers?country=ZMB')).text)
  assert.deepEqual(zambia, await available('?country=ZMB'))
})

it('says since when, and what was before', async () => {
  const owner = await signedIn(service)
  assert.doesNotMatch((await owner.get('/dashboard/audit')).text, /The test clock/)
  await service.advance(3600)
  assert.match((await owner.get('/dashboard/audit')).text, /The test clock is 1 hour ahead/)
  await switchTo('ZAMTEL_ZMB', 'DEPOSIT', 'CLOSED')
  await service.advance(3600)
  // Again the same: it is so since before.
  await switchTo('ZAMTEL_ZMB', 'DEPOSIT', 'CLOSED')
  await switchTo('MTN_MOMO_ZMB', 'PAYOUT', 'OPERATIONAL')
  const { text } = await owner.get('/dashboard/providers?country=ZMB')
  const [, since = ''] =
    /data-status="ZAMTEL_ZMB\/DEPOSIT\/CLOSED">.*?since ([^<]+)</s.exec(text) ?? []
  const history = [...(text.split('id="history"')[1] ?? '').matchAll(/<tr>(.*?)<\/tr>/gs)]
    .slice(1)
    .map(([, row = '']) =>
      row
        .replaceAll(/<[^>]+>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  assert.equal(history.length, 3, history.join('\n'))
  assert.match(history[0] ?? '', /MTN MTN_MOMO_ZMB Payouts Operational/)
  assert.match(history[1] ?? '', /Zamtel ZAMTEL_ZMB Deposits Closed/)
  assert.match(history[2] ?? '', /MTN MTN_MOMO_ZMB Payouts Delayed/)
  assert.ok(since !== '' && history[1]?.includes(since.slice(0, 17)), since)
  assert.doesNotMatch(text, /MPESA_KEN/)
})

it('what was decided for all merchants counts too, without the reason', async () => {
  await service.database.inTransaction(async (tx) => {
    const health = {
      provider: 'AIRTEL_OAPI_ZMB',
      operation: 'REFUND',
      decidedBy: 'PERSON',
    } as const
    await setHealth(tx, { ...health, status: 'CLOSED', reason: 'a secret of ours' }, Date.now())
    await tx.query('update service_state set config_version = config_version + 1')
  })
  const owner = await signedIn(service)
  const text = await eventually(async () => {
    const page = await owner.get('/dashboard/providers')
    assert.ok(shownIn(page.text).includes('AIRTEL_OAPI_ZMB/REFUND/CLOSED'))
    return page.text
  })
  assert.deepEqual(shownIn(text), await available())
  assert.match(text, /Airtel <span class="note">AIRTEL_OAPI_ZMB<\/span>.*?Refunds/s)
  assert.doesNotMatch(text, /a secret of ours/)
})

it('everybody sees it, of the countries to which they are limited', async () => {
  const limited = await signedIn(service, 'support', { countries: ['KEN'] })
  const { text, status } = await limited.get('/dashboard/providers')
  assert.equal(status, 200)
  assert.deepEqual(shownIn(text), await available('?country=KEN'))
  assert.doesNotMatch(text, /ZMB/)
  assert.equal((await limited.get('/dashboard/providers?country=ZMB')).status, 404)
})

it('speaks French', async () => {
  const owner = await signedIn(service)
  const { text } = await owner.get('/dashboard/providers?lang=fr')
  assert.match(text, /État des opérateurs/)
  assert.match(text, /À l’arrêt/)
  assert.doesNotMatch(text, />(Closed|Operational|Deposits|History)</)
})

it('a reset of the sandbox forgets the history', async () => {
  assert.ok((await service.post('/sandbox/reset')).status < 300)
  const owner = await signedIn(service)
  const { text } = await owner.get('/dashboard/providers?country=KEN')
  assert.match(text, /Nothing has changed yet\./)
  assert.doesNotMatch(text, /since \d/)
})
