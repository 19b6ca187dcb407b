import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createSaturation } from '../../src/store/engine/saturation.ts'

describe('writing is saturated', () => {
  let [now, idle] = [0, 0]
  let saturation = createSaturation()
  const pass = (ms: number, idleMs = 0): void => {
    now += ms
    idle += idleMs
  }
  /** For half a second; every write takes six tenths of the time between two. */
  const write = (items: number, everyMs: number): void => {
    for (const end = now + 500; now < end; ) {
      saturation.began(items)
      pass(everyMs * 0.6)
      saturation.ended()
      pass(everyMs * 0.4)
    }
  }
  beforeEach(() => {
    now = 5_000_000
    idle = 1_000_000
    saturation = createSaturation({ nowMs: () => now, idleMs: () => idle })
  })

  it('while many items come in large groups, as long as more keep coming', () => {
    write(20, 4)
    assert.ok(saturation.isReached())
  })

  it('not before anything was written', () => {
    assert.ok(!saturation.isReached())
  })

  it('not where groups are small: the database keeps up, at whatever rate', () => {
    write(12, 2)
    assert.ok(!saturation.isReached())
  })

  it('and still while somewhat smaller groups follow', () => {
    write(20, 4)
    write(12, 2)
    assert.ok(saturation.isReached())
  })

  it('not where few items come, however many share a write', () => {
    write(40, 50)
    assert.ok(!saturation.isReached())
  })

  it('while the thread is busy with the answers, however long they take', () => {
    write(20, 4)
    pass(40, 4)
    assert.ok(saturation.isReached())
  })

  it('not once the thread has waited for more', () => {
    write(20, 4)
    pass(40, 6)
    assert.ok(!saturation.isReached())
  })

  it('while a write is under way, and the thread waits for it', () => {
    write(20, 4)
    saturation.began(20)
    pass(50, 50)
    assert.ok(saturation.isReached())
    saturation.ended()
    assert.ok(saturation.isReached())
  })

  it('not while one write takes long, however large it is', () => {
    saturation.began(256)
    pass(200, 200)
    assert.ok(!saturation.isReached())
    write(20, 4)
    saturation.began(256)
    pass(1200, 1200)
    assert.ok(!saturation.isReached())
  })

  it('no longer when it goes on with small groups', () => {
    write(20, 4)
    write(4, 2)
    assert.ok(!saturation.isReached())
  })
})
