import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BRANDING_WORDS } from '../../src/web/dashboard/branding/words.ts'
import { reasonText } from '../../src/web/dashboard/callbacks/reasons.ts'
import { CALLBACK_WORDS } from '../../src/web/dashboard/callbacks/words.ts'

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

for (const [name, { en, fr }] of Object.entries({ CALLBACK_WORDS, BRANDING_WORDS })) {
  it(`${name} say the same in both languages, with French spaces`, () => {
    assert.deepEqual(Object.keys(fr), Object.keys(en))
    const french: Readonly<Record<string, string>> = fr
    for (const [key, text] of Object.entries(en)) {
      assert.deepEqual(placeholders(french[key] ?? ''), placeholders(text), key)
      assert.doesNotMatch(french[key] ?? '', / [:;!?»]|'/, key)
    }
  })
}

it('why an attempt failed is a sentence in the language of the reader', () => {
  const reason = 'no answer within 10 s'
  assert.equal(reasonText(reason, 'en'), 'No answer within 10 s.')
  assert.equal(reasonText(reason, 'fr'), 'Pas de réponse en 10\u00a0s.')
  assert.equal(reasonText('connection refused', 'fr'), 'Connexion refusée.')
  assert.equal(reasonText('something of tomorrow', 'fr'), 'Something of tomorrow.')
})
