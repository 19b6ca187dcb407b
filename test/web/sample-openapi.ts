/** A small document with every form the reference has to show. */
import type {
  OpenApiDocument,
  Operation,
  Response,
  Schema,
} from '../../src/web/reference/openapi.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const answer = (
  description: string,
  schema: Schema,
  examples = {},
  codes?: readonly string[],
): Response => ({
  description,
  'x-failure-codes': codes,
  content: { 'application/json': { schema, examples } },
})

const failures: Operation['responses'] = {
  400: answer(
    'The request does not fit the description.',
    ref('DepositRefusal'),
    {
      missing: {
        summary: 'A field is missing',
        value: {
          depositId: '8917c345-4791-4285-a416-62f24b6982db',
          status: 'REJECTED',
          failureReason: {
            failureCode: 'MISSING_PARAMETER',
            failureMessage: "The parameter 'amount' is required.",
          },
        },
      },
    },
    ['MISSING_PARAMETER'],
  ),
  401: { $ref: '#/components/responses/NotAuthenticated' },
  403: { $ref: '#/components/responses/NotAllowed' },
  500: { $ref: '#/components/responses/Unknown' },
}

const INTRODUCTION = `Payments are asynchronous: a call that starts one is answered at once, and the outcome
comes later as a callback, or when you ask for it.

## Authentication

Send your token with every call as \`Authorization: Bearer <token>\`. A token belongs to one
environment; its text says which. Tokens are shown once, when they are made.

## Idempotency

You choose the identifier of a payment, a UUID of version 4. Store it **before** you send it. When an
answer is lost, send the same request again: an identifier that was accepted before is answered with
\`DUPLICATE_IGNORED\`, and no second payment is made.

## Errors

Look at \`status\` in every answer, also with HTTP 200.

| HTTP | What happened | What to do |
|---|---|---|
| 200 \`REJECTED\` | A rule of the provider or of your account refused it | Read \`failureCode\`; the identifier may be used again |
| 400 | The body does not fit this description | Mend the request |
| 401, 403 | The token is unknown, or may not do this | Check the token and its scopes |
| 500 | The outcome is unknown | Ask for the status; never assume failure |
`

const CALLBACKS = `A callback is a \`POST\` to the address you set for the kind of payment. Any 2xx acknowledges
it; anything else is tried again with growing pauses for seven days.

### Checking the signature

Callbacks are signed as in RFC 9421 with the label \`sig-pp\`.

1. Compare \`Content-Digest\` with the SHA-512 of the raw body.
2. Rebuild the signature base from the components that \`Signature-Input\` lists, in that order.
3. Refuse it when \`expires\` has passed.
4. Fetch the key named by \`keyid\` from [the public keys](#get-public-keys) and verify.

\`\`\`
Signature-Input: sig-pp=("@method" "@authority" "@path" "signature-date" "content-digest" "content-type");alg="ecdsa-p256-sha256";keyid="HTTP_EC_P256_KEY:1";created=1768472430;expires=1768472490
\`\`\``

const TEST_NUMBERS = `Operators are simulated here. These calls exist in the sandbox only.

### Test numbers

The last three digits of the phone number decide the outcome.

| Ending | Deposit | Payout |
|---|---|---|
| \`789\` | \`COMPLETED\` | \`COMPLETED\` |
| \`039\` | \`PAYMENT_NOT_APPROVED\` | |
| \`049\` | \`INSUFFICIENT_BALANCE\` | |
| \`089\` | | \`RECIPIENT_NOT_FOUND\` |
| \`129\` | stays \`PROCESSING\` | stays \`PROCESSING\` |`

const depositId = {
  name: 'depositId',
  in: 'path',
  required: true,
  description: 'The identifier you gave the deposit.',
  schema: ref('PaymentId'),
}

const acceptedExample = {
  summary: 'Accepted',
  value: {
    depositId: '8917c345-4791-4285-a416-62f24b6982db',
    status: 'ACCEPTED',
    nextStep: 'FINAL_STATUS',
    created: '2026-01-15T10:20:30Z',
  },
}

