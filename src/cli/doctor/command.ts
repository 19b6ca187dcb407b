import type { Config } from '../../node/config.ts'
import { type Connection, connect } from '../../node/connect.ts'
import { createLog } from '../../node/log.ts'
import { type Command, givenConfig, print, textOf } from '../command-kit.ts'
import { serviceUrl } from '../service-client.ts'
import { callbackAddresses, operatorAddresses, publicAddress } from './addresses.ts'
import { bad, type Check, good, tried } from './check.ts'
import { databaseChecks, type Stored, storedChecks } from './database.ts'
import { disk, openFiles, versions } from './machine.ts'
import { mailCheck } from './mail.ts'
import {
  isHere,
  type Nodes,
  nodeCheck,
  queueChecks,
  readiness,
  serviceCheck,
  watchNodes,
} from './service.ts'
import { testPayment } from './test-payment.ts'

export const DOCTOR_COMMAND: Command = {
  name: 'doctor',
  summary: 'Check everything that support would ask about, and say what is wrong and the way out',
  options: {
    service: { value: 'url', summary: 'the running service; the port of PORT here by default' },
    'no-payment': { summary: 'make no test payment in a sandbox' },
  },
  run: async ({ values, json }) => {
    const checks = await examine(textOf(values.service), values['no-payment'] !== true)
    const ok = checks.every((one) => one.ok)
    print(json, { ok, checks }, reportOf(checks))
    return ok ? 0 : 1
  },
}

async function examine(service: string | undefined, mayPay: boolean): Promise<readonly Check[]> {
  let config: Config
  try {
    config = givenConfig()
  } catch (error) {
    return [...versions(), bad('settings', (error as Error).message)]
  }
  const settings = config.isNodeEnvIgnored
    ? bad(
        'settings',
        'NODE_ENV=production is not read: set MALIPO_ENV=production, or leave it out.',
      )
    : good('settings', `${config.environment}, every variable is known and can be used`)
  // Both ask the network, and neither the database.
  const outside = Promise.all([
    tried('public address', () => publicAddress(config)),
    tried('mail', () => mailCheck(config)),
  ])
  const inside = await database(config, serviceUrl(service, config), mayPay)
  return [...versions(), settings, ...(await disk(config)), ...inside, ...(await outside).flat()]
}

async function database(config: Config, url: string, mayPay: boolean): Promise<readonly Check[]> {
  let connection: Connection
  try {
    connection = await connect(config, 'borrow', createLog('silent'))
  } catch (error) {
    return [openFiles(config, undefined), bad('database', (error as Error).message)]
  }
  try {
    const { checks, state } = await storedChecks(connection.database, config)
    const nodes = state === undefined ? NO_NODES : await watchNodes(connection.database)
    const running =
      state === undefined
        ? []
        : await runningChecks({ connection, config, state, nodes, url, mayPay })
    return [
      openFiles(config, nodes.alive.find(isHere)?.pid),
      ...(await tried('database', () => databaseChecks(connection, config, nodes.alive.length))),
      ...checks,
      ...running,
    ]
  } catch (error) {
    return [bad('database', (error as Error).message)]
  } finally {
    await connection.close()
  }
}

const NO_NODES: Nodes = { alive: [], silent: [] }

type Installation = {
  readonly connection: Connection
  readonly config: Config
  readonly state: Stored
  readonly nodes: Nodes
  readonly url: string
  readonly mayPay: boolean
}

async function runningChecks(installation: Installation): Promise<readonly Check[]> {
  const { connection, config, state, nodes, url, mayPay } = installation
  const { database: db } = connection
  const answer = await readiness(url)
  const isSandbox = state.environment === 'sandbox'
  const now = Date.now() + state.clockOffsetMs
  const lists = await Promise.all([
    tried('service', () => serviceCheck(url, answer, nodes)),
    tried('queues', () => queueChecks(db, now, nodes)),
    tried('callbacks', () => callbackAddresses(db, state.environment)),
    tried('operators', () => operatorAddresses(db, state.environment)),
    answer?.ok && isSandbox && mayPay
      ? tried('test payment', () => testPayment(db, config, url))
      : [],
  ])
  return [nodeCheck(nodes), ...lists.flat()]
}

function reportOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.filter(({ ok }) => ok).map(({ name }) => name.length))
  const lines = checks.map(({ name, ok, message }) => {
    const line = `${ok ? 'ok ' : 'BAD'}  ${name.padEnd(width)}  ${message}`
    // What others sent may be meant for the terminal of the reader.
    return line.replaceAll(/\p{Cc}/gu, '\ufffd')
  })
  const wrong = checks.filter(({ ok }) => !ok).length
  const end =
    wrong === 0
      ? `All ${checks.length} checks are good.`
      : `Bad: ${wrong} of ${checks.length} checks.`
  return [...lines, '', end].join('\n')
}
