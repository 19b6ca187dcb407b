import { AccountProblem } from '../domain/operators/account-file.ts'
import { CATALOG_FILE } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { readState } from '../store/cluster/service-state.ts'
import type { ManageParts } from '../usecases/operators/manage-accounts.ts'
import { CommandProblem, type Opened, withDatabase } from './command-kit.ts'

/** For commands that change accounts with operators, or what providers are good for. */
export async function withAccounts(
  work: (opened: Opened, parts: ManageParts) => Promise<number>,
): Promise<number> {
  return withDatabase(async (opened) => {
    const { database, config, environment } = opened
    try {
      return await work(opened, {
        database,
        catalog: readCatalog(CATALOG_FILE),
        secretKey: config.secretKey,
        hasSimulator: environment === 'sandbox',
        now: await serviceNow(opened),
      })
    } catch (error) {
      if (error instanceof AccountProblem) throw new CommandProblem(capitalised(error.message))
      throw error
    }
  })
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The clock of the service, which the sandbox can move. */
export const serviceNow = async ({ database }: Opened): Promise<number> =>
  Date.now() + (await readState(database)).clockOffsetMs