const refusedExample = {
  summary: 'Refused by a rule',
  value: {
    depositId: '8917c345-4791-4285-a416-62f24b6982db',
    status: 'REJECTED',
    failureReason: {
      failureCode: 'INVALID_AMOUNT',
      failureMessage: "The provider 'MTN_MOMO_ZMB' takes at most 2 decimals.",
    },
  },
}

const createDeposit: Operation = {
  operationId: 'createDeposit',
  summary: 'Start a deposit',
  description:
    'Asks a customer to pay from a mobile wallet. The customer confirms on the phone; you hear of the outcome in a [deposit callback](#deposit-callback).',
  tags: ['Deposits'],
  security: [{ bearerAuth: ['deposits:write'] }],
  parameters: [
    { $ref: '#/components/parameters/ContentDigest' },
    {
      name: 'Signature',
      in: 'header',
      description: 'Signature of the request, if your account asks for signed requests.',
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    content: { 'application/json': { schema: ref('DepositRequest') } },
  },
  responses: {
    200: answer(
      'Accepted, refused by a rule, or a repetition.',
      ref('DepositAnswer'),
      {
        accepted: acceptedExample,
        refused: refusedExample,
      },
      ['INVALID_AMOUNT'],
    ),
    ...failures,
  },
}

const getDeposit: Operation = {
  operationId: 'getDeposit',
  summary: 'Look at a deposit',
  description: 'Answers `NOT_FOUND` with HTTP 200 when no deposit has this identifier.',
  tags: ['Deposits'],
  security: [{ bearerAuth: ['deposits:read'] }],
  parameters: [depositId],
  responses: {
    200: answer('The deposit, or that there is none.', {
      anyOf: [
        {
          title: 'Found',
          type: 'object',
          required: ['status', 'data'],
          properties: { status: { const: 'FOUND', type: 'string' }, data: ref('Deposit') },
        },
        {
          title: 'Not found',
          type: 'object',
          required: ['status'],
          properties: { status: { const: 'NOT_FOUND', type: 'string' } },
        },
      ],
    }),
    401: { $ref: '#/components/responses/NotAuthenticated' },
    500: { $ref: '#/components/responses/Unknown' },
  },
}

const resendDepositCallback: Operation = {
  operationId: 'resendDepositCallback',
  summary: 'Send a deposit callback again',
  description: 'Possible once the deposit is `COMPLETED` or `FAILED`.',
  tags: ['Deposits'],
  security: [{ bearerAuth: ['deposits:write'] }],
  parameters: [depositId],
  responses: {
    200: answer('Whether the callback will be sent.', {
      type: 'object',
      required: ['depositId', 'status'],
      properties: {
        depositId: ref('PaymentId'),
        status: { type: 'string', enum: ['ACCEPTED', 'REJECTED'] },
        failureReason: ref('FailureReason'),
      },
    }),
    401: { $ref: '#/components/responses/NotAuthenticated' },
  },
}

const getWalletBalances: Operation = {
  operationId: 'getWalletBalances',
  summary: 'List wallet balances',
  tags: ['Finances'],
  security: [{ bearerAuth: ['finances:read'] }],
  parameters: [
    {
      name: 'country',
      in: 'query',
      description: 'Only wallets of this country, as ISO 3166-1 alpha-3.',
      schema: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['ZMB'] },
    },
  ],
  responses: {
    200: answer('Your wallets.', {
      type: 'object',
      required: ['balances'],
      properties: {
        balances: {
          type: 'array',
          items: {
            type: 'object',
            required: ['country', 'balance', 'currency', 'provider'],
            properties: {
              country: { type: 'string', examples: ['ZMB'] },
              balance: { ...ref('Amount'), description: 'With two decimals.' },
              currency: { type: 'string', examples: ['ZMW'] },
              provider: {
                type: 'string',
                description: 'Empty when the wallet serves the whole country.',
                examples: [''],
              },
            },
          },
        },
      },
    }),
  },
}

const getPublicKeys: Operation = {
  operationId: 'getPublicKeys',
  summary: 'List the public keys',
  description: 'The keys that verify signatures on callbacks.',
  tags: ['Toolkit'],
  responses: {
    200: answer('All keys in use.', {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['id', 'key'],
        properties: {
          id: { type: 'string', examples: ['HTTP_EC_P256_KEY:1'] },
          key: {
            type: 'string',
            description: 'SubjectPublicKeyInfo as PEM text.',
            examples: [
              '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
            ],
          },
        },
      },
    }),
  },
}

