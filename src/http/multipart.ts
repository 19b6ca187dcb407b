/**
 * Forms with a file (RFC 7578), as browsers send them. A file becomes a field with its content as
 * text, and its name another one, `<field>.name`. What is not exactly of this form has no fields at
 * all, so that it fails as a form without its token does.
 */
const PARTS_MAX = 100
const HEADERS_MAX = 2048

const CRLF = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')

export function readMultipart(body: Buffer, contentType: string): URLSearchParams {
  const boundary = boundaryOf(contentType)
  const parts = boundary === undefined ? undefined : partsOf(body, boundary)
  return new URLSearchParams(parts ?? [])
}

/** At most 70 characters, which need no quotes; some clients write them. */
function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data;(?:[^;]*;)*? *boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
  const [, quoted, plain] = match.exec(contentType) ?? []
  return quoted ?? plain
}

function partsOf(body: Buffer, boundary: string): [string, string][] | undefined {
  const fields: [string, string][] = []
  const first = Buffer.from(`--${boundary}`)
  const between = Buffer.from(`\r\n--${boundary}`)
  if (!body.subarray(0, first.length).equals(first)) return undefined
  let at = first.length
  for (let count = 0; count <= PARTS_MAX; count += 1) {
    if (body.toString('latin1', at, at + 2) === '--') return fields
    if (!body.subarray(at, at + 2).equals(CRLF)) return undefined
    const head = body.indexOf(HEADERS_END, at)
    const end = head < 0 ? -1 : body.indexOf(between, head + 2)
    if (end < 0 || head - at > HEADERS_MAX) return undefined
    const names = namesIn(body.toString('utf8', at, head))
    if (names === undefined) return undefined
    const { name, fileName } = names
    fields.push([name, body.toString('utf8', Math.min(head + 4, end), end)])
    if (fileName !== undefined) fields.push([`${name}.name`, fileName])
    at = end + between.length
  }
  return undefined
}

type Names = { readonly name: string; readonly fileName: string | undefined }

/** Browsers write a quote in a name as %22. */
function namesIn(headers: string): Names | undefined {
  const line = /^content-disposition: *form-data *;(.*)$/im.exec(headers)?.[1]
  const name = line && /(?:^|;) *name="([^"]*)"/i.exec(line)?.[1]
  if (line === undefined || name === undefined || name === '') return undefined
  return { name, fileName: /(?:^|;) *filename="([^"]*)"/i.exec(line)?.[1] }
}
