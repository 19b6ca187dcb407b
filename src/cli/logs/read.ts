import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { COMMAND_TIMING } from '../../domain/client-timing.ts'

type Reading = { readonly lines: number; readonly follows: boolean }
type Write = (line: string) => void

/** Lines are rarely longer on average; of fewer, the end of the file holds enough. */
const BYTES_PER_LINE = 4096
const BYTES_MAX = 64 * 1024 * 1024

/** The last lines of a file, and with `follows` those that are added, for ever. */
export async function readFileLog(
  path: string,
  { lines, follows }: Reading,
  write: Write,
): Promise<void> {
  let file = await open(path)
  const { size } = await file.stat()
  const from = Math.max(0, size - Math.min(lines * BYTES_PER_LINE, BYTES_MAX))
  const last = (await textFrom(file, from, size)).split('\n')
  let rest = last.pop() ?? ''
  for (const line of last.slice(from === 0 ? 0 : 1).slice(-lines)) write(line)
  if (!follows && rest !== '') write(rest)
  let at = size
  while (follows) {
    await pause(COMMAND_TIMING.logLooksEveryMs)
    const [open_, now] = [await file.stat(), await stat(path).catch(() => undefined)]
    if (open_.size > at) {
      const parts = (rest + (await textFrom(file, at, open_.size))).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) write(line)
      at = open_.size
    } else if (open_.size < at) at = 0
    else if (now !== undefined && now.ino !== open_.ino) {
      // Rotated: another file has its name.
      await file.close()
      file = await open(path)
      at = 0
    }
  }
  await file.close()
}

async function textFrom(file: FileHandle, from: number, to: number): Promise<string> {
  const buffer = Buffer.alloc(to - from)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from)
  return buffer.toString('utf8', 0, bytesRead)
}

/** By the program that owns the journal; it says itself who may read it. */
export async function readJournal(
  unit: { readonly unit: string; readonly isOfUser: boolean },
  { lines, follows }: Reading,
  write: Write,
): Promise<void> {
  const args = [
    unit.isOfUser ? '--user-unit' : '--unit',
    unit.unit,
    '--output=cat',
    '--no-pager',
    `--lines=${lines}`,
    ...(follows ? ['--follow'] : []),
  ]
  const child = spawn('journalctl', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  createInterface({ input: child.stdout }).on('line', write)
  const [code] = await ended
  if (code !== 0) throw new Error(`journalctl ended with ${code}. Try: journalctl -u ${unit.unit}`)
}
