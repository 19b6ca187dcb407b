import { keyIdOf } from '../signing/keys.ts'
import { findSigningKeys, type StoredKey } from '../store/accounts/signing-keys.ts'
import { changeSecret } from '../usecases/accounts/change-secret.ts'
import { isPublished, rotateSigningKeyIn } from '../usecases/accounts/signing-keys.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  print,
  refuseWhileNodesRun,
  table,
  textOf,
  textOfFile,
  withDatabase,
} from './command-kit.ts'
import { changeByCommand, recordCommand, WHOLE_SERVICE } from './recorded.ts'

/** The service's own keys, which sign callbacks and answers. */
export const KEY_COMMANDS: readonly Command[] = [
  {
    name: 'key list',
    summary: 'List the keys that sign callbacks and answers, the current one first',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database }) => {
        const now = Date.now()
        const keys = (await findSigningKeys(database)).map((key) => ({
          keyId: keyIdOf(key.number),
          state: stateOf(key, now),
          created: dateText(key.createdMs),
          retired: key.retiredMs === null ? null : dateText(key.retiredMs),
        }))
        return print(json, keys, table(keys.map((key) => ({ ...key, retired: key.retired ?? '' }))))
      }),
  },
  {
    name: 'key rotate',
    summary: 'Make the next key; every node signs with it within a second',
    options: {
      compromised: { summary: 'others may have the former keys: publish none of them any more' },
    },
    run: ({ values, json }) =>
      withDatabase(async ({ database, config }) => {
        const isCompromised = values.compromised === true
        const keys = await database.inTransaction(async (tx) => {
          const made = await rotateSigningKeyIn(tx, config.secretKey, Date.now(), isCompromised)
          await recordCommand(tx, {
            ...{ merchantId: WHOLE_SERVICE, action: 'signing key rotated', object: made.current },
            ...{ before: { keyId: made.retired }, after: { withdrawn: isCompromised } },
          })
          return made
        })
        const words = isCompromised
          ? `${keys.current} signs from now on. ${keys.retired} and all before it are withdrawn: ` +
            'ask merchants who keep a copy of the published keys to drop it.'
          : `${keys.current} signs from now on. ${keys.retired} stays published for two days, so ` +
            'that what it has signed can be verified.'
        return print(json, { ...keys, withdrawn: isCompromised }, words)
      }),
  },
  {
    name: 'key change-secret',
    summary: 'Seal everything under another MALIPO_SECRET_KEY; run it while no node is running',
    options: {
      'new-key-file': {
        value: 'path',
        summary: 'a file with the new key; "-" reads standard input',
      },
    },
    run: ({ values, json }) =>
      withDatabase(async ({ database, config }) => {
        const to = await newKeyFrom(values['new-key-file'])
        await refuseWhileNodesRun(database)
        const change = { action: 'secret key changed', object: 'MALIPO_SECRET_KEY' }
        const sealed = await changeByCommand(
          database,
          { ...change, merchantId: WHOLE_SERVICE },
          (tx) => changeSecret(tx, { from: config.secretKey, to }),
        )
        const words =
          `${sealed} secrets are sealed under the new key. Start the nodes with it now. Links to ` +
          'pages and statements that were handed out before do not work any more.'
        return print(json, { sealed }, words)
      }),
  },
]

function stateOf(key: StoredKey, nowMs: number): string {
  if (key.retiredMs === null) return 'current'
  if (key.isWithdrawn) return 'withdrawn'
  return isPublished(key, nowMs) ? 'retired, published' : 'retired'
}

const LEAST = 32

async function newKeyFrom(file: unknown): Promise<string> {
  const path = textOf(file)
  if (path === undefined) throw new CommandProblem('Give --new-key-file with a path, or "-".')
  const key = (await textOfFile(path === '-' ? undefined : path)).trim()
  if (key.length >= LEAST) return key
  throw new CommandProblem(`The new key has ${key.length} characters; it needs at least ${LEAST}.`)
}
