// Runs files of tests one after the other in this process, each as a suite of its own name. Its
// parent names a file whenever this one is ready for it, and nothing when there are no more.
import { once } from 'node:events'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)

const hasDatabase = process.env.MALIPO_TEST_DATABASE !== undefined
for (let name = await nextFile(); name !== undefined; name = await nextFile()) {
  await runFile(name)
  if (hasDatabase) await dropDatabases()
}
if (hasDatabase) await endSharedServices()

async function nextFile() {
  process.send({ isReady: true })
  const [{ name }] = await once(process, 'message')
  return name
}

/** The next file is loaded when this one is over: until then its services would stand idle. */
function runFile(name) {
  const before = process.cpuUsage()
  return new Promise((resolve) => {
    describe(name, async () => {
      after(() => {
        const { user, system } = process.cpuUsage(before)
        process.send({ used: name, processorSeconds: (user + system) / 1e6 })
        resolve()
      })
      try {
        await import(new URL(`dist/${name.replace(/\.ts$/, '.js')}`, root).href)
      } catch (error) {
        resolve()
        throw error
      }
    })
  })
}

async function dropDatabases() {
  const { dropUnused } = await built('service')
  await dropUnused()
}

async function endSharedServices() {
  const { sharedServices } = await built('share')
  if (sharedServices.size === 0) return
  describe('services that files of tests share', () => {
    for (const [kind, service] of sharedServices) {
      it(`end with books in order: ${kind}`, async () => (await service).stop())
    }
  })
}

function built(name) {
  return import(fileURLToPath(new URL(`dist/harness/${name}.js`, root)))
}
