/**
 * Every reason why a signature is not taken, with its message: what is wrong and the way out.
 * `docs/signatures.md` has the same messages, and a test compares both with what a caller reads.
 */
export const SIGNATURE_PROBLEMS = {
  NOT_SIGNED: () =>
    'The request is not signed, and this account takes signed requests only. Send the headers ' +
    "'Signature', 'Signature-Input' and 'Content-Digest'.",
  HALF_SIGNED: (header: string) =>
    `The header '${header}' is missing: 'Signature' and 'Signature-Input' belong together. Send both.`,
  UNREADABLE: (header: string, why: string) =>
    `The header '${header}' cannot be read: ${why}. Write it as a dictionary of RFC 8941.`,
  NO_COMMON_LABEL: () =>
    "The headers 'Signature' and 'Signature-Input' have no label in common. Use the same one in " +
    "both, such as sig-pp, with bytes in 'Signature' and a list in 'Signature-Input'.",
  NOT_COVERED: (component: string) =>
    `The signature does not cover "${component}", which is required here. Name it in ` +
    "'Signature-Input', and sign its value.",
  UNKNOWN_COMPONENT: (component: string) =>
    `The signature covers ${component}, which is not known here. Cover names of headers in lower ` +
    'case, "@method", "@authority", "@path" and "@query", each once and without parameters.',
  REPEATED_COMPONENT: (component: string) =>
    `The signature covers "${component}" twice. Name each component once in 'Signature-Input'.`,
  ABSENT_HEADER: (header: string) =>
    `The signature covers the header '${header}', which the request does not have. Send it, or ` +
    "leave it out of 'Signature-Input'.",
  NO_CREATED: () =>
    "The signature does not say when it was made. Add the parameter 'created' to " +
    "'Signature-Input', in whole seconds since 1970.",
  CREATED_AHEAD: (seconds: number) =>
    `The signature was made ${seconds} s ahead of our time, and 60 s are allowed. Set your clock.`,
  EXPIRED: (seconds: number) =>
    `The signature expired ${seconds} s ago. Sign each request when you send it, and check your clock.`,
  TOO_OLD: (seconds: number, most: number) =>
    `The signature was made ${seconds} s ago, and this account accepts signatures for ${most} s. ` +
    'Sign each request when you send it, and check your clock.',
  NO_KEY_ID: () =>
    "The signature does not name its key. Add the parameter 'keyid' to 'Signature-Input'.",
  UNKNOWN_KEY: (keyId: string) =>
    `The key id '${keyId}' is none of this account's. Add the public key to the account, or use ` +
    'the id under which it was added.',
  WRONG_ALGORITHM: (algorithm: string, keyId: string, fitting: string) =>
    `The algorithm '${algorithm}' does not fit the key '${keyId}'. Use ${fitting}.`,
  NO_DIGEST: () =>
    "The header 'Content-Digest' is missing. Send the SHA-256 or SHA-512 of the body in it.",
  UNKNOWN_DIGEST: () =>
    "The header 'Content-Digest' has neither sha-256 nor sha-512. Send one of them, as " +
    'sha-512=:base64:.',
  WRONG_DIGEST: (algorithm: string) =>
    `The ${algorithm} in 'Content-Digest' is not that of the body we received. Hash the very bytes ` +
    'that you send.',
  NOT_VERIFIED: (keyId: string, authority: string, path: string) =>
    `The signature does not verify with the key '${keyId}'. Check that the private key belongs to ` +
    `it and that you sign what you send; we saw "@authority" as '${authority}' and "@path" as ` +
    `'${path}'.`,
  USED_BEFORE: () =>
    'The signature was used before, and this account accepts each one once. Sign the request ' +
    'again; what was stored the first time is not started twice.',
} as const

export type ProblemCode = keyof typeof SIGNATURE_PROBLEMS

export type SignatureProblem = { readonly code: ProblemCode; readonly message: string }

/** Text from an unknown sender cannot make a message long, or unfit to be shown. */
const SHOWN_LENGTH = 200

export function problem<Code extends ProblemCode>(
  code: Code,
  ...facts: Parameters<(typeof SIGNATURE_PROBLEMS)[Code]>
): SignatureProblem {
  const shown = facts.map((fact) =>
    typeof fact === 'string' && fact.length > SHOWN_LENGTH
      ? `${fact.slice(0, SHOWN_LENGTH)}…`
      : fact,
  )
  const write = SIGNATURE_PROBLEMS[code] as (...facts: readonly unknown[]) => string
  return { code, message: write(...shown) }
}
