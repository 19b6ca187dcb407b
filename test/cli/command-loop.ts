import { Readable } from 'node:stream'
import type { runCli as RunCli } from '../../src/cli/main.ts'
import type { Order } from './command-line.ts'

/** As it is installed, joined into a few files: they load in a quarter of the time. */
const program = new URL('../../program/main.js', import.meta.url)
const { runCli }: { runCli: typeof RunCli } = await import(program.href)

/** Runs the commands it is sent, each with the settings given and no others. */
const own = { ...process.env }
const output = { stdout: '', stderr: '' }

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = (chunk: string | Uint8Array) => {
    output[name] += chunk
    return true
  }
}

// Whatever hangs in it ends with the tests.
process.once('disconnect', () => process.exit())

process.on('message', async ({ args, settings, input }: Order) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, own, settings)
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  output.stdout = ''
  output.stderr = ''
  await runCli(args)
  process.send?.({ code: process.exitCode ?? 0, ...output })
})
