// One PostgreSQL with two templates: the empty schema, and the same with the demo merchant in it.
// Tests clone them and find the server through the environment.
import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PREFIX = 'malipo-test-'
const IN_MEMORY = '/dev/shm'
/** Far more than a run needs, as files of tests drop their databases when they are over. */
const ROOM = 4 * 2 ** 30

/** With MALIPO_TEST_SERVER, the address of a superuser, on that server instead of an own one. */
export async function startTestDatabase() {
  const server = process.env.MALIPO_TEST_SERVER
  const { url, stop } = server === undefined ? await startServer() : await useServer(server)
  const { openDatabase } = await built('store/engine/database')
  const { migrate } = await built('store/engine/migrate')
  const database = openDatabase({ connectionString: url }, 2)
  await migrate(database, join(root, 'migrations'))
  await database.close()
  await makeDemoTemplate(url)
  process.env.MALIPO_TEST_DATABASE = url
  return { stop }
}

async function startServer() {
  const { startEmbedded } = await built('store/embedded/server')
  const dataDir = mkdtempSync(join(folderForData(), PREFIX))
  process.env.MALIPO_TEST_KEYS = join(dataDir, 'keys')
  mkdirSync(process.env.MALIPO_TEST_KEYS)
  // These tests are about what the program does; durability has tests with servers of their own.
  // Every service has a database of its own: looking through hundreds of them would never end.
  const settings = {
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: '400',
    autovacuum: 'off',
    max_wal_size: '512MB',
    wal_compression: 'off',
  }
  const embedded = await startEmbedded({ dataDir, settings, log: () => {} })
  return {
    url: embedded.url,
    stop: async () => {
      await embedded.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * In memory, where there is room: to copy a template is to create 650 files, which takes a
 * busy disk ten times as long.
 */
function folderForData() {
  try {
    removeLeftovers()
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (Math.min(bavail * bsize, freemem()) > ROOM) return IN_MEMORY
  } catch {
    // Only Linux has it.
  }
  return tmpdir()
}

/** Another run may have made its folder just now, and has no server yet. */
const STARTS_WITHIN_MS = 10 * 60_000

/** What a run that was killed has left in memory, unless its server still runs. */
function removeLeftovers() {
  for (const name of readdirSync(IN_MEMORY).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(IN_MEMORY, name)
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    const isNew = Date.now() - made < STARTS_WITHIN_MS
    if (isNew || isServed(join(folder, 'postgres'))) continue
    rmSync(folder, { recursive: true, force: true })
  }
}

function isServed(dataDir) {
  try {
    const [pid] = readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The databases of an earlier run are replaced. */
async function useServer(server) {
  const { openDatabase } = await built('store/engine/database')
  const postgres = openDatabase({ connectionString: server }, 1)
  for (const name of ['malipo_demo', 'malipo']) {
    await postgres.query(`drop database if exists ${name}`)
  }
  await postgres.query(`create database malipo template template0 encoding 'UTF8' locale 'C'`)
  await postgres.close()
  const url = new URL(server)
  url.pathname = '/malipo'
  return { url: url.href, stop: async () => {} }
}

/** A service that starts on a copy of it finds its merchant, which takes most of a start to make. */
async function makeDemoTemplate(serverUrl) {
  const { openDatabase } = await built('store/engine/database')
  const { initialiseState } = await built('store/cluster/service-state')
  const { seedDemo } = await built('usecases/sandbox/seed-demo')
  const { readCatalog } = await built('providers/catalog')
  const { readConfig } = await built('node/config')
  const { paymentKeyFrom } = await built('domain/ids')
  const { CATALOG_FILE } = await built('package-root')
  const url = new URL(serverUrl)
  const connect = (name) => {
    url.pathname = `/${name}`
    return openDatabase({ connectionString: url.href }, 1)
  }
  const postgres = connect('postgres')
  await postgres.query('create database malipo_demo template malipo strategy file_copy')
  await postgres.close()
  const database = connect('malipo_demo')
  const { environment, secretKey } = readConfig({})
  await initialiseState(database, environment)
  await seedDemo(database, {
    catalog: readCatalog(CATALOG_FILE),
    environment,
    secret: secretKey,
    now: Date.now(),
    newKey: () => paymentKeyFrom(Date.now(), randomBytes(10)),
  })
  await database.close()
}

const built = (name) => import(new URL(`../dist/src/${name}.js`, import.meta.url).href)
