import { type Command, dateText, print, table, withDatabase } from './command-kit.ts'
import { keyIdOf } from './signing/keys.ts'
import { findSigningKeys } from './store/signing-keys.ts'
import { isPublished, rotateSigningKey } from './usecases/signing-keys.ts'

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
          state: stateOf(key.retiredMs, isPublished(key, now)),
          created: dateText(key.createdMs),
          retired: key.retiredMs === null ? null : dateText(key.retiredMs),
        }))
        return print(json, keys, table(keys.map((key) => ({ ...key, retired: key.retired ?? '' }))))
      }),
  },
  {
    name: 'key rotate',
    summary: 'Make the next key; every node signs with it within a second',
    options: {},
    run: ({ json }) =>
      withDatabase(async ({ database, config }) => {
        const keys = await rotateSigningKey(database, config.secretKey, Date.now())
        const words =
          `${keys.current} signs from now on. ${keys.retired} stays published for two days, so ` +
          'that what it has signed can be verified.'
        return print(json, keys, words)
      }),
  },
]

function stateOf(retiredMs: number | null, published: boolean): string {
  if (retiredMs === null) return 'current'
  return published ? 'retired, published' : 'retired'
}
