/** One name for one thing, on every page and in both languages. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { CATALOG_FILE } from '../../../src/package-root.ts'
import { readCatalog } from '../../../src/providers/catalog.ts'
import { money } from '../../../src/web/dashboard/money-text.ts'

const service = await shareService()
after(() => service.stop())
const { merchantId } = service
const owner = await signedIn(service, 'owner', { merchantId })

const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

it('a checkout is a “session de paiement” in French, and an order is an order', () => {
  const files = readdirSync('src/web', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(words[\w-]*|actions)\.ts$/.test(name),
  )
  const lines = files.flatMap((name) => {
    const text = readFileSync(join('src/web', name), 'utf8')
    const french = /-fr\.ts$|actions\.ts$/.test(name) ? text : text.split(/^const fr\b/m)[1]
    return (french ?? '').split('\n').map((line) => `${name}: ${line.trim()}`)
  })
  assert.ok(lines.length > 1000)
  const named = lines.filter((line) => /session de paiement/i.test(line))
  assert.ok(named.length > 10)
  const texts = lines.map((line) => line.replace(/^[^:]*: (?:'[^']+'|[\w$]+): ?/, ''))
  const others = texts.filter(
    (line) => /commande|checkout/i.test(line) && !/ligne de commande|\/v2\/checkouts/i.test(line),
  )
  assert.deepEqual(others, ["'La boutique ne connaît pas cette commande.',"])
})

it('a filter that cannot be read is named as its field is', async () => {
  for (const [path, words] of [
    ['deposits?from=x&min=ten&phone=12', 'From, Amount from, Phone number'],
    ['checkouts?status=LOST&max=ten', 'Status, Amount to'],
    ['deposits?min=ten&phone=12&lang=fr', 'Montant minimal, Numéro de téléphone'],
    ['statements?wallet=ZMB-ZMW&type=x', 'Type'],
    ['statements?wallet=ZMB-ZMW&from=x&type=x&lang=fr', 'Du, Type'],
    ['balances?wallet=ZMB-ZMW&from=x', 'From'],
  ] as const) {
    const { text } = await owner.get(`/dashboard/${path}`)
    const notice = plain(/role="alert">(.*?)<\/p>/.exec(text)?.[1] ?? '')
    assert.ok(notice.replace(/\.$/, '').endsWith(`: ${words}`), `${path}: ${notice}`)
    for (const name of words.split(', ')) {
      assert.match(text, new RegExp(`<label[^>]*>${name}`), `${path} has a field ${name}`)
    }
  }
})

it('a search that finds nothing says that capital letters count', async () => {
  await service.deposit({ clientReferenceId: 'INV-77-ab' })
  const found = await owner.get('/dashboard/search?q=INV-77-ab')
  assert.equal(found.status, 303)
  const none = await owner.get('/dashboard/search?q=inv-77-ab')
  assert.match(none.text, /Capital letters count, unless all are capitals\./)
  const french = await owner.get('/dashboard/search?q=inv-77-ab&lang=fr')
  assert.match(french.text, /Les majuscules comptent, sauf si tout est en majuscules\./)
})

it('keys are offered for pages that the role may open', async () => {
  for (const [role, keys] of [
    ['owner', '/ g h g d g p g r g c g b j k ?'],
    ['finance', '/ g h g d g p g r g b j k ?'],
    ['developer', '/ g h g d g p g r g c j k ?'],
    ['support', '/ g h g d g p g r g c j k ?'],
  ] as const) {
    const { text } = await (await signedIn(service, role, { merchantId })).get('/dashboard')
    const [dialog = ''] = /<dialog.*?<\/dialog>/s.exec(text) ?? []
    const offered = [...dialog.matchAll(/<kbd>(.*?)<\/kbd>/g)].map(([, key]) => key).join(' ')
    assert.equal(offered, keys, role)
    const pages = [...dialog.matchAll(/data-go="(\w)" href="([^"]+)"/g)]
    assert.equal(pages.length, keys.match(/g \w/g)?.length)
    for (const [, key, href] of pages) assert.ok(keys.includes(`g ${key}`) && href, key)
  }
})

it('amounts of one currency have the same decimals in every list', async () => {
  const most = new Map<string, number>()
  for (const { currency, operations } of readCatalog(CATALOG_FILE).all.flatMap(
    ({ currencies }) => currencies,
  )) {
    const decimals = Object.values(operations).map((one) => one.decimals)
    most.set(currency, Math.max(most.get(currency) ?? 0, ...decimals))
  }
  for (const [currency, decimals] of most) {
    const whole = decimals === 0 ? '1,500' : '1,500.00'
    assert.equal(plain(money('1500', currency, 'en')), `${whole} ${currency}`)
    if (decimals > 0) assert.equal(plain(money('1500.5', currency, 'fr')), `1 500,50 ${currency}`)
  }
  for (const amount of ['1500', '1500.5']) {
    const { id } = await service.deposit({
      payer: payer('256783456789', 'MTN_MOMO_UGA'),
      currency: 'UGX',
      amount,
    })
    await service.reaches(id, 'COMPLETED')
  }
  const { text } = await owner.get('/dashboard/deposits?currency=UGX')
  const amounts = [...text.matchAll(/<bdi>([^<]* ?UGX)<\/bdi>/g)].map(([, one = '']) => plain(one))
  assert.deepEqual(amounts.toSorted(), ['1,500.00 UGX', '1,500.50 UGX'])
})
