import { readFileSync } from 'node:fs'
import { COMMON_PASSWORDS_FILE } from '../package-root.ts'

let read: readonly string[] | undefined

/** The words that most passwords are made of; read when the first one is chosen. */
export function commonPasswords(): readonly string[] {
  read ??= readFileSync(COMMON_PASSWORDS_FILE, 'utf8').split('\n').filter(Boolean)
  return read
}