const callbackUrl: Schema = {
  anyOf: [{ type: 'string', format: 'uri', maxLength: 2048 }, { type: 'null' }],
  description: 'Where to send them; `null` removes the address.',
  examples: ['https://shop.example/callbacks'],
}

const setCallbacks: Operation = {
  operationId: 'setCallbacks',
  summary: 'Set callback addresses',
  description: 'Kinds that are left out keep their address.',
  tags: ['Sandbox'],
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: { deposit: callbackUrl, payout: callbackUrl },
        },
        example: { deposit: 'https://shop.example/callbacks', payout: null },
      },
    },
  },
  responses: {
    200: answer('The addresses now in force.', {
      type: 'object',
      patternProperties: { '^.*$': { type: 'string', format: 'uri' } },
      description: 'Kind of payment to address.',
      examples: [{ deposit: 'https://shop.example/callbacks' }],
    }),
  },
}

const signatureHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const depositCallback: Operation = {
  operationId: 'depositCallback',
  summary: 'A deposit is final',
  description: 'Carries the same record as the status check.',
  tags: ['Callbacks'],
  parameters: [
    signatureHeader('Content-Digest', 'SHA-512 of the body.'),
    signatureHeader('Signature', 'The signature under the label `sig-pp`.'),
    signatureHeader('Signature-Input', 'Covered components, key and times.'),
    signatureHeader('Signature-Date', 'When it was signed.'),
  ],
  requestBody: { content: { 'application/json': { schema: ref('Deposit') } } },
  responses: { 200: { description: 'Acknowledges the callback.' } },
}

