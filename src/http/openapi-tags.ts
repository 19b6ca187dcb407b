const CALLBACKS = `A callback is a POST to the address you set for that kind of payment, with the
same record as the status check. Any 2xx acknowledges it. Otherwise it is sent again after about
5 s, 15 s, 45 s, 2 min, 5 min, 15 min, 1 h, 3 h, 6 h and 12 h, then every day until 7 days have
passed; you can ask for it again at any time. \`Retry-After\` makes the next attempt wait at least
so long, up to 24 hours. 410 pauses the address: nothing more is sent to it until it is saved again
or a resend is asked for. Redirects are not followed. The same callback may arrive more than once,
so treat it as information about the payment, not as a command.

**Signature.** Every callback is signed (RFC 9421). \`Content-Digest\` holds the SHA-512 of the
body. \`Signature-Input\` names what is covered, in this order: @method, @authority, @path,
signature-date, content-digest, content-type; and the key id, for example
\`HTTP_EC_P256_KEY:1\`. To verify: compare the digest with the body as received, write the covered
values one below the other as the RFC says, and check \`Signature\` (ECDSA P-256, SHA-256, ASN.1 DER)
with the public key of that id. Each attempt is signed afresh and expires after 60 seconds.`

/** The groups of operations in the reference, in their order. */
export const TAGS = [
  { name: 'deposits', description: "Collect money from a customer's wallet." },
  { name: 'payouts', description: "Send money to a customer's wallet." },
  { name: 'refunds', description: 'Give back the money of an earlier deposit.' },
  { name: 'remittances', description: 'Payouts that name the sender and the purpose.' },
  { name: 'split-payments', description: 'Collect once and pay parts of it on to others.' },
  {
    name: 'checkouts',
    description: 'A page on which a customer pays, in several attempts if need be.',
  },
  { name: 'payment-page', description: 'A page on which a customer pays one deposit.' },
  { name: 'payments', description: 'Find payments of every kind, and read what happened to one.' },
  { name: 'finances', description: 'The money in your wallets, and statements about it.' },
  { name: 'toolkit', description: 'What you need around payments.' },
  { name: 'callbacks', description: CALLBACKS },
  { name: 'sandbox', description: 'Controls for tests; they exist in the sandbox only.' },
  {
    name: 'earlier-generation',
    description:
      'The unprefixed calls that existing programs use. They go on working; each names the call ' +
      'that takes its place.',
  },
]
