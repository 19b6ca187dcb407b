import { CALLBACK_KINDS, type CallbackKind, type Merchant } from '../domain/accounts/merchant.ts'
import { ADDRESS_POLICIES, checkUrl } from '../outbound/address-guard.ts'
import { findMerchant } from '../store/accounts/merchants.ts'
import { type CallbackUrls, saveCallbackUrls } from '../usecases/callbacks/save-callback-urls.ts'
import { saveReturnSchemes } from '../usecases/hosted/return-schemes.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  print,
  table,
  withDatabase,
} from './command-kit.ts'
import { recordCommand } from './recorded.ts'

const optionOf = (kind: CallbackKind): string =>
  kind.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const VALUE = 'url or none'

/** Where the callbacks of merchants go, and their customers. */
export const ADDRESS_COMMANDS: readonly Command[] = [
  {
    name: 'merchant callbacks',
    summary: 'Show the callback addresses of a merchant, or set them; saving one ends its pause',
    arguments: ['short-name'],
    options: {
      ...Object.fromEntries(
        CALLBACK_KINDS.map((kind) => [
          optionOf(kind),
          { value: VALUE, summary: `where callbacks of the kind ${kind} go` },
        ]),
      ),
      all: { value: VALUE, summary: 'the same for every kind that is not named' },
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database, environment }) => {
        const { id } = await merchantNamed(database, slug)
        const urls = urlsIn(values)
        if (urls.size > 0) {
          const refusalOf = (url: string): string | undefined => {
            const checked = checkUrl(url, ADDRESS_POLICIES[environment])
            return checked.ok ? undefined : checked.reason
          }
          const refused = await saveCallbackUrls(database, {
            ...{ merchantId: id, urls, refusalOf },
            record: (tx, change) => recordCommand(tx, { ...change, merchantId: id }),
          })
          if (refused !== undefined) {
            const named = namedFor(refused.kind, values)
            throw new CommandProblem(`--${named}: ${refused.problem}. Nothing was changed.`)
          }
        }
        const merchant = await findMerchant(database, id)
        const callbacks = CALLBACK_KINDS.map((kind) => addressOf(kind, merchant))
        return print(json, { shortName: slug, callbacks }, table(callbacks.map(shown)))
      }),
  },
  {
    name: 'merchant return-schemes',
    summary: 'Show the schemes beside https to which customers may return, or set them',
    arguments: ['short-name'],
    options: {
      set: {
        value: 'list or none',
        summary: 'such as myapp,com.example.shop; replaces the former',
      },
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database, environment }) => {
        const { id } = await merchantNamed(database, slug)
        const list = typeof values.set === 'string' ? values.set.trim() : undefined
        if (list !== undefined) {
          const schemes = list === 'none' ? [] : list.split(',').map((one) => one.trim())
          const change = {
            ...{ merchantId: id, action: 'return schemes changed', object: slug },
            before: { schemes: (await findMerchant(database, id))?.returnSchemes ?? [] },
            after: { schemes },
          }
          const problem = await saveReturnSchemes(database, environment, id, schemes, (tx) =>
            recordCommand(tx, change),
          )
          if (problem !== undefined) {
            throw new CommandProblem(`--set: ${problem}. Nothing was changed.`)
          }
        }
        const { returnSchemes = [] } = (await findMerchant(database, id)) ?? {}
        const words = ['https', ...returnSchemes].join('\n')
        return print(json, { shortName: slug, returnSchemes }, words)
      }),
  },
]

/** The option that says where a kind goes. */
const namedFor = (kind: CallbackKind, values: Readonly<Record<string, unknown>>): string =>
  values[optionOf(kind)] === undefined ? 'all' : optionOf(kind)

function urlsIn(values: Readonly<Record<string, unknown>>): CallbackUrls {
  const urls = new Map<CallbackKind, string | undefined>()
  for (const kind of CALLBACK_KINDS) {
    const name = namedFor(kind, values)
    const given = values[name]
    if (typeof given !== 'string') continue
    const text = given.trim()
    if (text === '') {
      throw new CommandProblem(`--${name} is empty; give an address, or none to remove it.`)
    }
    urls.set(kind, text === 'none' ? undefined : text)
  }
  return urls
}

type Address = {
  readonly kind: CallbackKind
  readonly url: string | null
  readonly state: 'NOT_SET' | 'ACTIVE' | 'PAUSED'
  readonly since?: string
}

function addressOf(kind: CallbackKind, merchant: Merchant | undefined): Address {
  const url = merchant?.callbackUrls[kind]
  const pausedMs = merchant?.callbackStates[kind]?.pausedMs ?? undefined
  if (url === undefined) return { kind, url: null, state: 'NOT_SET' }
  if (pausedMs === undefined) return { kind, url, state: 'ACTIVE' }
  return { kind, url, state: 'PAUSED', since: dateText(pausedMs) }
}

const shown = ({ kind, url, state, since }: Address) => ({
  kind,
  url: url ?? '',
  state: since === undefined ? state : `${state} since ${since}: it answered 410 (gone)`,
})
