/** How the reference describes signatures: headers of requests that may be signed, and of answers. */
type Header = { readonly description: string; readonly schema: Readonly<Record<string, unknown>> }

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', examples: [example] },
})

const COVERED =
  '("@method" "@authority" "@path" "signature-date" "content-digest" "content-type")' +
  ';alg="ecdsa-p256-sha256";keyid="shop:1";created=1794731400;expires=1794731460'

const REQUEST_HEADERS: Readonly<Record<string, Header>> = {
  'Content-Digest': text(
    'with a signature: SHA-256 or SHA-512 of the body as sent',
    'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
  ),
  'Signature-Date': text(
    'with a signature, as most programs send it: when it was made',
    '2026-11-15T08:30:00.000Z',
  ),
  'Signature-Input': text('what the signature covers, and with which key', `sig-pp=${COVERED}`),
  Signature: text(
    'the signature; required if the account takes signed requests only',
    'sig-pp=:MEUC…:',
  ),
  'Accept-Signature': text(
    'algorithms you can verify; the answer is always signed by ECDSA P-256',
    'ecdsa-p256-sha256',
  ),
  'Accept-Digest': text(
    'digests you can verify; sha-512 unless only sha-256 is named',
    'sha-256,sha-512',
  ),
}

/** Parameters of every operation that may be signed. */
export const SIGNATURE_PARAMETERS = Object.entries(REQUEST_HEADERS).map(([name, header]) => ({
  name,
  in: 'header',
  required: false,
  ...header,
}))

const ANSWER_COVERED =
  '("@status" "signature-date" "content-digest" "content-type")' +
  ';alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=1794731400;expires=1794731460'

/** Named headers of answers, for the components of the document. */
export const SIGNED_ANSWER_HEADERS: Readonly<Record<string, Header>> = {
  'Content-Digest': text(
    'if your signature was good: the digest of the answer',
    'sha-512=:vZtKWPjJ…:',
  ),
  'Signature-Date': text(
    'if your signature was good: when this one was made',
    '2026-11-15T08:30:00.123Z',
  ),
  'Signature-Input': text(
    'if your signature was good: what this one covers',
    `sig-pp=${ANSWER_COVERED}`,
  ),
  Signature: text('if your signature was good: ours, by the key of that id', 'sig-pp=:MEQC…:'),
}

/** A caller that is unknown, or sends more than is read, gets an answer without a signature. */
export const isSignedAnswer = (status: number): boolean => status !== 401 && status !== 413

export const SIGNED_ANSWER_REFERENCES = Object.fromEntries(
  Object.keys(SIGNED_ANSWER_HEADERS).map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
)
