/**
 * Forms with a file (RFC 7578), as browsers send them. What is not exactly of this form has no fields
 * at all, so that it fails as a form without its token does.
 */
type UploadedFile = { readonly name: string; readonly bytes: Buffer }

export type SentForm = {
  readonly form: URLSearchParams
  readonly files: ReadonlyMap<string, UploadedFile>
}

const PARTS_MAX = 100
const HEADERS_MAX = 2048

const CRLF = Buffer.from('\r\n')
const HEADERS_END = Buffer.from('\r\n\r\n')

export function readMultipart(body: Buffer, contentType: string): SentForm {
  const boundary = boundaryOf(contentType)
  const parts = (boundary === undefined ? undefined : partsOf(body, boundary)) ?? []
  const form = new URLSearchParams()
  const files = new Map<string, UploadedFile>()
  for (const { name, fileName, bytes } of parts) {
    if (fileName === undefined) form.append(name, bytes.toString('utf8'))
    else files.set(name, { name: fileName, bytes })
  }
  return { form, files }
}

/** At most 70 characters, which need no quotes; some clients write them. */
function boundaryOf(contentType: string): string | undefined {
  const match = /^multipart\/form-data;(?:[^;]*;)*? *boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
  const [, quoted, plain] = match.exec(contentType) ?? []
  return quoted ?? plain
}

type Part = Names & { readonly bytes: Buffer }

function partsOf(body: Buffer, boundary: string): readonly Part[] | undefined {
  const fields: Part[] = []
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
    fields.push({ ...names, bytes: body.subarray(Math.min(head + 4, end), end) })
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
