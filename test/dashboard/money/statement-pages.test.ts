import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { startService } from '../../../harness/service.ts'
import { rowsOf, units } from '../../../harness/statements.ts'
import { writeMovements } from '../../support/movements.ts'

/** Several pages, of the largest size as well. */
const COUNT = 520
const service = await startService()
after(() => service.stop())
await writeMovements(service.database, COUNT)
// Several movements of one moment: their order must not depend on the page.
await service.database.query(
  `update transfers set at = date_trunc('minute', at)
   where merchant_id = 1 and 'wallet:ZMB:ZMW' in (debit, credit)
     and (date_trunc('minute', at) at time zone 'UTC')::date = (at at time zone 'UTC')::date`,
)
const visitor = await signedIn(service, 'finance')
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const DAY = 86_400_000
const QUERY = `wallet=ZMB-ZMW&from=${day(Date.now() - 30 * DAY)}&to=${day(Date.now() + DAY)}`

async function pages(query: string): Promise<readonly string[][]> {
  const found: string[][] = []
  let address: string | undefined = `/dashboard/statements?${query}`
  while (address !== undefined) {
    const { text } = await visitor.get(address)
    found.push(
      [
        ...text.matchAll(/<td class="id" data-label="Transaction id">(?:<a[^>]*>)?([0-9a-f-]+)/g),
      ].map(([, id = '']) => id),
    )
    const next: string | undefined = /<a href="([^"]+)">Older<\/a>/.exec(text)?.[1]
    address = next?.replaceAll('&amp;', '&')
  }
  return found
}

const idsIn = async (query: string): Promise<readonly string[]> => {
  const { text } = await visitor.get(`/dashboard/statements.csv?${query}`)
  return rowsOf(text).map(({ transactionId }) => transactionId)
}

describe('a long statement', () => {
  it('names its wallet as the balances do, in the language of the page', async () => {
    const { text } = await visitor.get(`/dashboard/statements?${QUERY}`)
    assert.match(text, /value="ZMB-ZMW" selected>Zambia · ZMW · All providers</)
    const french = await visitor.get(`/dashboard/statements?${QUERY}&lang=fr`)
    assert.match(french.text, /value="ZMB-ZMW" selected>Zambie · ZMW · Tous les opérateurs</)
  })

  it('is shown page by page, each movement once and in the order of the file', async () => {
    for (const per of [50, 200]) {
      const found = await pages(`${QUERY}&per=${per}`)
      assert.ok(found.slice(0, -1).every((page) => page.length === per))
      assert.deepEqual(found.flat(), await idsIn(QUERY))
      assert.ok(found.flat().length >= COUNT)
    }
  })

  it('is shown page by page with a filter', async () => {
    const filtered = `${QUERY}&type=DEPOSIT`
    const found = await pages(`${filtered}&per=50`)
    assert.ok(found.length > 5)
    assert.deepEqual(found.flat(), await idsIn(filtered))
  })

  it('stays as it is on later pages while new movements arrive', async () => {
    const first = await visitor.get(`/dashboard/statements?${QUERY}`)
    const next = (/<a href="([^"]+)">Older<\/a>/.exec(first.text)?.[1] ?? '').replaceAll(
      '&amp;',
      '&',
    )
    const rowsOfPage = async (): Promise<string> =>
      /<tbody>[\s\S]*<\/tbody>/.exec((await visitor.get(next)).text)?.[0] ?? ''
    const before = await rowsOfPage()
    const { id } = await service.deposit()
    await service.reaches(id, 'COMPLETED')
    assert.equal(await rowsOfPage(), before)
  })

  it('has the balance after each movement in every file', async () => {
    const { text } = await visitor.get(`/dashboard/statements.csv?${QUERY}`)
    const rows = rowsOf(text)
    rows.forEach((row, place) => {
      const older = rows[place + 1]
      if (older === undefined) return
      assert.equal(units(older.balanceAfter) + units(row.net), units(row.balanceAfter))
    })
  })
})
