import { isPaymentFailureCode } from '../../domain/failure.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { invalid, missing } from '../fault.ts'
import { Timestamp } from '../formats.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'

/** Phones of the sandbox: how they behave, what they show, what a person does with them. */
const PHONE_MODES = ['auto', 'interactive'] as const

const SCRIPT_ANSWERS = [
  'pending',
  'done',
  'failed',
  'unknown',
  'silent',
  'duplicate',
  'contradict',
] as const

export const PhoneScript = Type.Object(
  {
    mode: Type.Optional(
      Type.Enum([...PHONE_MODES], {
        description:
          'auto, by default: the number answers by itself; ' +
          'interactive: deposits wait for the phone',
      }),
    ),
    script: Type.Optional(
      Type.Array(
        Type.Object(
          {
            afterSeconds: Type.Number({ minimum: 0, maximum: 366 * 86_400 }),
            answer: Type.Enum([...SCRIPT_ANSWERS], {
              description:
                'unknown: the answer to the submission is lost, look-ups work; ' +
                'silent: look-ups are not answered either; ' +
                'duplicate: the final answer, given twice; ' +
                'contradict: the final answer, then its opposite',
            }),
            failureCode: Type.Optional(
              Type.String({
                description:
                  'with failed; with duplicate or contradict it makes the first answer a failure',
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 20, description: 'what the operator says from which moment on' },
      ),
    ),
  },
  {
    $id: 'PhoneScript',
    additionalProperties: false,
    examples: [
      {
        mode: 'auto',
        script: [
          { afterSeconds: 0, answer: 'silent' },
          { afterSeconds: 90, answer: 'done' },
        ],
      },
    ],
  },
)
const readPhone = createReader(PhoneScript)

type PhoneStep = {
  readonly afterMs: number
  readonly answer: {
    readonly says: 'pending' | 'done' | 'failed' | 'unknown' | 'silent'
    readonly code?: string
    readonly then?: 'repeat' | 'opposite'
  }
}

/** How an answer is given: the last two are a final answer with a second word after it. */
const SECOND_WORDS = { duplicate: 'repeat', contradict: 'opposite' } as const

/** Without a story the number goes by the tables again. */
export function readPhoneScript(body: unknown): {
  readonly mode: (typeof PHONE_MODES)[number]
  readonly story?: readonly PhoneStep[]
} {
  const { mode = 'auto', script } = readPhone(body)
  const story = storyOf(script)
  return story === undefined ? { mode } : { mode, story }
}

function storyOf(script: Static<typeof PhoneScript>['script']): readonly PhoneStep[] | undefined {
  if (script === undefined || script.length === 0) return undefined
  const steps = script.map(({ afterSeconds, answer, failureCode }) => {
    const afterMs = Math.round(afterSeconds * 1000)
    if (answer === 'failed') return { afterMs, answer: { says: answer, code: codeOf(failureCode) } }
    if (answer !== 'duplicate' && answer !== 'contradict')
      return { afterMs, answer: { says: answer } }
    const then = SECOND_WORDS[answer]
    if (failureCode === undefined) return { afterMs, answer: { says: 'done' as const, then } }
    return { afterMs, answer: { says: 'failed' as const, code: codeOf(failureCode), then } }
  })
  return steps.toSorted((a, b) => a.afterMs - b.afterMs)
}

function codeOf(failureCode: string | undefined): string {
  const code = failureCode ?? 'UNSPECIFIED_FAILURE'
  if (isPaymentFailureCode(code)) return code
  throw invalid('failureCode', `'${code}' is not a code with which a payment can fail`)
}

/** The script as it was set. */
function fromStory(story: readonly PhoneStep[]): Static<typeof PhoneScript>['script'] {
  return story.map(({ afterMs, answer: { says, code, then } }) => ({
    afterSeconds: afterMs / 1000,
    answer: then === 'repeat' ? 'duplicate' : then === 'opposite' ? 'contradict' : says,
    ...present({ failureCode: code }),
  }))
}

const PROMPT = {
  id: Type.String(),
  depositId: Type.String(),
  amount: Type.String({ examples: ['15'] }),
  currency: Type.String({ examples: ['ZMW'] }),
  payee: Type.String({ description: 'your company name' }),
  provider: Type.String({ examples: ['MTN_MOMO_ZMB'] }),
  providerName: Type.String({ examples: ['MTN MoMo'], description: 'as its customers know it' }),
  reference: Type.String({
    description: 'customerMessage, or without one the last eight characters of depositId',
  }),
  expiresAt: Timestamp,
}

export const PhoneState = Type.Object(
  {
    msisdn: Type.String(),
    mode: Type.Enum([...PHONE_MODES]),
    script: PhoneScript.properties.script,
    prompts: Type.Array(Type.Object(PROMPT), {
      description: 'what the phone asks now: nothing, or one payment',
    }),
    offScreen: Type.Optional(
      Type.Object(
        {
          ...PROMPT,
          codes: Type.Array(Type.String({ examples: ['*115#'] }), {
            description: 'each of them, dialled, brings it onto the screen',
          }),
        },
        { description: 'a payment that waits and holds the phone, but is not on the screen' },
      ),
    ),
    messages: Type.Array(Type.Object({ at: Timestamp, text: Type.String() }), {
      description: 'the latest receipts, oldest first',
    }),
  },
  { $id: 'PhoneState', required: ['msisdn', 'mode', 'script', 'prompts', 'messages'] },
)

export function fromPhone(phone: {
  readonly msisdn: string
  readonly mode: (typeof PHONE_MODES)[number]
  readonly story: unknown
  readonly prompts: readonly Expiring[]
  readonly offScreen?: Expiring
  readonly messages: readonly { readonly at: number; readonly text: string }[]
}): object {
  const { msisdn, mode, story, prompts, offScreen, messages } = phone
  return {
    msisdn,
    mode,
    script: story === undefined ? [] : fromStory(story as readonly PhoneStep[]),
    prompts: prompts.map(fromPrompt),
    ...present({ offScreen: ifGiven(offScreen, fromPrompt) }),
    messages: messages.map(({ at, text }) => ({ at: momentText(at), text })),
  }
}

type Expiring = { readonly expiresAt: number }

const fromPrompt = (one: Expiring): object => ({ ...one, expiresAt: momentText(one.expiresAt) })

const momentText = (ms: number): string => new Date(Math.round(ms)).toISOString()

export const PhoneActionRequest = Type.Object(
  {
    action: Type.Enum(['approve', 'decline', 'dial']),
    pin: Type.Optional(
      Type.String({
        pattern: '^[0-9]{4,6}$',
        description:
          'four to six digits, with approve; 0000 is wrong, any other is right; may be left out',
      }),
    ),
    code: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'with dial: what is dialled, for example *115#',
      }),
    ),
  },
  {
    $id: 'PhoneActionRequest',
    additionalProperties: false,
    examples: [{ action: 'dial', code: '*115#' }],
  },
)
const readAction = createReader(PhoneActionRequest)

type PhoneActionBody =
  | { readonly action: 'approve'; readonly pin: string | undefined }
  | { readonly action: 'decline' }
  | { readonly action: 'dial'; readonly code: string }

/** A field that belongs to another action is a mistake, not something to be left out. */
export function readPhoneAction(body: unknown): PhoneActionBody {
  const { action, pin, code } = readAction(body)
  if (pin !== undefined && action !== 'approve') throw invalid('pin', "it belongs to 'approve'")
  if (code !== undefined && action !== 'dial') throw invalid('code', "it belongs to 'dial'")
  if (action === 'approve') return { action, pin }
  if (action === 'decline') return { action }
  if (code === undefined) throw missing('code')
  return { action, code }
}

export const PhoneActionAnswer = Type.Object(
  {
    message: Type.String({ description: 'what the phone says' }),
    code: Type.Optional(Type.String({ description: 'the one-time code that was made' })),
  },
  { $id: 'PhoneActionAnswer' },
)
