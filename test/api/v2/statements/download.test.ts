import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { eventually, startService } from '../../../../harness/service.ts'
import { askStatement, dayFromNow, ended, rowsOf } from '../../../../harness/statements.ts'

// Its periods are of the real time until it moves the clock itself.
const service = await startService()
after(service.stop)
for (let count = 0; count < 3; count += 1) {
  const { id } = await service.deposit({ metadata: [{ note: 'é, "quoted"\n' }] })
  await service.reaches(id, 'COMPLETED')
}
const period = { startDate: dayFromNow(-1), endDate: dayFromNow(1) }
const plain = await ended(service, await askStatement(service, period))
const compressed = await ended(
  service,
  await askStatement(service, { ...period, compressed: true }),
)

async function download(url: string, method = 'GET') {
  const response = await fetch(url, { method })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

it('needs no token and says what it is, how long it is and what to call it', async () => {
  const name = `statement-ZMB-ZMW-${period.startDate.slice(0, 10)}-${period.endDate.slice(0, 10)}`
  for (const [record, type, file] of [
    [plain, 'text/csv; charset=utf-8', `${name}.csv`],
    [compressed, 'application/gzip', `${name}.csv.gz`],
  ]) {
    const { status, headers, bytes } = await download(record.downloadUrl)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), type)
    assert.equal(headers.get('content-disposition'), `attachment; filename="${file}"`)
    assert.equal(headers.get('content-length'), String(record.fileSize))
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(bytes.length, record.fileSize)
  }
})

it('the compressed file holds the plain one', async () => {
  const { bytes } = await download(plain.downloadUrl)
  const inside = gunzipSync((await download(compressed.downloadUrl)).bytes)
  assert.deepEqual(inside, bytes)
  assert.equal(rowsOf(bytes.toString()).length, 4)
})

it('works on any node, under the address that was handed out', async () => {
  const second = await service.addNode()
  const { pathname } = new URL(plain.downloadUrl)
  const { bytes } = await download(second.url + pathname)
  assert.deepEqual(bytes, (await download(plain.downloadUrl)).bytes)
  await second.stop()
})

it('is answered to HEAD without a body', async () => {
  const { status, headers, bytes } = await download(plain.downloadUrl, 'HEAD')
  assert.equal(status, 200)
  assert.equal(headers.get('content-length'), String(plain.fileSize))
  assert.equal(bytes.length, 0)
})

describe('404 in plain words for', () => {
  const [, id = '', token = ''] =
    /\/statements\/([^/]+)\/([^/]+)$/.exec(new URL(plain.downloadUrl).pathname) ?? []
  const flipped = (at: number): string => {
    const other = token[at] === 'A' ? 'B' : 'A'
    return token.slice(0, at) + other + token.slice(at + 1)
  }
  const other = new URL(compressed.downloadUrl).pathname.split('/').at(-1)
  for (const [what, path] of [
    ['the token of another statement', `${id}/${other}`],
    ['a token for another merchant', `${id}/${flipped(5)}`],
    ['a token that lasts longer', `${id}/${flipped(8)}`],
    ['a token with another proof', `${id}/${flipped(40)}`],
    ['a token cut short', `${id}/${token.slice(0, -1)}`],
    ['a token with more', `${id}/${token}A`],
    ['a token of one letter', `${id}/A`],
    ['a token beyond ASCII', `${id}/%C3%A9`],
    ['a very long token', `${id}/${'A'.repeat(3000)}`],
    ['another statement', `${randomUUID()}/${token}`],
    ['something that is no identifier', `x/${token}`],
  ]) {
    it(`${what}`, async () => {
      const { status, headers, bytes } = await download(`${service.url}/statements/${path}`)
      assert.equal(status, 404)
      assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
      assert.match(bytes.toString(), /no statement behind this link/)
    })
  }
})

it('is over one day after completion by the test clock, in plain words', async () => {
  await service.advance(23 * 60 * 60)
  assert.equal((await download(plain.downloadUrl)).status, 200)
  await service.advance(60 * 60)
  const { status, headers, bytes } = await download(plain.downloadUrl)
  assert.equal(status, 410)
  assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.match(bytes.toString(), /has expired.*Ask for the statement again/)
})

it('files are kept for 90 days and then removed, and the statement stays', async () => {
  const pieces = async (): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(
      'select count(*)::int as count from statement_pieces',
    )
    return row?.count ?? 0
  }
  await service.advance(88 * 24 * 60 * 60)
  const late = await ended(service, await askStatement(service))
  assert.equal(await pieces(), 3)
  await service.advance(2 * 24 * 60 * 60)
  await eventually(async () => assert.equal(await pieces(), 1))
  const { data } = (await service.get(`/v2/statements/${plain.statementId}`)).body
  assert.deepEqual(data, plain)
  const kept = await service.database.query('select id from statements where has_file')
  assert.deepEqual(kept, [{ id: late.statementId }])
})
