/** Programs that a machine has or has not, and packages of npm that are fetched for one run. */
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The reason is printed; nothing counts as shown. */
export class NotHere extends Error {}

/** What a program printed; an error with that text where it failed. */
export async function run(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      maxBuffer: 50_000_000,
    })
    return stdout + stderr
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>
    throw new Error(`${program} ${args[0] ?? ''}: ${`${stdout}${stderr}`.trim() || message}`)
  }
}

/** The first of them that this machine has. */
export async function oneOf(...names: readonly string[]): Promise<string> {
  for (const name of names) if (await hasProgram(name)) return name
  throw new NotHere(`no ${names.join(' and no ')} here`)
}

export async function hasProgram(name: string): Promise<boolean> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  for (const folder of folders) {
    const isThere = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return true
  }
  return false
}

/** Installs packages of npm into a folder, without their scripts. */
export async function installTools(folder: string, packages: readonly string[]): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save']
  await run(['npm', 'install', '--prefix', folder, ...options, ...packages]).catch((error) => {
    throw new NotHere(`npm could not fetch ${packages.join(', ')}: ${String(error).slice(0, 200)}`)
  })
}
