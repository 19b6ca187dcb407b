// npm run client-types: writes the types of malipo/client. npm run postman: writes the collection.
// Both are made from the OpenAPI document of a service that is started for it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildIfNeeded } from './build.mjs'
import { startTestDatabase } from './test-database.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const MAKERS = {
  'client-types': async (document) => {
    const { CLIENT_TYPES, clientTypeFiles } = await import(
      '../dist/harness/generate/client-types.js'
    )
    rmSync(join(root, CLIENT_TYPES), { recursive: true, force: true })
    return [...clientTypeFiles(document)].map(([name, text]) => [join(CLIENT_TYPES, name), text])
  },
  postman: async (document) => {
    const { COLLECTION, collectionText } = await import('../dist/harness/generate/postman.js')
    return [[COLLECTION, collectionText(document)]]
  },
}

buildIfNeeded()
const database = await startTestDatabase()
const { startService } = await import('../dist/harness/service.js')
const service = await startService()
try {
  const { body: document } = await service.get('/openapi.json')
  for (const [name, text] of await MAKERS[process.argv[2]](document)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
    console.log(name)
  }
} finally {
  await service.stop()
  await database.stop()
}
