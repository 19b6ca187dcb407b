import type { Environment } from '../../domain/accounts/token.ts'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import type { Config } from '../../node/config.ts'
import { ADDRESS_POLICIES, type AddressPolicy } from '../../outbound/address-guard.ts'
import { type Probed, probe } from '../../outbound/probe.ts'
import { listCallbackAddresses } from '../../store/callbacks/endpoints.ts'
import type { Database } from '../../store/engine/database.ts'
import { listAccounts } from '../../store/operators/accounts.ts'
import { listBreakers } from '../../store/operators/health.ts'
import { bad, type Check, DAY_MS, good, plural } from './check.ts'

/** Nothing is sent to these addresses: a connection is opened, a certificate read, and closed. */

/** Far more than a person reads; merchants choose addresses. */
const PROBED_MOST = 200
const AT_ONCE = 8

/** Our own addresses and those of operators may be in a private network. */
const OURS: AddressPolicy = { allowPrivate: true, httpsOnly: false }

export async function publicAddress({ publicUrl, environment }: Config): Promise<Check> {
  const name = 'public address'
  if (publicUrl === undefined) {
    if (environment === 'sandbox') return good(name, 'not set: links lead to this machine')
    return bad(
      name,
      'MALIPO_PUBLIC_URL is not set: links lead to 127.0.0.1. Set it to the https address.',
    )
  }
  if (environment === 'production' && !publicUrl.startsWith('https:')) {
    return bad(name, `${publicUrl} is not encrypted. Serve it by https, see docs/security.md.`)
  }
  const probed = await probe(publicUrl, { policy: OURS })
  const fault = faultOf(probed)
  if (fault === undefined) return good(name, `${publicUrl}${endText(probed)}`)
  return bad(name, `${publicUrl}: ${fault}. Check its name, its proxy and its certificate.`)
}

export async function callbackAddresses(
  database: Database,
  environment: Environment,
): Promise<readonly Check[]> {
  const addresses = await listCallbackAddresses(database)
  const merchantsAt = new Map<string, Set<string>>()
  for (const { merchant, url } of addresses) {
    const { origin } = new URL(url)
    merchantsAt.set(origin, (merchantsAt.get(origin) ?? new Set()).add(merchant))
  }
  if (merchantsAt.size === 0) return [good('callbacks', 'no address is set')]
  const policy = ADDRESS_POLICIES[environment]
  const origins = [...merchantsAt.keys()].slice(0, PROBED_MOST)
  return reached('callbacks', origins, policy, (origin) => {
    const merchants = [...(merchantsAt.get(origin) ?? [])].slice(0, 3).join(', ')
    return `(${merchants}) Ask who runs it, or see malipo callbacks list.`
  })
}

export async function operatorAddresses(
  database: Database,
  environment: Environment,
): Promise<readonly Check[]> {
  const accounts = (await listAccounts(database)).filter(({ enabled }) => enabled)
  if (accounts.length === 0) {
    if (environment === 'sandbox') return [good('operators', 'the simulated operator')]
    return [bad('operators', 'No account is enabled, so payments are refused: malipo operator add')]
  }
  const resting = (await listBreakers(database)).map(({ account, reason }) =>
    bad(`operators ${account}`, `It rests: ${reason}. See malipo provider status.`),
  )
  const origins = [...new Set(accounts.map(({ baseUrl }) => new URL(baseUrl).origin))]
  const checks = await reached('operators', origins, OURS, (origin) => {
    const names = accounts.filter(({ baseUrl }) => new URL(baseUrl).origin === origin)
    const [first] = names
    return `(${names.map(({ name }) => name).join(', ')}) Try malipo operator test ${first?.name}.`
  })
  return [...checks, ...resting]
}

/** One line for all that can be reached, and one for each that cannot. */
async function reached(
  name: string,
  origins: readonly string[],
  policy: AddressPolicy,
  wayOut: (origin: string) => string,
): Promise<readonly Check[]> {
  const probed = await inParallel(origins, async (origin) => ({
    origin,
    answer: await probe(origin, { policy }),
  }))
  const faults = probed.flatMap(({ origin, answer }) => {
    const fault = faultOf(answer)
    return fault === undefined ? [] : [bad(`${name} ${origin}`, `${fault}. ${wayOut(origin)}`)]
  })
  const well = probed.filter(({ answer }) => faultOf(answer) === undefined)
  if (well.length === 0) return faults
  const first = well
    .map(({ answer }) => answer)
    .toSorted((one, other) => endOf(one) - endOf(other))[0]
  const message = `${plural(well.length, 'address', 'addresses')} can be reached`
  return [good(name, `${message}${first === undefined ? '' : endText(first)}`), ...faults]
}

const endOf = (probed: Probed): number =>
  (probed.ok ? probed.certificateEndsMs : undefined) ?? Number.POSITIVE_INFINITY

const daysLeft = (probed: Probed): number => Math.floor((endOf(probed) - Date.now()) / DAY_MS)

function faultOf(probed: Probed): string | undefined {
  if (!probed.ok) return probed.reason
  const days = daysLeft(probed)
  return days < COMMAND_TIMING.certificateDays
    ? `its certificate ends in ${plural(days, 'day')}`
    : undefined
}

const endText = (probed: Probed): string =>
  Number.isFinite(endOf(probed)) ? `, the certificate ends in ${daysLeft(probed)} days` : ''

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = [...items.entries()]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      results[next[0]] = await work(next[1])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}
