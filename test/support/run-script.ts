import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end, in the checkout, where `malipo/…` is this package. */
export async function runProgram(
  command: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

/** The same for a script of Node. */
export const runScript = (
  script: string,
  settings: Readonly<Record<string, string>>,
  type: 'module' | 'commonjs' = 'module',
): Promise<Ended> => {
  // CommonJS is the default, and with the option nothing could be imported.
  const options = type === 'module' ? ['--input-type=module'] : []
  return runProgram(process.execPath, [...options, '-e', script], settings)
}
