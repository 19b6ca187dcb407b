import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import { CATALOG_FILE, PACKAGE_ROOT } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { readPredictor } from '../../src/providers/prefixes.ts'

const PREFIXES_FILE = join(PACKAGE_ROOT, 'catalog', 'prefixes.json')
const catalog = readCatalog(CATALOG_FILE)

/** The catalogue with these providers alone, in this order, all listing the same test number. */
function sharing(phoneNumber: string, codes: readonly string[]) {
  const all = codes.flatMap((code) => {
    const provider = catalog.find(code)
    const testNumbers = { DEPOSIT: [{ phoneNumber, status: 'COMPLETED' as const }] }
    return provider === undefined ? [] : [{ ...provider, testNumbers }]
  })
  const find = (code: string) => all.find((one) => one.code === code)
  return readPredictor(PREFIXES_FILE, { all, find }, { withTestNumbers: true })
}

it('a test number of several providers is predicted for the first of the catalogue', () => {
  for (const codes of [
    ['MTN_MOMO_ZMB', 'ZAMTEL_ZMB'],
    ['ZAMTEL_ZMB', 'MTN_MOMO_ZMB'],
  ]) {
    const predicted = sharing('260999', codes)('260999')
    assert.deepEqual(predicted, { country: 'ZMB', provider: codes[0], phoneNumber: '260999' })
  }
})

it('a provider without ranges is not predicted, though its test number is listed first', () => {
  const predict = sharing('221773456789', ['WAVE_SEN', 'ORANGE_SEN'])
  const expected = { country: 'SEN', provider: 'ORANGE_SEN', phoneNumber: '221773456789' }
  assert.deepEqual(predict('221773456789'), expected)
})

it('a provider that the catalogue does not have is not predicted', () => {
  const predict = sharing('260999', ['ZAMTEL_ZMB'])
  assert.equal(predict('260961234567'), 'UNKNOWN_NETWORK')
  assert.equal(predict('237671234567'), 'UNKNOWN_COUNTRY')
})
