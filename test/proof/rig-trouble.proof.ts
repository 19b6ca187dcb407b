import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { cloneDatabase, eventually } from '../../harness/service.ts'
import { unlikeMeant } from '../../proof/cluster/failover.ts'
import { haveSameMigrations, meetingOf, neverReplaced } from '../../proof/cluster/versions.ts'
import { type Asked, calmAfter } from '../../proof/hostile/other-merchant.ts'
import { placeFor } from '../../proof/support/places.ts'
import { createRecovery } from '../../proof/support/recovery.ts'
import {
  DIFFERENT_PARTS,
  DIFFERENT_WHOLES,
  ownTerms,
  type Terms,
} from '../../proof/support/terms.ts'

describe('a death of the primary', () => {
  const sound = { before: 12, standing: 'sync', synchronous: true }
  for (const [what, death, findings] of [
    ['is sound after payments, beside a synchronous standby', sound, 0],
    ['proves nothing before the first payment', { ...sound, before: 0 }, 1],
    ['proves nothing beside a standby that lags', { ...sound, standing: 'async' }, 1],
    ['proves nothing beside a standby that is gone', { ...sound, standing: 'gone' }, 1],
    [
      'may be without one where losses are meant',
      { ...sound, standing: 'gone', synchronous: false },
      0,
    ],
  ] as const) {
    it(what, () => assert.equal(unlikeMeant(death).length, findings))
  }
})

describe('an upgrade', () => {
  const folders = mkdtempSync(join(tmpdir(), 'malipo-versions-'))
  after(() => rmSync(folders, { recursive: true, force: true }))
  const folder = (name: string, version: string, migrations: readonly string[]): string => {
    mkdirSync(join(folders, name, 'migrations'), { recursive: true })
    writeFileSync(join(folders, name, 'package.json'), JSON.stringify({ version }))
    for (const file of migrations) writeFileSync(join(folders, name, 'migrations', file), '')
    return join(folders, name)
  }
  const older = folder('older', '1.0.0', ['0001_a.sql'])
  const twin = folder('twin', '1.0.0', ['0001_a.sql'])
  const newer = folder('newer', '1.1.0', ['0001_a.sql', '0002_b.sql'])

  it('that leaves a process in its place is found', () => {
    assert.deepEqual(neverReplaced([1, 2, 3], [4, 5, 6]), [])
    assert.equal(neverReplaced([1, 2, 3], [1, 2, 3]).length, 3)
    assert.equal(neverReplaced([1, 2, 3], [4, 2, 6]).length, 1)
  })

  it('knows whether both versions have the same migrations', () => {
    assert.equal(haveSameMigrations(older, twin), true)
    assert.equal(haveSameMigrations(older, newer), false)
  })

  it('says when both folders hold the same version', () => {
    assert.match(meetingOf(older, twin), /both folders hold version 1\.0\.0, with the same/)
    assert.match(meetingOf(older, newer), /1\.0\.0 is replaced by version 1\.1\.0, with different/)
  })
})

describe('the table of recoveries', () => {
  const DATABASE = 'PostgreSQL, through each node that was up'
  /** Times and how many were left out, of the row that begins so. */
  const rowOf = (text: string, begins: string): readonly (string | undefined)[] => {
    const line = text.split('\n').find((one) => one.startsWith(`| ${begins} `))
    const cells = line?.split('|').map((cell) => cell.trim()) ?? []
    return [cells[2], cells[6]]
  }
  const acceptNow = (recovery: ReturnType<typeof createRecovery>): void =>
    recovery.accepted('node 1', performance.now())

  it('counts a recovery that was seen', () => {
    const recovery = createRecovery()
    recovery.mark('node 1', DATABASE)
    acceptNow(recovery)
    assert.deepEqual(rowOf(recovery.table(), DATABASE), ['1', '0'])
  })

  it('says that one was left out as the node was down', () => {
    const recovery = createRecovery()
    recovery.mark('node 1', 'a node')
    recovery.mark('node 1', DATABASE)
    acceptNow(recovery)
    assert.deepEqual(rowOf(recovery.table(), DATABASE), ['0', '1'])
    assert.deepEqual(rowOf(recovery.table(), 'a node'), ['1', '0'])
  })

  it('says that one was left out as the node was killed before it was over', () => {
    const recovery = createRecovery()
    recovery.mark('node 1', DATABASE)
    recovery.mark('node 1', 'a node')
    acceptNow(recovery)
    assert.deepEqual(rowOf(recovery.table(), DATABASE), ['0', '1'])
  })

  it('says that one was left out as nothing was accepted since', () => {
    const recovery = createRecovery()
    recovery.mark('node 1', 'a node')
    assert.deepEqual(rowOf(recovery.table(), 'a node'), ['0', '1'])
  })
})

describe('the terms of a request', () => {
  const MANY = 200_000
  const draw = (next: () => Terms): readonly Terms[] => Array.from({ length: MANY }, next)
  const terms = ownTerms()
  for (const [what, all, different] of [
    ['a whole', draw(terms.whole), DIFFERENT_WHOLES],
    ['a part', draw(terms.part), DIFFERENT_PARTS],
  ] as const) {
    it(`are those of no other, for ${what}`, () => {
      assert.ok(different > MANY)
      assert.equal(new Set(all.map(({ sum, digits }) => `${sum} ${digits}`)).size, MANY)
    })
  }

  it('are more for a whole than for a part', () => {
    const { sum } = ownTerms().whole()
    const parts = draw(terms.part).map((part) => Number(part.sum))
    assert.ok(parts.every((part) => part < Number(sum)))
  })
})

describe('calm after a flood', () => {
  const limits = { boundMs: 250, nowMs: 9000 }
  /** A request every ten milliseconds, each with the time it takes. */
  const asked = (takesMs: (sentAt: number) => number, isRefused = false): Asked[] =>
    Array.from({ length: 900 }, (_, at) => ({
      sentAt: at * 10,
      endedAt: at * 10 + takesMs(at * 10),
      isRefused,
    }))

  it('is there at once if no request was slow', () => {
    assert.equal(
      calmAfter(
        asked(() => 5),
        2000,
        limits,
      ),
      0,
    )
  })

  it('begins when the last slow request is answered', () => {
    const slow = asked((sentAt) => (sentAt < 4000 ? 600 : 5))
    const calmMs = calmAfter(slow, 2000, limits)
    assert.ok(calmMs >= 2550 && calmMs <= 2650, String(calmMs))
  })

  it('is not there while requests stay without an answer', () => {
    const stuck = asked((sentAt) => (sentAt % 500 === 0 ? Infinity : 5))
    assert.equal(calmAfter(stuck, 2000, limits), Infinity)
  })

  it('is not there while requests are refused', () => {
    assert.equal(
      calmAfter(
        asked(() => 5, true),
        2000,
        limits,
      ),
      Infinity,
    )
  })
})

it('a node that exits without being killed or stopped is found, and is restarted', {
  timeout: 540_000,
}, async (t) => {
  const place = await placeFor('node 1', { DATABASE_URL: await cloneDatabase() })
  t.after(place.kill)
  await place.start()
  await place.kill()
  await place.start()
  await place.stop()
  await place.start()
  assert.deepEqual(place.falls(), [])
  const fallen = place.pid()
  process.kill(fallen, 'SIGKILL')
  await eventually(() => assert.ok(place.pid() > 0 && place.pid() !== fallen))
  assert.equal(place.falls().length, 1)
  assert.match(place.falls()[0] ?? '', /^node 1 exited by itself/)
})
