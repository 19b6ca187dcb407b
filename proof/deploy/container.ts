/** An image, run as a cluster runs it: read-only root, no capabilities, an ordinary user. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './tools.ts'

type ContainerWay = {
  /** Such as "docker", or "podman --runtime runc". */
  readonly engine: readonly string[]
  /** More options of its run. */
  readonly options: readonly string[]
  readonly image: string
}

const TOKEN = 'a-token-for-this-one-run'

export async function proveContainer({ engine, options, image }: ContainerWay): Promise<string> {
  const name = `malipo-proof-${randomUUID().slice(0, 8)}`
  const hardening = ['--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all']
  const settings = ['--env', `MALIPO_SANDBOX_TOKEN=${TOKEN}`, '--network', 'none']
  await run([...engine, 'create', '--name', name, ...hardening, ...settings, ...options, image])
  const within = (...words: readonly string[]) => run([...engine, 'exec', name, ...words])
  try {
    await run([...engine, 'start', name])
    await untilReady(within)
    const paid = await within('node', '--input-type=module', '-e', PAY)
    if (!paid.includes('COMPLETED')) throw new Error(`no payment was completed: ${paid}`)
    const user = (await within('id', '-u')).trim()
    if (user === '0') throw new Error('it runs as root')
    const isWritten = await within('touch', '/app/here').then(
      () => true,
      () => false,
    )
    if (isWritten) throw new Error('its root file system was written to')
    const books = await within('node', 'bin/malipo.mjs', 'verify')
    if (!books.includes('The books are in order')) throw new Error(books)
    await run([...engine, 'stop', '--time', '20', name])
    const code = await run([...engine, 'inspect', '--format', '{{.State.ExitCode}}', name])
    if (code.trim() !== '0') throw new Error(`it ended with ${code}`)
    return `user ${user}, a payment, books in order, ended with 0`
  } finally {
    await run([...engine, 'rm', '--force', '--volumes', name]).catch(() => undefined)
  }
}

const PAY = `
const call = async (path, body) => (await fetch('http://127.0.0.1:8080' + path, {
  method: body ? 'POST' : 'GET',
  headers: { authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json' },
  body: body && JSON.stringify(body),
})).json()
const depositId = crypto.randomUUID()
const accountDetails = { phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB' }
await call('/v2/deposits', { depositId, amount: '15', currency: 'ZMW', payer: { type: 'MMO', accountDetails } })
for (let tries = 0; tries < 120; tries += 1) {
  const { data } = await call('/v2/deposits/' + depositId)
  if (data?.status === 'COMPLETED') { console.log(data.status); break }
  await new Promise((resolve) => setTimeout(resolve, 250))
}`

async function untilReady(within: (...words: readonly string[]) => Promise<string>): Promise<void> {
  const ask = "process.exit((await fetch('http://127.0.0.1:8080/readyz')).ok ? 0 : 1)"
  for (let tries = 0; ; tries += 1) {
    const isReady = await within('node', '--input-type=module', '-e', ask).then(
      () => true,
      () => false,
    )
    if (isReady) return
    if (tries === 120) throw new Error('it did not become ready')
    await sleep(500)
  }
}