const schemas: Readonly<Record<string, Schema>> = {
  PaymentId: {
    type: 'string',
    format: 'uuid',
    pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    minLength: 36,
    maxLength: 36,
    examples: ['8917c345-4791-4285-a416-62f24b6982db'],
  },
  Amount: {
    type: 'string',
    minLength: 1,
    maxLength: 23,
    pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,4})?$',
    description: 'Amount as text. How many decimals are allowed depends on the provider.',
    examples: ['15.50'],
  },
  Payer: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'accountDetails'],
    description: 'Who pays.',
    properties: {
      type: { type: 'string', const: 'MMO', description: 'A mobile-money account.' },
      accountDetails: {
        type: 'object',
        required: ['phoneNumber', 'provider'],
        properties: {
          phoneNumber: {
            type: 'string',
            pattern: '^[1-9][0-9]{6,14}$',
            description: 'Digits only, with the country code and without a plus sign.',
            examples: ['260763456789'],
          },
          provider: {
            type: 'string',
            description: 'Code of the provider in one country.',
            examples: ['MTN_MOMO_ZMB'],
          },
        },
      },
    },
  },
  MetadataEntry: {
    type: 'object',
    properties: { isPII: { type: 'boolean', description: 'Marks personal data.' } },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 512 },
    examples: [{ orderId: 'ORD-123456789' }],
  },
  DepositRequest: {
    type: 'object',
    additionalProperties: false,
    required: ['depositId', 'amount', 'currency', 'payer'],
    properties: {
      depositId: { ...ref('PaymentId'), description: 'Your identifier, a UUID of version 4.' },
      amount: ref('Amount'),
      currency: {
        type: 'string',
        pattern: '^[A-Z]{3}$',
        description: 'ISO 4217 code that the provider supports.',
        examples: ['ZMW'],
      },
      payer: ref('Payer'),
      customerMessage: {
        type: 'string',
        minLength: 4,
        maxLength: 22,
        pattern: '^[a-zA-Z0-9 ]+$',
        description: 'May be shown to the customer.',
        examples: ['Order 1042'],
      },
      clientReferenceId: {
        type: 'string',
        maxLength: 100,
        description: 'Your own reference, an invoice for example.',
        examples: ['INV-1042'],
      },
      metadata: {
        type: 'array',
        maxItems: 10,
        description: 'Passed back in records and callbacks; customers never see it.',
        items: ref('MetadataEntry'),
      },
    },
  },
  FailureReason: {
    type: 'object',
    required: ['failureCode', 'failureMessage'],
    description: 'Why it did not work.',
    properties: {
      failureCode: { type: 'string' },
      failureMessage: { type: 'string' },
    },
  },
  DepositAnswer: {
    type: 'object',
    required: ['depositId', 'status'],
    properties: {
      depositId: ref('PaymentId'),
      status: {
        anyOf: [{ const: 'ACCEPTED' }, { const: 'REJECTED' }, { const: 'DUPLICATE_IGNORED' }],
      },
      nextStep: { type: 'string', enum: ['FINAL_STATUS', 'GET_AUTH_URL'] },
      created: { type: 'string', format: 'date-time' },
      failureReason: ref('FailureReason'),
    },
  },
  DepositRefusal: {
    type: 'object',
    required: ['status', 'failureReason'],
    properties: {
      depositId: ref('PaymentId'),
      status: { type: 'string', const: 'REJECTED' },
      failureReason: ref('FailureReason'),
    },
  },
  Failure: {
    type: 'object',
    required: ['failureReason'],
    properties: { failureReason: ref('FailureReason') },
    examples: [
      {
        failureReason: {
          failureCode: 'AUTHENTICATION_ERROR',
          failureMessage: 'The token is not valid.',
        },
      },
    ],
  },
  Deposit: {
    type: 'object',
    required: ['depositId', 'status', 'amount', 'currency', 'country', 'payer', 'created'],
    properties: {
      depositId: ref('PaymentId'),
      status: {
        type: 'string',
        enum: ['COMPLETED', 'ACCEPTED', 'PROCESSING', 'IN_RECONCILIATION', 'FAILED'],
      },
      amount: { ...ref('Amount'), description: 'Exactly the text that was requested.' },
      currency: { type: 'string', examples: ['ZMW'] },
      country: { type: 'string', examples: ['ZMB'] },
      payer: ref('Payer'),
      created: { type: 'string', format: 'date-time' },
      providerTransactionId: {
        type: 'string',
        description: 'Given by the provider, if it gives one.',
        examples: ['ABC123'],
      },
      failureReason: ref('FailureReason'),
      metadata: {
        type: 'object',
        additionalProperties: { type: 'string' },
        examples: [{ orderId: 'ORD-123456789' }],
      },
    },
  },
}

export const SAMPLE_OPENAPI: OpenApiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Malipo API',
    version: '0.1.0',
    summary: 'Mobile-money payments for merchants: one JSON API, signed callbacks.',
    description: INTRODUCTION,
  },
  servers: [{ url: 'http://127.0.0.1:8080' }],
  tags: [
    { name: 'Deposits', description: 'Money from a customer’s mobile wallet into yours.' },
    { name: 'Finances', description: 'What your wallets hold.' },
    { name: 'Toolkit', description: 'What you need around payments.' },
    { name: 'Sandbox', description: TEST_NUMBERS },
    { name: 'Callbacks', description: CALLBACKS },
  ],
  security: [{ bearerAuth: [] }],
  paths: {
    '/v2/deposits': { post: createDeposit },
    '/v2/deposits/{depositId}': { get: getDeposit },
    '/v2/deposits/resend-callback/{depositId}': { post: resendDepositCallback },
    '/v2/wallet-balances': { get: getWalletBalances },
    '/v2/public-key/http': { get: getPublicKeys },
    '/sandbox/callbacks': { put: setCallbacks },
  },
  webhooks: { depositCallback: { post: depositCallback } },
  components: {
    schemas,
    parameters: {
      ContentDigest: {
        name: 'Content-Digest',
        in: 'header',
        description: 'SHA-256 or SHA-512 of the body.',
        schema: { type: 'string' },
      },
    },
    responses: {
      NotAuthenticated: answer('The token is missing or not valid.', ref('Failure')),
      NotAllowed: answer('The token may not use this operation.', ref('Failure')),
      Unknown: answer('The outcome is unknown: ask for the status.', ref('Failure')),
    },
    securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
  },
}
