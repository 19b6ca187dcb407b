import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Ended, ROOT, type Settings } from '../node/program.ts'

/** One process that runs one command after the other, because starting one takes most of a second. */
type CommandLine = {
  /** `input` is what it finds on its standard input. */
  run(args: readonly string[], settings?: Settings, input?: string): Promise<Ended>
  close(): void
}

export type Order = {
  readonly args: readonly string[]
  readonly settings: Settings
  readonly input: string
}

/** Those that an earlier file of tests in this process has done with. */
const free: ChildProcess[] = []

export function openCommandLine(common: Settings = {}): CommandLine {
  const child = free.pop() ?? startChild()
  let last: Promise<unknown> = Promise.resolve()
  let isBusy = false

  const ask = async (order: Order): Promise<Ended> => {
    isBusy = true
    child.ref()
    child.channel?.ref()
    try {
      return await new Promise<Ended>((resolve, reject) => {
        const lost = (code: number | null): void => reject(new Error(`it ended with ${code}`))
        child.once('exit', lost)
        child.once('message', (ended) => {
          child.off('exit', lost)
          resolve(ended as Ended)
        })
        child.send(order)
      })
    } finally {
      isBusy = false
      letEnd(child)
    }
  }

  return {
    run: (args, settings = {}, input = '') => {
      const next = last.then(() => ask({ args, settings: { ...common, ...settings }, input }))
      last = next.catch(() => {})
      return next
    },
    close: () => {
      if (isBusy || !child.connected) child.kill('SIGKILL')
      else free.push(child)
    },
  }
}

function startChild(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./command-loop.js', import.meta.url)), [], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    execArgv: [],
  })
  // A start that was refused in it would answer any other signal.
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => {
    process.off('exit', end)
    if (free.includes(child)) free.splice(free.indexOf(child), 1)
  })
  letEnd(child)
  return child
}

/** While it runs no command, it keeps nobody waiting. */
function letEnd(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}
