/**
 * The kit for test suites in CommonJS. Jest runs them in a module system of its own that cannot
 * load ES modules, so the one of Node is asked directly.
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

const { createRequire } = process.getBuiltinModule('node:module')

exports.startMalipo = createRequire(__filename)('./testing.js').startMalipo
