import type { Call } from './call.ts'
import { curlOf } from './curl.ts'
import { nodeOf } from './node.ts'
import { phpOf } from './php.ts'
import { pythonOf } from './python.ts'

/** The languages of the example requests, in the order in which they are offered. */
export const LANGUAGES: readonly {
  readonly id: string
  readonly name: string
  readonly write: (call: Call) => string
}[] = [
  { id: 'curl', name: 'curl', write: curlOf },
  { id: 'node', name: 'Node', write: nodeOf },
  { id: 'python', name: 'Python', write: pythonOf },
  { id: 'php', name: 'PHP', write: phpOf },
]
