import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reportable } from '../../src/store/embedded/process.ts'

describe('the log of the embedded server', () => {
  const lines: readonly (readonly [line: string, report: string | undefined])[] = [
    ['00000|postmaster|LOG:  database system is ready to accept connections', undefined],
    ['57P03|client backend|FATAL:  the database system is starting up', undefined],
    ['57P01|client backend|FATAL:  terminating connection due to administrator command', undefined],
    ['23505|client backend|ERROR:  duplicate key value violates unique constraint "x"', undefined],
    ['40001|client backend|ERROR:  could not serialize access', undefined],
    ['08006|client backend|LOG:  could not receive data from client: reset by peer', undefined],
    ['\tcontinued', undefined],
    ['', undefined],
    [
      '53100|checkpointer|PANIC:  could not write to file: No space left on device',
      'PANIC: could not write to file: No space left on device (checkpointer, 53100)',
    ],
    [
      'XX001|autovacuum worker|ERROR:  invalid page in block 3',
      'ERROR: invalid page in block 3 (autovacuum worker, XX001)',
    ],
    [
      '00000|postmaster|LOG:  client backend (PID 7) was terminated by signal 9: Killed',
      'LOG: client backend (PID 7) was terminated by signal 9: Killed (postmaster, 00000)',
    ],
    ['2026-01-01 00:00:00.000 UTC [7] FATAL:  bad setting', 'FATAL: bad setting'],
    ['postgres: error while loading libraries', 'postgres: error while loading libraries'],
  ]
  for (const [line, report] of lines) {
    it(`${report === undefined ? 'drops' : 'shows'} ${JSON.stringify(line)}`, () => {
      assert.equal(reportable(line), report)
    })
  }
})
