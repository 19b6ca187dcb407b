/**
 * The kit for test suites in CommonJS. Jest runs them in a context with a module system of its own,
 * which cannot load ES modules; there the kit is loaded in the main context, by the loader of Node.
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

const address = pathToFileURL(join(__dirname, 'testing.js')).href

/** Node warns of this way, so it is only taken where there is no other. */
const loadInMainContext = () =>
  runInThisContext('(address) => import(address)', {
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })(address)

exports.startMalipo = async (options?: MalipoOptions): Promise<Malipo> => {
  const { startMalipo } = await import(address).catch(loadInMainContext)
  return startMalipo(options)
}
