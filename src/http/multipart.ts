/** A form with files, as browsers send it (RFC 7578). Small ones only: it is read as a whole. */
export type UploadedFile = { readonly name: string; readonly bytes: Buffer }

type Parts = {
  readonly form: URLSearchParams
  readonly files: ReadonlyMap<string, UploadedFile>
}

const BLANK_LINE = Buffer.from('\r\n\r\n')
const PARTS_MAX = 100

/** Undefined where the body is no such form. A part that cannot be read is left out. */
export function readMultipart(contentType: string | undefined, raw: Buffer): Parts | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(
      contentType ?? '',
    ) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  const form = new URLSearchParams()
  const files = new Map<string, UploadedFile>()
  for (const part of piecesOf(raw, Buffer.from(`--${boundary}`))) {
    const end = part.indexOf(BLANK_LINE)
    if (end < 0) continue
    const head = part.subarray(0, end).toString()
    const bytes = part.subarray(end + BLANK_LINE.length)
    const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(head)?.[1] ?? ''
    const name = /(?:^|;)\s*name="([^"]*)"/.exec(disposition)?.[1]
    const file = /(?:^|;)\s*filename="([^"]*)"/.exec(disposition)?.[1]
    if (name === undefined) continue
    if (file === undefined) form.append(name, bytes.toString())
    else files.set(name, { name: file, bytes })
  }
  return { form, files }
}

/** What stands between two boundaries, without the line break that belongs to the second one. */
function piecesOf(raw: Buffer, boundary: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = []
  let at = raw.indexOf(boundary)
  while (at >= 0 && pieces.length < PARTS_MAX) {
    const start = at + boundary.length
    const next = raw.indexOf(boundary, start)
    if (next < 0) break
    pieces.push(raw.subarray(start + 2, Math.max(start + 2, next - 2)))
    at = next
  }
  return pieces
}
