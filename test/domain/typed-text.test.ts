import assert from 'node:assert/strict'
import { it } from 'node:test'
import { numberSpellings } from '../../src/domain/hosted/typed-text.ts'

it('a number is tried with and without what people put in front of it', () => {
  assert.deepEqual(numberSpellings('+260 763-456 789', '260')[0], '260763456789')
  assert.ok(numberSpellings('0763456789', '260').includes('260763456789'))
  assert.ok(numberSpellings('00260763456789', '260').includes('260763456789'))
  assert.ok(numberSpellings('+260 (0) 763456789', '260').includes('260763456789'))
  // Here the zero belongs to the number, and stays the first guess.
  assert.equal(numberSpellings('0123456789', '225')[0], '2250123456789')
  assert.deepEqual(numberSpellings('none', '260'), [])
})
