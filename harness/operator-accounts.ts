import assert from 'node:assert/strict'
import { readConfig } from '../src/node/config.ts'
import { CATALOG_FILE } from '../src/package-root.ts'
import { readCatalog } from '../src/providers/catalog.ts'
import { addAccount, type ManageParts } from '../src/usecases/operators/manage-accounts.ts'
import { eventually, type Service } from './service.ts'

/** How accounts of a sandbox are managed from outside its nodes, as the commands do it. */
export const managing = ({ database }: Pick<Service, 'database'>): ManageParts => ({
  database,
  catalog: readCatalog(CATALOG_FILE),
  secretKey: readConfig({}).secretKey,
  hasSimulator: true,
  now: Date.now(),
})

/** Adds an account and waits until the node uses it. */
export async function addOperatorAccount(
  service: Service,
  file: { readonly name: string } & Record<string, unknown>,
): Promise<void> {
  await addAccount(managing(service), file)
  await eventually(() => assert.ok(service.node.ctx.operators.named(file.name) !== undefined))
}
