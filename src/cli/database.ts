import { MIGRATIONS_FOLDER } from '../package-root.ts'
import { markRestored } from '../store/cluster/lineage.ts'
import { migrate } from '../store/engine/migrate.ts'
import { verifyBooks } from '../usecases/accounts/verify-books.ts'
import {
  type Command,
  print,
  refuseWhileNodesRun,
  withConnection,
  withDatabase,
} from './command-kit.ts'

export const MIGRATE_COMMAND: Command = {
  name: 'migrate',
  summary: 'Bring the database schema up to date and stop',
  options: {},
  run: ({ json }) =>
    withConnection('make', async ({ database }) => {
      const report = await migrate(database, MIGRATIONS_FOLDER)
      const words =
        report.applied.length === 0 ? 'nothing to do' : `applied ${report.applied.join(', ')}`
      return print(json, report, `Schema version ${report.version}: ${words}.`)
    }),
}

export const RESTORED_COMMAND: Command = {
  name: 'restored',
  summary:
    'Record that the database was restored from a backup; run it before the first node starts',
  options: {},
  run: ({ json }) =>
    withDatabase(async ({ database }) => {
      await refuseWhileNodesRun(database)
      const unsent = await markRestored(database)
      const words = `${unsentWords(unsent)} Start the nodes now.`
      return print(json, { paymentsLookedUpFirst: unsent }, words)
    }),
}

export const VERIFY_COMMAND: Command = {
  name: 'verify',
  summary: 'Recompute every balance from transfers and check every invariant',
  options: {},
  run: ({ json }) =>
    withDatabase(async ({ database }) => {
      const results = await verifyBooks(database, (done, of, { name, findings }) => {
        if (json) return
        const verdict = findings.length === 0 ? 'ok' : `${findings.length} FOUND`
        process.stdout.write(`  [${done}/${of}] ${name}: ${verdict}\n`)
        for (const { merchant, subject, finding } of findings) {
          process.stdout.write(`        merchant ${merchant}, ${subject}: ${finding}\n`)
        }
      })
      const count = results.reduce((sum, { findings }) => sum + findings.length, 0)
      const words = count === 0 ? 'The books are in order.' : `${count} findings: see above.`
      print(json, { ok: count === 0, checks: results }, words)
      return count === 0 ? 0 : 3
    }),
}

function unsentWords(count: number): string {
  if (count === 0) return 'No payment waits to be sent.'
  const subject =
    count === 1 ? '1 payment waits to be sent. It is' : `${count} payments wait to be sent. Each is`
  return (
    `${subject} looked up at its operator first, because it may have been sent in the time that ` +
    'is lost.'
  )
}
