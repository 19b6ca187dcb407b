/** What the operator sends by itself, in the shapes of its documents. */
import type { Ending, Entry } from '../../stand-in/book.ts'
import type { StandInCallback } from '../../stand-in/operator.ts'

export function reportOf(entry: Entry, ending: Ending): StandInCallback | undefined {
  const { callbackUrl, what } = entry
  if (callbackUrl === undefined) return undefined
  const body = what === 'push' ? ofPush(entry, ending) : ofResult(entry, ending)
  return {
    method: 'POST',
    url: callbackUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

export const codeOf = (ending: Ending): string => (ending.says === 'failure' ? ending.reason : '0')

/** A number in some places and a text in others. */
const asNumber = (code: string): string | number => (/^\d+$/.test(code) ? Number(code) : code)

export const describe = (code: string): string =>
  code === '0' ? 'The service request is processed successfully.' : `Declined with ${code}.`

function ofPush(entry: Entry, ending: Ending): object {
  const { reference, more, amount, party, transactionId } = entry
  const code = codeOf(ending)
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: more.merchant,
        CheckoutRequestID: reference,
        ResultCode: asNumber(code),
        ResultDesc: describe(code),
        ...(code === '0'
          ? {
              CallbackMetadata: {
                Item: [
                  { Name: 'Amount', Value: Number(amount) },
                  { Name: 'MpesaReceiptNumber', Value: transactionId },
                  { Name: 'Balance' },
                  { Name: 'TransactionDate', Value: 20_240_710_091_526 },
                  { Name: 'PhoneNumber', Value: Number(party) },
                ],
              },
            }
          : {}),
      },
    },
  }
}

function ofResult(entry: Entry, ending: Ending): object {
  const { reference, more, transactionId, what } = entry
  const code = codeOf(ending)
  return {
    Result: {
      ResultType: 0,
      ResultCode: asNumber(code),
      ResultDesc: describe(code),
      OriginatorConversationID: reference,
      ConversationID: more.conversation,
      TransactionID: transactionId,
      ...(code === '0' ? { ResultParameters: { ResultParameter: PARAMETERS[what]?.(entry) } } : {}),
      ReferenceData: {
        ReferenceItem: { Key: 'QueueTimeoutURL', Value: 'https://operator.example/results' },
      },
    },
  }
}

const named = (party: string): string => `${party} - JOHN DOE`

const PARAMETERS: Readonly<Record<string, (entry: Entry) => readonly object[]>> = {
  payout: ({ amount, party, transactionId }) => [
    { Key: 'TransactionAmount', Value: Number(amount) },
    { Key: 'TransactionReceipt', Value: transactionId },
    { Key: 'ReceiverPartyPublicName', Value: named(party) },
    { Key: 'TransactionCompletedDateTime', Value: '06.07.2024 22:48:52' },
    { Key: 'B2CUtilityAccountAvailableFunds', Value: 8_959_269.6 },
    { Key: 'B2CWorkingAccountAvailableFunds', Value: 1_199_371 },
    { Key: 'B2CRecipientIsRegisteredCustomer', Value: 'Y' },
    { Key: 'B2CChargesPaidAccountAvailableFunds', Value: -1980 },
  ],
  reversal: ({ amount, party, more }) => [
    { Key: 'DebitAccountBalance', Value: 'Utility Account|KES|7722179.62|7722179.62|0.00|0.00' },
    { Key: 'Amount', Value: Number(amount) },
    { Key: 'TransCompletedTime', Value: 20_211_114_132_711 },
    { Key: 'OriginalTransactionID', Value: more.receipt },
    { Key: 'Charge', Value: 0 },
    { Key: 'CreditPartyPublicName', Value: named(party) },
    { Key: 'DebitPartyPublicName', Value: '600992 - Stand-in' },
  ],
  // With the oddities of the operator's own sample: a name twice, and a member without a value.
  status: ({ more }) => [
    { Key: 'DebitPartyName', Value: '600310 - Stand-in' },
    { Key: 'DebitPartyName', Value: named(more.aboutParty ?? '') },
    { Key: 'OriginatorConversationID', Value: more.aboutOriginator },
    { Key: 'InitiatedTime', Value: '20180223054112' },
    { Key: 'TransactionReason' },
    { Key: 'ReasonType', Value: 'Business Payment to Customer via API' },
    { Key: 'TransactionStatus', Value: more.aboutState },
    { Key: 'Amount', Value: more.aboutAmount },
    { Key: 'ConversationID', Value: more.aboutConversation },
    { Key: 'ReceiptNo', Value: more.aboutReceipt },
  ],
}
