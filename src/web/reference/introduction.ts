import type { Environment } from '../../domain/accounts/token.ts'
import type { ListedProvider } from '../../domain/provider.ts'
import { GENERAL_ENDINGS } from '../../domain/sandbox/stories.ts'

/** The first chapter of the reference: how to read the rest, and how to use the sandbox. */
export function introduction(
  environment: Environment,
  providers: readonly ListedProvider[],
): string {
  return environment === 'sandbox' ? `${BASICS}\n\n${sandboxChapter(providers)}` : BASICS
}

const BASICS = `Malipo moves money between customers' mobile-money wallets and yours. You start a
payment and get an answer at once; the outcome comes later, by a signed callback to your server or
by asking for the status.

## Authentication

Every call carries the header \`Authorization: Bearer <token>\`. A token belongs to one account and
may be limited to groups of operations (scopes). A missing or wrong token is answered with 401, a
token without the right with 403.

## Signatures

Calls that start a payment may be signed (RFC 9421), and must be where the account takes signed
requests only. Put the SHA-256 or SHA-512 of the body into \`Content-Digest\`; cover at least
@method, @path and content-digest; name your key and the time with \`keyid\` and \`created\`. The
algorithms are ecdsa-p256-sha256, ecdsa-p384-sha384, rsa-v1_5-sha256 and rsa-pss-sha512. A
signature that is not valid is answered with 401 and the reason where one is required, and ignored
elsewhere. A request with a valid one gets a signed answer: it covers @status, signature-date,
content-digest and content-type, and is verified with the public key of its id, as callbacks are.

## Identifiers and repeats

You choose the identifier of each payment (a UUID of version 4) and store it before you send the
request. Sending the same request again is always safe: an identifier that was accepted before is
answered with DUPLICATE_IGNORED and nothing happens twice. A refused request does not use up its
identifier.

## Answers

HTTP 200 means that the request was understood. Whether it was accepted stands in \`status\`. Fields
may be added to answers at any time; ignore the ones you do not know.`

function sandboxChapter(providers: readonly ListedProvider[]): string {
  const rows = Object.entries(GENERAL_ENDINGS.DEPOSIT).map(
    ([digits, ending]) =>
      `| …${digits} | ${ending === 'PROCESSING' ? 'stays PROCESSING' : ending} |`,
  )
  const exceptions = providers.flatMap((provider) =>
    (provider.testNumbers.DEPOSIT ?? []).map(
      (number) =>
        `| ${provider.code} | ${number.phoneNumber} | ` +
        `${number.status === 'FAILED' ? (number.failureCode ?? 'UNSPECIFIED_FAILURE') : number.status} |`,
    ),
  )
  return `## Test numbers

No real money moves in the sandbox. The phone number decides how a deposit ends: first by the table
of the provider, then by its last three digits, and any other number completes.

| Number ends with | Deposit ends as |
|---|---|
${rows.join('\n')}

| Provider | Number | Deposit ends as |
|---|---|---|
${exceptions.join('\n')}`
}
