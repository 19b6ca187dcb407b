import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createMethodTable } from '../../src/http/method-table.ts'

const table = createMethodTable([
  { method: 'POST', path: '/v2/deposits' },
  { method: 'GET', path: '/v2/deposits/:depositId' },
  { method: 'POST', path: '/v2/deposits/bulk' },
  { method: 'DELETE', path: '/v2/deposits/bulk' },
  { method: 'POST', path: '/v2/deposits/resend-callback/:depositId' },
])

it('finds the path of a request, fixed parts before parameters', () => {
  const methodsAt = (path: string) => table.find(path)?.methods
  assert.deepEqual(methodsAt('/v2/deposits'), ['POST'])
  assert.deepEqual(methodsAt('//v2/deposits/'), ['POST'])
  assert.deepEqual(methodsAt('/v2/deposits/bulk'), ['POST', 'DELETE'])
  assert.deepEqual(table.find('/v2/deposits/1'), {
    path: '/v2/deposits/:depositId',
    methods: ['GET'],
    params: { depositId: '1' },
  })
  assert.deepEqual(table.find('/v2/deposits/resend-callback/2')?.params, { depositId: '2' })
  assert.deepEqual(table.find('/v2/%64eposits/a%2Fb')?.params, { depositId: 'a/b' })
  for (const path of ['/', '/v2', '/v2/Deposits', '/v2/deposits/1/2', '/v2/payouts']) {
    assert.equal(table.find(path), undefined, path)
  }
})

it('names the methods of fixed paths that a path with a parameter would take', () => {
  assert.deepEqual(table.hidden, [{ method: 'GET', path: '/v2/deposits/bulk' }])
})

it('names what an operation with a parameter would take from a page', () => {
  const operations = [{ method: 'GET', path: '/sandbox/:number' }]
  const pages = [
    { method: 'GET', path: '/sandbox/shop' },
    { method: 'POST', path: '/sandbox/numbers' },
    { method: 'GET', path: '/docs/:page' },
    { method: 'GET', path: '/docs/api' },
  ]
  const both = createMethodTable([...operations, ...pages], operations)
  assert.deepEqual(both.contested, [{ method: 'GET', path: '/sandbox/shop' }])
  assert.deepEqual(both.hidden, [{ method: 'GET', path: '/sandbox/numbers' }])
})
