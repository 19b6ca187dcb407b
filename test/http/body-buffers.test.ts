import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createBodyBuffers, sizeFor } from '../../src/http/body-buffers.ts'

describe('the memory of a large body', () => {
  for (const [length, size] of [
    [16_385, 32_768],
    [32_768, 32_768],
    [32_769, 65_536],
    [900_000, 1_048_576],
    [1_048_576, 1_048_576],
  ] as const) {
    it(`of ${length} bytes is ${size} bytes`, () => {
      assert.equal(sizeFor(length), size)
      assert.equal(createBodyBuffers(0).take(length).length, size)
    })
  }

  it('is used again by the next of its size, and never by two at once', () => {
    const buffers = createBodyBuffers(1_000_000)
    const [first, second] = [buffers.take(20_000), buffers.take(20_000)]
    assert.notEqual(first, second)
    buffers.give(first)
    assert.equal(buffers.take(30_000), first)
    assert.notEqual(buffers.take(30_000), first)
    buffers.give(second)
    assert.notEqual(buffers.take(40_000), second)
  })

  it('is kept up to a limit', () => {
    const buffers = createBodyBuffers(65_536)
    const taken = [20_000, 20_000, 20_000].map((length) => buffers.take(length))
    for (const buffer of taken) buffers.give(buffer)
    const again = [20_000, 20_000, 20_000].map((length) => buffers.take(length))
    assert.equal(again.filter((buffer) => taken.includes(buffer)).length, 2)
  })
})
