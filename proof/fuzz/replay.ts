import type { Stage } from '../hostile/stage.ts'
import { type FuzzRequest, wholeOf } from './requests.ts'

/** A shell command if it can be written as one; otherwise the bytes. */
export function replayOf(request: FuzzRequest): string {
  const whole = wholeOf(request)
  if (whole.length > 4000 || !isPlain(whole)) return bytesOf(request)
  const lines = request.head.trimEnd().split('\r\n').slice(2)
  const headers = lines
    .filter((line) => !/^content-length/i.test(line))
    .map((line) => ` -H ${quoted(line)}`)
  const host = /Host: (\S+)/.exec(request.head)?.[1]
  const data = request.body.length > 0 ? ` --data-binary ${quoted(request.body.toString())}` : ''
  const address = request.address.startsWith('/')
    ? `http://${host}${request.address}`
    : request.address
  return `curl -gi --path-as-is -X ${request.method} ${quoted(address)}${headers.join('')}${data}`
}

/** The head stays readable where it can. */
function bytesOf(request: FuzzRequest): string {
  const head = Buffer.from(request.head, 'latin1')
  if (!isPlain(head)) return `bytes in hex: ${wholeOf(request).toString('hex')}`
  return `${request.head.trimEnd()}\n\nbody in hex: ${request.body.toString('hex')}`
}

const isPlain = (bytes: Buffer): boolean => !/[^\x20-\x7e\r\n]/.test(bytes.toString('latin1'))

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The service of a run ends with it, so nobody can use its address and tokens afterwards. */
export function withPlaceholders(
  text: string,
  { world, lone }: Pick<Stage, 'world' | 'lone'>,
): string {
  const places: readonly (readonly [known: string, place: string])[] = [
    [world.host, 'HOST'],
    [world.token, 'TOKEN'],
    [world.controlToken, 'CONTROL_TOKEN'],
    [world.session, 'CONTROL_COOKIE'],
    [world.signedToken, 'SIGNED_TOKEN'],
    [world.powerlessToken, 'POWERLESS_TOKEN'],
    [lone.token, 'LONE_TOKEN'],
    [lone.session, 'LONE_COOKIE'],
  ]
  return places.reduce((now, [known, place]) => now.replaceAll(known, place), text)
}
