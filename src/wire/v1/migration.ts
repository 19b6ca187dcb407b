/** What has another name, another place or no place in the current generation, and the way to it. */
type FieldRule = {
  readonly field: string
  readonly rule: string
  /** Where the name alone does not say that there is something to change. */
  readonly concerns?: (value: unknown) => boolean
}

export const FIELD_RULES: readonly FieldRule[] = [
  {
    field: 'amount',
    rule: 'a number becomes a text in quotes',
    concerns: (value) => typeof value === 'number',
  },
  { field: 'correspondent', rule: 'becomes provider, inside accountDetails of payer or recipient' },
  { field: 'payer.type', rule: 'MSISDN becomes MMO' },
  { field: 'payer.address', rule: 'becomes payer.accountDetails' },
  { field: 'payer.address.value', rule: 'becomes payer.accountDetails.phoneNumber' },
  { field: 'recipient.type', rule: 'MSISDN becomes MMO' },
  { field: 'recipient.address', rule: 'becomes recipient.accountDetails' },
  { field: 'recipient.address.value', rule: 'becomes recipient.accountDetails.phoneNumber' },
  { field: 'customerTimestamp', rule: 'is removed; the service keeps its own time' },
  { field: 'statementDescription', rule: 'becomes customerMessage' },
  { field: 'country', rule: 'is removed; the provider says it' },
  { field: 'metadata.fieldName', rule: 'becomes the name of the entry: { <name>: <value> }' },
  { field: 'metadata.fieldValue', rule: 'becomes the value of the entry: { <name>: <value> }' },
  { field: 'msisdn', rule: 'becomes phoneNumber' },
]

export const WIDGET_CALL = 'POST /v1/widget/sessions'

/** The page for a customer keeps its country, and its amount gets a currency. */
const WIDGET_RULES: readonly FieldRule[] = [
  { field: 'amount', rule: 'moves into amountDetails, as a text in quotes and with its currency' },
  ...FIELD_RULES.filter(({ field }) => field !== 'amount' && field !== 'country'),
]

/** The rules for the fields of a call. */
export const rulesOf = (call: string): readonly FieldRule[] =>
  call === WIDGET_CALL ? WIDGET_RULES : FIELD_RULES
