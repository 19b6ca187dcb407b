import {
  MAX_SIGNATURE_AGE,
  type Merchant,
  type SignatureSettings,
} from '../domain/accounts/merchant.ts'
import { present } from '../domain/present.ts'
import { KeyProblem, openPublicKey } from '../signing/public-keys.ts'
import { listMerchantKeys, type MerchantKey } from '../store/accounts/merchant-keys.ts'
import { findMerchant } from '../store/accounts/merchants.ts'
import type { Database } from '../store/engine/database.ts'
import {
  addMerchantKeyIn,
  changeSignaturesIn,
  removeMerchantKeyIn,
} from '../usecases/accounts/manage-merchant-keys.ts'
import {
  type CheckReport,
  DAYS_SHOWN,
  readSignatureChecks,
} from '../usecases/accounts/signature-checks.ts'
import {
  type Command,
  CommandProblem,
  dateText,
  merchantNamed,
  noneOf,
  print,
  switchOf,
  table,
  textOf,
  textOfFile,
  withDatabase,
} from './command-kit.ts'
import { changeByCommand, recordCommand } from './recorded.ts'

/** How merchants sign their requests, and whether they must. */
export const SIGNATURE_COMMANDS: readonly Command[] = [
  {
    name: 'merchant show',
    summary: 'Show a merchant: its signature settings, its keys, and what became of its signatures',
    arguments: ['short-name'],
    options: {},
    run: ({ positionals: [slug = ''], json }) =>
      withDatabase(async ({ database }) => {
        const found = await factsOf(database, slug)
        return print(json, shownFacts(found), wordsOf(found))
      }),
  },
  {
    name: 'merchant signatures',
    summary: 'Choose whether a merchant must sign, and how the service signs for it',
    arguments: ['short-name'],
    options: {
      'signed-requests-only': {
        value: 'on or off',
        summary: 'refuse initiations without a good signature, or take them',
      },
      'max-age': {
        value: 'seconds or off',
        summary: 'refuse older signatures, and each that is used a second time',
      },
      'cover-authority': {
        value: 'on or off',
        summary: 'refuse signatures that do not cover the host (@authority)',
      },
      anyway: { summary: 'switch it on although it would refuse requests that come now' },
      'signed-callbacks': { value: 'on or off', summary: 'sign callbacks or not' },
      encoding: { value: 'DER or RAW', summary: 'the form of the signatures of the service' },
      'own-key-id': {
        value: 'on or off',
        summary: 'sign under key ids that name the merchant, or under those that all share',
      },
    },
    run: ({ positionals: [slug = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        const before = await factsOf(database, slug)
        const change = {
          signedRequestsOnly: switchOf('signed-requests-only', values),
          maxSignatureAge: ageOf(values['max-age']),
          coverAuthority: switchOf('cover-authority', values),
          signedCallbacks: switchOf('signed-callbacks', values),
          ecdsaEncoding: encodingOf(values.encoding),
          ownKeyId: switchOf('own-key-id', values),
        }
        if (Object.values(change).every((one) => one === undefined)) {
          throw new CommandProblem(
            'Nothing to change was named. See malipo merchant signatures --help.',
          )
        }
        if (change.signedRequestsOnly === true) refuseHarm(before, values.anyway === true)
        await sayingWhy(save(database, before, change))
        const after = await factsOf(database, slug)
        return print(json, shownFacts(after), wordsOf(after))
      }),
  },
  {
    name: 'merchant-key add',
    summary: 'Add a public key with which a merchant signs; several may be valid at once',
    arguments: ['merchant', 'key-id'],
    options: { file: { value: 'path', summary: 'the key as PEM; standard input by default' } },
    run: ({ positionals: [slug = '', keyId = ''], values, json }) =>
      withDatabase(async ({ database }) => {
        const { id } = await merchantNamed(database, slug)
        const pem = await textOfFile(textOf(values.file))
        const kind = await sayingWhy(
          database.inTransaction(async (tx) => {
            const name = await addMerchantKeyIn(tx, id, { keyId, pem }, Date.now())
            const change = { action: 'signature key added', object: keyId, after: { kind: name } }
            await recordCommand(tx, { ...change, merchantId: id })
            return name
          }),
        )
        const words = `The ${kind} key "${keyId}" of ${slug} is valid from now on.`
        return print(json, { merchant: slug, keyId, kind }, words)
      }),
  },
  {
    name: 'merchant-key list',
    summary: 'List the public keys of one merchant or of all',
    options: { merchant: { value: 'short-name', summary: 'only of this merchant' } },
    run: ({ values, json }) =>
      withDatabase(async ({ database }) => {
        const slug = textOf(values.merchant)
        const merchant = slug === undefined ? undefined : await merchantNamed(database, slug)
        const keys = await listMerchantKeys(database, merchant?.id)
        const result = keys.map((key) => ({ ...shownKey(key), publicKey: key.publicKey }))
        return print(json, result, table(keys.map(shownKey), noneOf('key', slug)))
      }),
  },
  {
    name: 'merchant-key remove',
    summary: 'Remove a public key; every node refuses its signatures within a second',
    arguments: ['merchant', 'key-id'],
    options: {},
    run: ({ positionals: [slug = '', keyId = ''], json }) =>
      withDatabase(async ({ database }) => {
        const { id } = await merchantNamed(database, slug)
        const { removed, left } = await database.inTransaction(async (tx) => {
          const result = await removeMerchantKeyIn(tx, id, keyId)
          const change = { action: 'signature key removed', object: keyId, merchantId: id }
          if (result.removed) await recordCommand(tx, change)
          return result
        })
        if (!removed) {
          throw new CommandProblem(
            `The merchant ${slug} has no key "${keyId}". See malipo merchant-key list.`,
          )
        }
        const { signedRequestsOnly } = (await factsOf(database, slug)).merchant
        const warning =
          left === 0 && signedRequestsOnly
            ? '\nIt was the last one, and only signed requests are taken: every initiation is refused now.'
            : ''
        const words = `The key "${keyId}" of ${slug} is removed.${warning}`
        return print(json, { merchant: slug, keyId, left }, words)
      }),
  },
]

/** With what was before, of the settings that change alone. */
const save = (
  database: Database,
  { merchant }: Facts,
  given: Readonly<Record<keyof SignatureSettings, unknown>> & SignatureSettings,
): Promise<void> => {
  const after = present(given)
  const names = Object.keys(after) as (keyof SignatureSettings)[]
  const before = Object.fromEntries(names.map((name) => [name, merchant[name] ?? null]))
  const change = { action: actionOf(given), object: merchant.slug, before, after }
  return changeByCommand(database, { ...change, merchantId: merchant.id }, (tx) =>
    changeSignaturesIn(tx, merchant.id, given, Date.now()),
  )
}

const actionOf = ({ signedRequestsOnly }: SignatureSettings): string => {
  if (signedRequestsOnly === undefined) return 'signature settings changed'
  return signedRequestsOnly ? 'signatures required' : 'signatures not required'
}

type Facts = {
  readonly merchant: Merchant
  readonly keys: readonly MerchantKey[]
  readonly checks: CheckReport
}

async function factsOf(database: Database, slug: string): Promise<Facts> {
  const { id } = await merchantNamed(database, slug)
  const merchant = await findMerchant(database, id)
  if (merchant === undefined) throw new CommandProblem(`There is no merchant "${slug}".`)
  const keys = await listMerchantKeys(database, id)
  return { merchant, keys, checks: await readSignatureChecks(database, id, Date.now()) }
}

function shownFacts({ merchant, keys, checks }: Facts) {
  const { id, slug, name, suspended } = merchant
  const { signedRequestsOnly, coverAuthority, signedCallbacks, ecdsaEncoding, ownKeyId } = merchant
  const maxSignatureAge = merchant.maxSignatureAge ?? null
  const verdicts = checks.verdicts.map(({ verdict, count, lastMs }) => ({
    verdict,
    count,
    last: dateText(lastMs),
  }))
  return {
    id,
    shortName: slug,
    name,
    state: suspended ? 'suspended' : 'active',
    signatures: {
      signedRequestsOnly,
      maxSignatureAge,
      coverAuthority,
      signedCallbacks,
      ecdsaEncoding,
      ownKeyId,
    },
    keys: keys.map(shownKey),
    checks: { days: DAYS_SHOWN, ...checks, verdicts },
  }
}

function wordsOf(facts: Facts): string {
  const { name, shortName, state, signatures, keys, checks } = shownFacts(facts)
  const { signedRequestsOnly, maxSignatureAge, signedCallbacks, ecdsaEncoding } = signatures
  const initiations = checks.passed + checks.failed
  return [
    `${name} (${shortName}), ${state}`,
    '',
    `Initiations: ${signedRequestsOnly ? 'only signed ones are taken' : 'need no signature'}`,
    `Signatures:  ${maxSignatureAge === null ? 'of any age' : `for ${maxSignatureAge} s, each once`}` +
      (signatures.coverAuthority ? ', with the host' : '') +
      (signedRequestsOnly || isPlain(signatures) ? '' : ' (only while signatures are required)'),
    `Callbacks:   ${signedCallbacks ? 'signed' : 'not signed'}, ${ecdsaEncoding}${signatures.ownKeyId ? ', own key id' : ''}`,
    '',
    'Public keys',
    indented(table(keys)),
    '',
    `Signatures of the last ${checks.days} days: ${checks.passed} valid in ${initiations} initiations, ` +
      `${checks.failed} ${signedRequestsOnly ? 'refused' : 'would be refused if signatures were required'}; ` +
      `${checks.replayed} replayed`,
    indented(table(checks.verdicts)),
  ].join('\n')
}

/** No limits that would hold once signatures are required. */
const isPlain = (one: ReturnType<typeof shownFacts>['signatures']): boolean =>
  one.maxSignatureAge === null && !one.coverAuthority

const indented = (text: string): string => text.replaceAll(/^/gm, '  ')

const shownKey = (key: MerchantKey) => ({
  keyId: key.keyId,
  merchant: key.merchant,
  kind: openPublicKey(key.publicKey).name,
  created: dateText(key.createdMs),
})

/** Before signatures are required, it should be known which requests that would refuse. */
function refuseHarm({ merchant, keys, checks }: Facts, isForced: boolean): void {
  if (keys.length === 0) {
    throw new CommandProblem(
      `The merchant ${merchant.slug} has no public key, so every initiation would be refused. ` +
        `Add one with: malipo merchant-key add ${merchant.slug} <key-id> --file public.pem`,
    )
  }
  if (checks.failed > 0 && !isForced) {
    const reasons = checks.verdicts
      .filter(({ verdict }) => verdict !== 'VERIFIED' && verdict !== 'REPLAYED')
      .map(({ verdict, count, lastMs }) => `${count} ${verdict}, last ${dateText(lastMs)}`)
    throw new CommandProblem(
      `${checks.failed} initiations of the last ${DAYS_SHOWN} days would have been refused ` +
        `(${reasons.join('; ')}). See malipo merchant show ${merchant.slug}; ` +
        'docs/signatures.md explains each. Add --anyway to switch it on all the same.',
    )
  }
}

function ageOf(value: unknown): number | undefined {
  const text = textOf(value)
  if (text === undefined) return undefined
  if (text === 'off') return 0
  const seconds = /^[1-9]\d{0,4}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY
  if (seconds <= MAX_SIGNATURE_AGE) return seconds
  throw new CommandProblem(
    `--max-age takes whole seconds from 1 to ${MAX_SIGNATURE_AGE}, or off, not "${text}".`,
  )
}

function encodingOf(value: unknown): 'DER' | 'RAW' | undefined {
  const text = textOf(value)
  if (text === undefined || text === 'DER' || text === 'RAW') return text
  throw new CommandProblem(`--encoding takes DER or RAW, not "${text}".`)
}

async function sayingWhy<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof KeyProblem ? new CommandProblem(error.message) : error
  })
}
