import { execFile } from 'node:child_process'
import { access, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { preparePlace } from '../src/store/embedded/folder.ts'

const run = promisify(execFile)

/**
 * Fills an empty data folder with a copy of an initialised one: initdb takes a second of a whole
 * core, and a run needs a dozen. Outside of a test run, and on a server elsewhere, the folder stays
 * empty.
 */
export async function copyInitialised(dataDir: string): Promise<void> {
  const url = process.env.MALIPO_TEST_DATABASE
  if (url === undefined || process.env.MALIPO_TEST_SERVER !== undefined) return
  template ??= templateBeside(url)
  await run('cp', ['-a', join(await template, 'postgres'), dataDir])
}

/** Where throw-away sandboxes of this run keep their prepared database, as XDG_CACHE_HOME. */
export async function sandboxCache(): Promise<string> {
  const url = process.env.MALIPO_TEST_DATABASE
  if (url === undefined) throw new Error('this belongs to a run of the tests')
  return join(dirname(await dataDirectoryOf(url)), 'cache')
}

/** One for all tests of a process, also those that ask at the same time. */
let template: Promise<string> | undefined

/** Created by the first process that asks, in the folder of the run, and removed with it. */
async function templateBeside(url: string): Promise<string> {
  const folder = dirname(await dataDirectoryOf(url))
  const place = join(folder, 'initialised')
  const isMade = await access(place).then(
    () => true,
    () => false,
  )
  if (isMade) return place
  const draft = await mkdtemp(join(folder, 'draft-'))
  await preparePlace(draft)
  await rename(draft, place).catch(async () => {
    // Another file of tests was faster.
    await access(place)
    await rm(draft, { recursive: true })
  })
  return place
}

async function dataDirectoryOf(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  return rows[0]?.data_directory ?? ''
}
