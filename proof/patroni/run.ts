/** npm run proof -- patroni: enters namespaces of its own, so that nothing is left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { neededBy } from '../proofs.ts'
import { endOnSignals, reportChecked } from '../support/report.ts'
import { whyNot } from '../support/tools.ts'
import { readPatroniOptions } from './options.ts'

readPatroniOptions()
const reason = whyNot(neededBy('patroni'))
if (reason !== '') {
  process.stderr.write(`The proof patroni cannot be run here: ${reason}.\n`)
  process.exit(2)
}
endOnSignals()

/**
 * The network of the proof is not that of the machine. All its processes end with the shell, which
 * collects those whose parents were killed, and which ends with this program.
 */
const NAMESPACES = ['--net', '--pid', '--mount-proc', '--fork', '--kill-child']
const program = fileURLToPath(new URL('storm.js', import.meta.url))
const shell = ['sh', '-c', '"$@"; exit $?', 'sh', process.execPath, program]
const child = spawn('unshare', [...NAMESPACES, ...shell, ...process.argv.slice(2)], {
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
})
process.once('exit', () => child.kill('SIGKILL'))
child.on('message', ({ checked }: { readonly checked?: string }) => {
  if (checked !== undefined) reportChecked(checked)
})
const [code] = await once(child, 'exit')
process.exit(code ?? 1)
