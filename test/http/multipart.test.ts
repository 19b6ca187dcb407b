import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readMultipart } from '../../src/http/multipart.ts'

async function sent(form: FormData): Promise<[string, Buffer]> {
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  const type = request.headers.get('content-type') ?? ''
  return [type, Buffer.from(await request.arrayBuffer())]
}

it('a form with a file is read as it was sent, byte by byte', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
  const form = new FormData()
  form.append('name', 'Ünïcode & "quotes"\r\nand lines')
  form.append('empty', '')
  form.append('name', 'again')
  form.append('logo', new Blob([bytes, '\r\n\r\n--\r\n', bytes]), 'a logo.png')
  const read = readMultipart(...(await sent(form)))
  assert.deepEqual(read?.form.getAll('name'), ['Ünïcode & "quotes"\r\nand lines', 'again'])
  assert.equal(read?.form.get('empty'), '')
  const file = read?.files.get('logo')
  assert.equal(file?.name, 'a logo.png')
  assert.deepEqual(file?.bytes, Buffer.concat([bytes, Buffer.from('\r\n\r\n--\r\n'), bytes]))
})

it('what is no such form, or is cut off, gives what can be read of it', async () => {
  assert.equal(readMultipart('application/x-www-form-urlencoded', Buffer.from('a=b')), undefined)
  assert.equal(readMultipart(undefined, Buffer.alloc(0)), undefined)
  const form = new FormData()
  form.append('a', '1')
  form.append('b', '2')
  const [type, body] = await sent(form)
  for (let length = 0; length < body.length; length += 1) {
    const read = readMultipart(type, body.subarray(0, length))
    assert.ok(read !== undefined && [...read.form].length <= 2)
  }
  const parts = readMultipart('multipart/form-data; boundary=x', Buffer.from('--x\r\nno head--x--'))
  assert.deepEqual([...(parts?.form ?? [])], [])
})
