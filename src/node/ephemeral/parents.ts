/**
 * The program that started a throw-away sandbox may be killed, and then cannot end it. Its standard
 * input says nothing either, since many leave it closed. But a process whose parent has died gets
 * another one.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { isAlive } from '../../store/embedded/lock.ts'

/** Resolves when the parent is gone, or the one who started it through npm or a shell. */
export async function parentGone(): Promise<void> {
  const parent = process.ppid
  const callers = await callersThrough(parent)
  for (;;) {
    if (process.ppid !== parent) return
    for (const { through, caller } of callers) {
      const isSame = IS_LINUX ? (await seen(through))?.parent === caller : isAlive(caller)
      if (!isSame) return
    }
    await sleep(UPKEEP.throwAwayLooksEveryMs, undefined, { ref: false })
  }
}

const IS_LINUX = process.platform === 'linux'

type Caller = { readonly through: number; readonly caller: number }

/** `npx malipo …` is a process between, which lives on when the one that called it is killed. */
async function callersThrough(parent: number): Promise<readonly Caller[]> {
  const callers: Caller[] = []
  let through = parent
  for (;;) {
    const process = await seen(through)
    if (process === undefined || process.parent <= 1 || !BETWEEN.test(process.command)) break
    callers.push({ through, caller: process.parent })
    through = process.parent
  }
  return callers
}

/** npm sets its own title; a shell that runs one command waits for it. */
const BETWEEN = /^(?:npm exec|npx|(?:\S*\/)?(?:ba|da|z)?sh -c)\b/

type Seen = { readonly parent: number; readonly command: string }

/** Undefined where the system does not say. */
async function seen(pid: number): Promise<Seen | undefined> {
  if (!IS_LINUX) return seenByPs(pid)
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return { parent, command: command.replaceAll('\0', ' ') }
  } catch {
    return undefined
  }
}

async function seenByPs(pid: number): Promise<Seen | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', `${pid}`])
    const [, parent = '', command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
    return parent === '' ? undefined : { parent: Number(parent), command }
  } catch {
    return undefined
  }
}
