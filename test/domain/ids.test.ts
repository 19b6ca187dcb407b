import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parsePaymentId, paymentKeyFrom } from '../../src/domain/ids.ts'

const ID = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'

/** What names a payment in a path: any UUID of 36 characters, in any letter case. */
const TEXTS: readonly (readonly [text: string, id: string | undefined])[] = [
  [ID, ID],
  [ID.toUpperCase(), ID],
  ['F4401bd2-1568-4140-BF2D-eb77d2b2b639', ID],
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ['018f4e2a-7b6c-7d3e-9f10-aabbccddeeff', '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff'],
  ['', undefined],
  [ID.slice(1), undefined],
  [`${ID}0`, undefined],
  [`${ID}\n`, undefined],
  [` ${ID}`, undefined],
  [ID.replaceAll('-', ''), undefined],
  [`{${ID}}`, undefined],
  [`urn:uuid:${ID}`, undefined],
  [ID.replace('f', 'g'), undefined],
  [ID.replaceAll('-', '_'), undefined],
]

describe('an identifier in a path', () => {
  for (const [text, id] of TEXTS) {
    it(`${JSON.stringify(text)} ${id === undefined ? 'is none' : 'is looked up'}`, () => {
      assert.equal(parsePaymentId(text), id)
    })
  }

  it('is the same for every UUID, whatever its case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.mixedCase(fc.constant(ID)), (uuid, mixed) => {
        assert.equal(parsePaymentId(uuid.toUpperCase()), uuid)
        assert.equal(parsePaymentId(mixed), ID)
      }),
    )
  })
})

describe('a payment key', () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 })
  const times = fc.integer({ min: 0, max: 2 ** 48 - 1 })

  it('is a UUID of version 7 that begins with its time', () => {
    fc.assert(
      fc.property(times, bytes, (nowMs, random) => {
        const key = paymentKeyFrom(nowMs, random)
        assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        assert.equal(Number.parseInt(key.slice(0, 13).replace('-', ''), 16), nowMs)
      }),
    )
  })

  it('sorts as text in the order of time', () => {
    fc.assert(
      fc.property(times, times, bytes, bytes, (one, other, first, second) => {
        fc.pre(one < other)
        assert.ok(paymentKeyFrom(one, first) < paymentKeyFrom(other, second))
      }),
    )
  })

  it('keeps 74 of the 80 random bits', () => {
    fc.assert(
      fc.property(bytes, bytes, (first, second) => {
        const kept = (random: Uint8Array): string =>
          random.map((byte, at) => (at === 0 ? byte & 0x0f : at === 2 ? byte & 0x3f : byte)).join()
        const same = paymentKeyFrom(1, first) === paymentKeyFrom(1, second)
        assert.equal(same, kept(first) === kept(second))
      }),
    )
  })
})
