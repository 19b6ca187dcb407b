import { nearest } from '../domain/nearest.ts'

const PREFIX = 'MALIPO_'
/** Read by commands and programs that call the API, never by a node. */
const OF_CLIENTS: ReadonlySet<string> = new Set(['MALIPO_TOKEN', 'MALIPO_URL'])

type UnknownSetting = { readonly name: string; readonly meant: string | undefined }

/**
 * The variables of ours that nothing reads, each with the one that was most likely meant: a typing
 * error, also in the case of a letter, must not start a sandbox where production was wanted.
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly UnknownSetting[] {
  const names = Object.keys(env).filter((one) => {
    const value = env[one]?.trim() ?? ''
    if (!one.toUpperCase().startsWith(PREFIX) || value === '') return false
    return !known.includes(one) && !OF_CLIENTS.has(one) && !isServiceLink(one, value)
  })
  return names.map((name) => ({ name, meant: meantBy(name, [...known, ...OF_CLIENTS]) }))
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const typed = name.slice(PREFIX.length).toUpperCase()
  const bare = new Map(known.map((one) => [one.replace(PREFIX, ''), one]))
  const begun = [...bare.keys()].find((one) => typed.startsWith(one) || one.startsWith(typed))
  return bare.get(nearest(typed, bare.keys()) ?? begun ?? '')
}

/** What Kubernetes tells its containers about a service whose name begins with `malipo`. */
const isServiceLink = (name: string, value: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name) ||
  (name.endsWith('_PORT') && /^\w+:\/\//.test(value))
