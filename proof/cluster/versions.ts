/** Two folders with the program in them, and whether one has taken the other's place. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return String(version)
}

export function haveSameMigrations(one: string, other: string): boolean {
  const [its, others] = [migrationsIn(one), migrationsIn(other)]
  return its.length === others.length && its.every((name, at) => name === others[at])
}

const migrationsIn = (folder: string): readonly string[] =>
  readdirSync(join(folder, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()

/** Says which two versions meet; the same version string tells nobody which of them is at work. */
export function meetingOf(older: string, newer: string): string {
  const [was, is] = [versionIn(older), versionIn(newer)]
  const migrations = haveSameMigrations(older, newer)
    ? 'the same migrations'
    : 'other migrations: a node killed on the way comes back as the newer one'
  const versions =
    was === is ? `both folders hold version ${is}` : `${was} is replaced by version ${is}`
  return `${versions}, with ${migrations}`
}

/** Processes that were at work before and are so afterwards: nothing took their place. */
export function neverReplaced(
  before: readonly number[],
  after: readonly number[],
): readonly string[] {
  return before
    .filter((pid) => after.includes(pid))
    .map((pid) => `process ${pid} was at work before and after: it was not replaced`)
}
