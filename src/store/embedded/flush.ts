/**
 * How PostgreSQL flushes a whole folder, which it does when the folder is new and before it
 * repairs what a killed server left: file by file, a thousand waits for the disk and on a slow one
 * a minute, or by one call for the file system. Only Linux has that call, and only since 5.8 does
 * it report what could not be written.
 */
import { release } from 'node:os'

type FlushMethod = 'fsync' | 'syncfs'

export function flushMethodOf(platform: string, kernel: string): FlushMethod {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10))
  const tellsOfErrors = major > 5 || (major === 5 && minor >= 8)
  return platform === 'linux' && tellsOfErrors ? 'syncfs' : 'fsync'
}

export const FLUSH_METHOD = flushMethodOf(process.platform, release())
