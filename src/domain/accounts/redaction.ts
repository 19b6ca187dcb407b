/**
 * What is kept of a request and its answer, for people: nothing secret, nothing personal. Members are
 * judged by their names, texts by what they look like. It errs on the side of leaving out.
 */
import { hiddenNumber } from '../phone-number.ts'
import { remember } from '../remember.ts'

export type Redacted = {
  readonly value: unknown
  /** Identifiers of payments and other records. */
  readonly ids: ReadonlySet<string>
  /** What says where a payment belongs. */
  readonly providers: ReadonlySet<string>
  readonly countries: ReadonlySet<string>
  readonly currencies: ReadonlySet<string>
}

const HIDDEN = '***'
const IDS_MAX = 20

/** One-time codes, PINs and whatever else opens something. Balances are for those who see money. */
const SECRET =
  /^(code|pin|balance)$|otp|authori[sz]ation(code|url)|password|secret|credential|token|api_?key/i
/** Whose values are phone numbers, in whatever form they were sent. */
const NUMBER = /^(phone(number)?|msisdn)$/i
/** About people: who sends and who receives a remittance. */
const PERSONAL =
  /^(sender|recipient|payer|customer)details$|^(first|last|full)name$|^(e-?mail|dateofbirth)$/i
/** However it was spelt: the mark of personal data. */
const IS_PII = /^is_?pii$/i
/** Digits that are no phone numbers. */
const OTHER_DIGITS = /amount|fees?$|rate$|transactionids?$|reference(id)?$|^(min|max)$/i

/** The merchant's own word for a payment: some use the number of the customer. */
const REFERENCE = /^clientreferenceid$/i

/** What a member is by its name. Requests have few different names, so each is judged once. */
type Kind = 'secret' | 'personal' | 'number' | 'reference' | 'digits' | 'mark' | 'plain'
type Name = { readonly kind: Kind; readonly shown: string; readonly isId: boolean }

const NAMES_KEPT = 1000
const NAME_LENGTH_KEPT = 64
const knownName = remember(NAMES_KEPT, judgedName)

const nameOf = (text: string): Name =>
  text.length <= NAME_LENGTH_KEPT ? knownName(text) : judgedName(text)

function judgedName(text: string): Name {
  return { kind: kindOf(text), shown: redactText(text), isId: /id$/i.test(text) }
}

function kindOf(text: string): Kind {
  if (IS_PII.test(text)) return 'mark'
  if (SECRET.test(text)) return 'secret'
  if (PERSONAL.test(text)) return 'personal'
  if (NUMBER.test(text)) return 'number'
  if (REFERENCE.test(text)) return 'reference'
  return OTHER_DIGITS.test(text) ? 'digits' : 'plain'
}

