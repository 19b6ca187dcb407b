/**
 * The kit for test suites in CommonJS. Jest runs them in a context with a module system of its own,
 * which cannot load ES modules; so the kit is loaded in the main context, by the loader of Node.
 */
import type { Malipo, MalipoOptions } from './testing.ts' with { 'resolution-mode': 'import' }

export type {
  CallbackBody,
  CallbackFilter,
  Callbacks,
  Malipo,
  MalipoOptions,
  Phone,
  PhoneMessage,
} from './testing.ts' with { 'resolution-mode': 'import' }

export declare const startMalipo: (options?: MalipoOptions) => Promise<Malipo>

const { join } = process.getBuiltinModule('node:path')
const { pathToFileURL } = process.getBuiltinModule('node:url')
const { constants, runInThisContext } = process.getBuiltinModule('node:vm')

const load = runInThisContext('(address) => import(address)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
})

exports.startMalipo = async (options?: MalipoOptions): Promise<Malipo> => {
  const { startMalipo } = await load(pathToFileURL(join(__dirname, 'testing.js')).href)
  return startMalipo(options)
}
