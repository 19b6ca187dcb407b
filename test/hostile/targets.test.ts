import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startService } from '../../harness/service.ts'
import { nameOf, targetsOf } from '../../proof/fuzz/targets.ts'
import { servedPaths } from '../support/routes.ts'

const service = await startService()
after(service.stop)

/** What the server's own routing tree answers, without what it refuses as another method. */
async function servedCalls(): Promise<readonly string[]> {
  const calls: string[] = []
  for (const path of servedPaths(service)) {
    const { status, headers } = await service.call('DELETE', path.replaceAll(/[{}]/g, ''))
    // Customers get a page instead of a list of methods.
    const allowed = status === 405 ? headers.get('allow') : CUSTOMERS.get(path)
    assert.ok(allowed, `${path}: ${status}`)
    calls.push(...allowed.split(', ').map((method) => `${method} ${path}`))
  }
  return calls
}

const CUSTOMERS = new Map(
  ['/pay/{link}', '/checkout/{link}'].flatMap((path) => [
    [path, 'GET, POST'],
    [`${path}/status`, 'GET'],
    [`${path}/provider`, 'POST'],
  ]),
)

it('every route of a node is a target, and every target a route', async () => {
  const targets = targetsOf((await service.get('/openapi.json')).body)
  assert.deepEqual(targets.map(nameOf).toSorted(), (await servedCalls()).toSorted())
})
