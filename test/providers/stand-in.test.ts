import assert from 'node:assert/strict'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { FIRST_TRANSACTION, openBook } from '../../src/providers/stand-in/book.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'

const operator = await startStandIn(MTN_MOMO_STAND_IN)
after(() => operator.close())

const put = async (path: string, body: unknown) => {
  const url = `${operator.url}/_stand-in/${path}`
  const answer = await fetch(url, { method: 'PUT', body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}

const WRONG = [
  ['faults', { on: 'create', fault: 'hang' }, /Send a list of rules/],
  ['faults', [{ on: 'creat', fault: 'hang' }], /"on" is one of token, create/],
  ['faults', [{ on: 'create', fault: 'drop-aftr' }], /"fault" is one of drop-before, drop-after/],
  ['parties/260763456789', { says: 'sucess' }, /"says" is one of success, failure/],
  ['orders/x', undefined, /"says" is one of/],
] as const

for (const [path, body, problem] of WRONG) {
  it(`a stand-in refuses ${JSON.stringify(body)} for ${path}, and says what it takes`, async () => {
    const answer = await put(path, body)
    assert.equal(answer.status, 400)
    assert.match(answer.body.problem, problem)
  })
}

it('a stand-in takes rules and endings', async () => {
  const rule = { on: 'create', fault: 'drop-after', percent: 20 }
  assert.deepEqual(await put('faults', [rule]), { status: 200, body: {} })
  const ending = { says: 'failure', reason: 'PAYER_NOT_FOUND' }
  assert.deepEqual(await put('parties/260763456789', ending), { status: 200, body: {} })
})

it('a stand-in shows its book, whole or of one party, and takes back its word', async () => {
  const order = { what: 'requesttopay', amount: '15', currency: 'ZMW', more: {} }
  const ends = { transactionId: '1', createdAt: 1, endsAt: 1, ending: { says: 'success' } } as const
  operator.book.add({ ...order, ...ends, reference: 'one', party: '260763456781' })
  operator.book.add({ ...order, ...ends, reference: 'two', party: '260763456782' })
  const shown = async (path: string): Promise<readonly string[]> => {
    const answer = await fetch(`${operator.url}/_stand-in/${path}`)
    const entries = (await answer.json()) as { reference: string; state: string }[]
    return entries.map(({ reference, state }) => `${reference} ${state}`)
  }
  assert.deepEqual(await shown('book'), ['one success', 'two success'])
  const failure = { says: 'failure', reason: 'PAYER_NOT_FOUND' }
  assert.equal((await put('orders/two', failure)).status, 200)
  assert.deepEqual(await shown('book/260763456782'), ['two failure'])
  const unknown = await put('orders/three', failure)
  assert.deepEqual(unknown, { status: 404, body: { problem: 'There is no order three.' } })
})

const order = { what: 'transfer', amount: '15', currency: 'ZMW', party: '260763456781', more: {} }
const ends = { createdAt: 1, endsAt: 1, ending: { says: 'success' } } as const

it('a stand-in that was killed in the middle of a line forgets nothing after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-book-'))
  const file = join(folder, 'book')
  openBook(file).add({ ...order, ...ends, reference: 'one', transactionId: '1' })
  await appendFile(file, '{"reference":"cut o')
  openBook(file).add({ ...order, ...ends, reference: 'two', transactionId: '2' })
  assert.deepEqual(
    openBook(file)
      .all()
      .map(({ reference }) => reference),
    ['one', 'two'],
  )
  await rm(folder, { recursive: true })
})

it('a stand-in gives no transaction number twice, however often it is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-book-'))
  const file = join(folder, 'book')
  const add = (reference: string): string => {
    // Opened anew for each, as after a kill.
    const book = openBook(file)
    const transactionId = String(FIRST_TRANSACTION + book.nextNumber())
    // An order that was refused uses up a number.
    book.add({ ...order, ...ends, reference: 'one', transactionId })
    const next = String(FIRST_TRANSACTION + book.nextNumber())
    book.add({ ...order, ...ends, reference, transactionId: next })
    return next
  }
  const given = ['two', 'three', 'four', 'five'].map(add)
  assert.equal(new Set(given).size, given.length)
  await rm(folder, { recursive: true })
})
