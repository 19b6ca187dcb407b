import type { Database } from '../store/engine/database.ts'
import type { Log } from '../usecases/context.ts'

/** Waits for an answer of the database, and meanwhile looks for another server if there is none. */
export type Answered = <T>(question: Promise<T>) => Promise<T>

/** A server that is silent for as long as a node that counts as dead is dead as well. */
export const failOverWhenSilent =
  (db: Database, log: Log, deadAfterMs: number): Answered =>
  async (question) => {
    const late = setTimeout(() => {
      if (db.turnAway()) log.warn({}, 'the database does not answer; the next server is looked for')
    }, deadAfterMs)
    return question.finally(() => clearTimeout(late))
  }
