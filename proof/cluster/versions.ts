/** Two folders with a version each, and whether one has replaced the other. */
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

/** Says which two versions run; if their version strings are equal, nodes cannot be distinguished. */
export function meetingOf(older: string, newer: string): string {
  const [was, is] = [versionIn(older), versionIn(newer)]
  const migrations = haveSameMigrations(older, newer)
    ? 'the same migrations'
    : 'different migrations: a node killed meanwhile comes back as the newer one'
  const versions =
    was === is ? `both folders hold version ${is}` : `${was} is replaced by version ${is}`
  return `${versions}, with ${migrations}`
}

/** Processes that ran before and still run afterwards: they were not replaced. */
export function neverReplaced(
  before: readonly number[],
  after: readonly number[],
): readonly string[] {
  return before
    .filter((pid) => after.includes(pid))
    .map((pid) => `process ${pid} ran before and after: it was not replaced`)
}
