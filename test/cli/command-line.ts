import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Ended, ROOT, type Settings } from '../node/program.ts'

/** One process that runs one command after the other, because starting one takes most of a second. */
export type CommandLine = {
  run(args: readonly string[], settings?: Settings): Promise<Ended>
  close(): void
}

export type Order = { readonly args: readonly string[]; readonly settings: Settings }

export function openCommandLine(common: Settings = {}): CommandLine {
  const child = fork(fileURLToPath(new URL('./command-loop.js', import.meta.url)), [], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    execArgv: [],
    // The life of all commands together; this only ends what hangs.
    timeout: 600_000,
  })
  const end = (): void => void child.kill()
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let last: Promise<unknown> = Promise.resolve()

  const ask = (order: Order): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const lost = (code: number | null): void => reject(new Error(`it ended with ${code}`))
      child.once('exit', lost)
      child.once('message', (ended) => {
        child.off('exit', lost)
        resolve(ended as Ended)
      })
      child.send(order)
    })

  return {
    run: (args, settings = {}) => {
      const next = last.then(() => ask({ args, settings: { ...common, ...settings } }))
      last = next.catch(() => {})
      return next
    },
    close: () => {
      // A start that was refused in it would answer any other signal.
      child.kill('SIGKILL')
    },
  }
}
