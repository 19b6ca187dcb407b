import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readMultipart } from '../../src/http/multipart.ts'

const TYPE = 'multipart/form-data; boundary=xyz'
const part = (headers: string, value: string): string => `--xyz\r\n${headers}\r\n\r\n${value}\r\n`
const field = (name: string, value: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, value)
const read = (text: string, type = TYPE): [string, string][] => [
  ...readMultipart(Buffer.from(text), type).form,
]

describe('a form with a file', () => {
  it('as browsers send it', async () => {
    const form = new FormData()
    form.set('form', 'token')
    form.set('empty', '')
    form.set('file', new Blob(['a,é\r\n--\r\n']), 'my "file".csv')
    const request = new Request('http://localhost/', { method: 'POST', body: form })
    const type = request.headers.get('content-type') ?? ''
    const sent = readMultipart(Buffer.from(await request.arrayBuffer()), type)
    assert.deepEqual(
      [...sent.form],
      [
        ['form', 'token'],
        ['empty', ''],
      ],
    )
    assert.deepEqual(sent.files.get('file'), {
      name: 'my %22file%22.csv',
      bytes: Buffer.from('a,é\r\n--\r\n'),
    })
  })

  it('with a boundary in quotes', () => {
    const fields = read(`${field('a', '1')}--xyz--\r\n`, 'multipart/form-data; boundary="xyz"')
    assert.deepEqual(fields, [['a', '1']])
  })

  const broken: readonly (readonly [name: string, text: string, type?: string])[] = [
    ['without an end', field('a', '1')],
    ['that begins with something else', `x${field('a', '1')}--xyz--`],
    ['without a boundary', `${field('a', '1')}--xyz--`, 'multipart/form-data'],
    ['of another kind', `${field('a', '1')}--xyz--`, 'multipart/mixed; boundary=xyz'],
    ['with a part that has no name', `${part('Content-Disposition: form-data', '1')}--xyz--`],
    ['with endless headers', `${part(`x: ${'y'.repeat(3000)}`, '1')}--xyz--`],
    ['with too many parts', `${field('a', '1').repeat(200)}--xyz--`],
    ['that is empty', ''],
  ]
  for (const [name, text, type] of broken) {
    it(`${name} has no fields at all`, () => assert.deepEqual(read(text, type), []))
  }
})
