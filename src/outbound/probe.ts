/**
 * Whether an address can be reached, without asking anything of the server there: a connection, and
 * a certificate where it is encrypted. It is judged by the same guard as every request.
 */
import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import { LIMITS } from '../domain/timing.ts'
import { type AddressPolicy, checkUrl, guardedLookup, peerFault } from './address-guard.ts'
import { failureReason } from './failure-reason.ts'
import type { Resolve } from './resolve.ts'

export type Probed =
  | { readonly ok: true; readonly certificateEndsMs: number | undefined }
  | { readonly ok: false; readonly reason: string }

type ProbeOptions = {
  readonly policy: AddressPolicy
  readonly timeoutMs?: number
  /** Stands in for the system resolver. */
  readonly resolve?: Resolve
  /** The trusted certificates, in PEM, instead of those that come with Node. */
  readonly ca?: string
}

export async function probe(address: string, options: ProbeOptions): Promise<Probed> {
  const { policy, timeoutMs = LIMITS.probeWithinMs } = options
  const checked = checkUrl(address, policy)
  if (!checked.ok) return { ok: false, reason: `address refused: ${checked.reason}` }
  const socket = open(checked.url, options)
  try {
    await opened(socket, timeoutMs)
    const fault = peerFault(socket.remoteAddress, policy)
    if (fault !== undefined) return { ok: false, reason: `address refused: ${fault}` }
    return { ok: true, certificateEndsMs: certificateEnd(socket) }
  } catch (error) {
    return { ok: false, reason: failureReason(error as Error, timeoutMs) }
  } finally {
    socket.destroy()
  }
}

function open(url: URL, { policy, resolve, ca }: ProbeOptions): Socket {
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const lookup = guardedLookup(policy, resolve === undefined ? {} : { resolve })
  const place = { host, port, lookup }
  if (!isSecure) return connectPlain(place)
  // An address by number has no name to ask for.
  const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host }
  return connectSecure({ ...place, ...servername, ...(ca !== undefined && { ca }) })
}

function opened(socket: Socket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })
    // After what has happened meanwhile: this process may have stood still.
    const timer = setTimeout(() => setImmediate(reject, late), timeoutMs)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', done)
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}

function certificateEnd(socket: Socket): number | undefined {
  if (!('encrypted' in socket)) return undefined
  const end = Date.parse((socket as TLSSocket).getPeerCertificate().valid_to)
  return Number.isNaN(end) ? undefined : end
}
