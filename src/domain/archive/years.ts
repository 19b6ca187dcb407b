import type { Failure } from '../failure.ts'
import { LIFETIMES } from '../timing.ts'

/** A year of UTC is archived as a whole. */
export const yearStart = (year: number): number => Date.UTC(year, 0, 1)
export const yearEnd = (year: number): number => Date.UTC(year + 1, 0, 1)
export const yearOf = (ms: number): number => new Date(ms).getUTCFullYear()

/** From then on a year can be archived: refunds, disputes and resends of it have become rare. */
export const archivableAt = (year: number): number => yearEnd(year) + LIFETIMES.beforeArchiveMs

/** Everything of these years is in files alone; `until` is the end of the last one. */
export type Archived = { readonly until: number }

export const isArchived = (archived: Archived | undefined, ms: number): boolean =>
  archived !== undefined && ms < archived.until

/** Why the service cannot list the movements of a period that begins at this moment. */
export function archivedRefusal({ until }: Archived, startAt: number): Failure {
  const year = yearOf(startAt)
  const day = new Date(until).toISOString().slice(0, 10)
  return {
    code: 'INVALID_DATE_RANGE',
    message:
      `The movements of ${year} are archived. Choose a period that begins on '${day}' or later, ` +
      'or ask the people who run this service for the statement.',
  }
}
