/**
 * How the server is asked to stop. Windows has no signals: there, pg_ctl knocks at a pipe of the
 * server. It does the same as a signal elsewhere, so whatever listens on a port is asked by it.
 */
import { spawnAs } from './account.ts'
import type { Place } from './folder.ts'
import { sendSignal } from './lock.ts'

export function senderOf({ endpoint, account, binaries }: Place): typeof sendSignal {
  if (endpoint.kind === 'socket') return sendSignal
  return (pid, signal) => {
    const asked = spawnAs(account, binaries.pgCtl, ['kill', signal.replace('SIG', ''), `${pid}`])
    // A server that has ended in the meantime needs no signal any more.
    asked.on('error', () => undefined)
    asked.unref()
  }
}