/** Most texts have nothing of what is looked for in them. */
const SUSPICIOUS = /\d{8}|mlp_|\//
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DIGITS = /(?<![\w+-])(?<!\d\.)(\+?\d{3})\d{3,10}(\d{2})(?![\w-]|\.\d)/g
const SPACED = /^\s*\+?\(?\d[\d\s().-]{7,24}\d\s*$/
const SECRET_LINK = /(\/(?:pay|checkout|statements|sandbox\/(?:wallet|enter))\/)[^\s"'?#/]+/g
const SECRET_PARAMETER =
  /([?&][^=&]*(?:token|code|pin|secret|key|phone|msisdn|metadata)[^=&]*=)[^&]+/gi
const API_TOKEN = /\bmlp_(?:sbx|live)_[\w-]+/g

type Walk = {
  /** The metadata of an answer does not say which of it is personal. */
  readonly isAnswer: boolean
  /** References that look like phone numbers are masked. */
  readonly masksReferences: boolean
  readonly ids: Set<string>
  readonly providers: Set<string>
  readonly countries: Set<string>
  readonly currencies: Set<string>
}

export function redact(value: unknown, isAnswer: boolean, masksReferences = false): Redacted {
  const walk: Walk = {
    isAnswer,
    masksReferences,
    ids: new Set(),
    providers: new Set(),
    countries: new Set(),
    currencies: new Set(),
  }
  return { ...walk, value: redactMember('', value, walk) }
}

/** Of an address: what is in its path or behind the question mark. */
export const redactUrl = (url: string): string =>
  redactText(url.includes('?') ? url.replace(SECRET_PARAMETER, '$1***') : url)

/** Within a text, numbers keep their beginning and their last two digits. */
const redactText = (text: string): string =>
  SUSPICIOUS.test(text)
    ? text
        .replace(API_TOKEN, 'mlp_***')
        .replace(SECRET_LINK, `$1${HIDDEN}`)
        .replace(DIGITS, '$1***$2')
    : text

function redactMember(name: string, value: unknown, walk: Walk): unknown {
  // An answer is kept as it was before it became a text: members may be absent by their value.
  if (value === undefined || value === null || typeof value === 'boolean') return value
  const { kind } = nameOf(name)
  if (kind === 'secret') return HIDDEN
  if (kind === 'personal') return hideAll(value)
  if (Array.isArray(value)) return value.map((one) => redactMember(name, one, walk))
  if (typeof value === 'object') return redactObject(name, value, walk)
  return redactScalar(name, value as string | number, walk)
}

function redactObject(name: string, value: object, walk: Walk): object {
  const members = Object.entries(value)
  const isMarked = members.some(([key, one]) => one !== false && nameOf(key).kind === 'mark')
  const isPersonal = isMarked || (walk.isAnswer && name === 'metadata')
  // The earlier generation names the number by what stands beside it.
  const isAddress = name === 'address' && 'value' in value
  const kept: Record<string, unknown> = {}
  for (const [key, one] of members) {
    const { shown } = nameOf(key)
    if (key === 'fieldName' || typeof one === 'boolean') put(kept, shown, one)
    else if (isPersonal) put(kept, shown, hideAll(one))
    else if (isAddress && key === 'value') put(kept, shown, maskNumber(one))
    else put(kept, shown, redactMember(key, one, walk))
  }
  return kept
}

/** Assigned to, this name would change the object itself. */
function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
}

function redactScalar(name: string, value: string | number, walk: Walk): unknown {
  const { kind } = nameOf(name)
  if (kind === 'number') return maskNumber(value)
  const isKept = kind === 'digits' || (kind === 'reference' && !walk.masksReferences)
  if (typeof value === 'number') {
    const isNumber = Number.isInteger(value) && Math.abs(value) >= 1e8 && !isKept
    return isNumber ? maskNumber(value) : value
  }
  note(name, value, walk)
  if (isKept) return value.replace(API_TOKEN, 'mlp_***')
  if (/^\s*[[{]/.test(value)) return redactEmbedded(value, walk)
  return SPACED.test(value) && !isDate(value) ? maskNumber(value) : redactText(value)
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text)

/** A text that is JSON itself, such as the body of a callback. */
function redactEmbedded(text: string, walk: Walk): string {
  try {
    return JSON.stringify(redactMember('', JSON.parse(text), { ...walk, isAnswer: true }))
  } catch {
    return HIDDEN
  }
}

function note(name: string, value: string, walk: Walk): void {
  if (nameOf(name).isId && UUID.test(value) && walk.ids.size < IDS_MAX) {
    walk.ids.add(value.toLowerCase())
  } else if (name === 'provider' || name === 'correspondent') walk.providers.add(value)
  else if (name === 'country') walk.countries.add(value)
  else if (name === 'currency') walk.currencies.add(value)
}

function maskNumber(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return hideAll(value)
  return hiddenNumber(String(value).replace(/\D/g, '').replace(/^00/, ''))
}

/** Keeps the shape and none of the values. */
function hideAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideAll)
  if (typeof value !== 'object' || value === null) return HIDDEN
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [redactText(key), hideAll(one)]),
  )
}
