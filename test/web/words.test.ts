import assert from 'node:assert/strict'
import { it } from 'node:test'
import { CATALOGUES, fill } from '../../src/web/words.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}|`[^`]+`/g)].map(String).sort()

it('both catalogues have the same keys', () => {
  assert.deepEqual(Object.keys(CATALOGUES.fr), Object.keys(CATALOGUES.en))
})

it('both catalogues have the same placeholders and the same code in each sentence', () => {
  const keys = Object.keys(CATALOGUES.en) as (keyof typeof CATALOGUES.en)[]
  for (const key of keys) {
    assert.deepEqual(placeholders(CATALOGUES.fr[key]), placeholders(CATALOGUES.en[key]), key)
  }
})

it('no sentence is empty', () => {
  for (const text of [...Object.values(CATALOGUES.en), ...Object.values(CATALOGUES.fr)]) {
    assert.notEqual(text.trim(), '')
  }
})

it('French punctuation never begins a line', () => {
  for (const text of Object.values(CATALOGUES.fr)) assert.doesNotMatch(text, / [:;!?]/)
})

it('fill puts values in and leaves unknown placeholders alone', () => {
  assert.equal(fill('{count} of {total}', { count: 2 }), '2 of {total}')
})

it('fill shortens French words before a vowel', () => {
  assert.equal(
    fill('En attente de {provider}', { provider: 'Orange Money' }),
    'En attente d’Orange Money',
  )
  assert.equal(fill('En attente de {provider}', { provider: 'Wave' }), 'En attente de Wave')
  assert.equal(fill('ce que {name} demande', { name: 'Épicerie' }), 'ce qu’Épicerie demande')
  assert.equal(fill('messages de {provider}', { provider: 'Yas' }), 'messages de Yas')
  assert.equal(fill('de {unknown}', {}), 'de {unknown}')
})
