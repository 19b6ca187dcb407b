import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { redact, redactUrl } from '../../src/domain/accounts/redaction.ts'

const asked = (value: unknown): unknown => redact(value, false).value
const shown = (value: unknown): unknown => redact(value, true).value

describe('what is kept of a request', () => {
  it('has phone numbers without their middle, wherever they are and however they are written', () => {
    assert.deepEqual(
      asked({
        payer: { type: 'MMO', accountDetails: { phoneNumber: '260763456789', provider: 'X' } },
        recipient: { type: 'MSISDN', address: { value: '+260 763 456 789' } },
        msisdn: 260763456789,
        note: 'call +260763456789 or 0763456789',
        other: '0763 456-789',
        count: 260763456789,
        phoneNumber: ['12'],
      }),
      {
        payer: { type: 'MMO', accountDetails: { phoneNumber: '+260 76 *** *789', provider: 'X' } },
        recipient: { type: 'MSISDN', address: { value: '+260 76 *** *789' } },
        msisdn: '+260 76 *** *789',
        note: 'call +260***89 or 076***89',
        other: '076 *** *789',
        count: '+260 76 *** *789',
        phoneNumber: ['***'],
      },
    )
  })

  it('has no value that is marked as personal, in either generation', () => {
    assert.deepEqual(
      asked({
        metadata: [
          { orderId: 'ORD-1' },
          { email: 'a@example.com', isPII: true },
          { email: 'b@example.com', IS_PII: 'yes' },
          { fieldName: 'customer', fieldValue: 'c@example.com', isPII: true },
          { shown: 'yes', isPII: false },
        ],
      }),
      {
        metadata: [
          { orderId: 'ORD-1' },
          { email: '***', isPII: true },
          { email: '***', IS_PII: '***' },
          { fieldName: 'customer', fieldValue: '***', isPII: true },
          { shown: 'yes', isPII: false },
        ],
      },
    )
  })

  it('has no one-time code, PIN, token or other secret', () => {
    const secrets = {
      preAuthorisationCode: '123456',
      preAuthorizationCode: '123456',
      pin: 1234,
      otp: '99',
      code: 'x',
      apiKey: 'k',
      password: ['p'],
      clientSecret: { a: 'b' },
    }
    const kept = JSON.stringify(asked(secrets))
    assert.doesNotMatch(kept, /1234|99|"x"|"k"|"p"|"b"/)
    assert.deepEqual(asked({ note: 'Bearer mlp_sbx_abc-DEF_1' }), { note: 'Bearer mlp_***' })
  })

  it('has nothing of the people of a remittance', () => {
    const kept = JSON.stringify(
      asked({
        sender: { senderDetails: { firstName: 'Amina', address: { city: 'London' } } },
        recipient: { recipientDetails: { lastName: 'Mwale' } },
        firstName: 'Alone',
      }),
    )
    assert.doesNotMatch(kept, /Amina|London|Mwale|Alone/)
  })

  it('keeps what is needed to understand it', () => {
    const body = {
      depositId: '0f47ac10-58cc-4372-a567-0e02b2c3d479',
      amount: '1500000000',
      currency: 'ZMW',
      clientReferenceId: 'INV-123456',
      customerMessage: 'Order 17',
      created: '2026-11-17T17:47:54Z',
      day: '2026-11-17',
      providerTransactionId: '1234567890',
      nothing: null,
      absent: undefined,
      isOn: true,
      few: 12,
    }
    assert.deepEqual(asked(body), body)
  })

  it('keeps a reference that looks like a phone number for the merchant alone', () => {
    const body = { clientReferenceId: '260763456789', providerTransactionId: '260763456789' }
    assert.deepEqual(shown(body), body)
    const { value } = redact(body, true, true)
    assert.deepEqual(value, { ...body, clientReferenceId: '+260 76 *** *789' })
  })

  it('names the records and the place that it is about', () => {
    const { ids, providers, countries, currencies } = redact(
      [
        { payoutId: '0F47AC10-58CC-4372-A567-0E02B2C3D479', currency: 'ZMW' },
        { recipient: { accountDetails: { provider: 'MTN_MOMO_ZMB' } }, country: 'ZMB' },
      ],
      false,
    )
    assert.deepEqual([...ids], ['0f47ac10-58cc-4372-a567-0e02b2c3d479'])
    assert.deepEqual(
      [[...providers], [...countries], [...currencies]],
      [['MTN_MOMO_ZMB'], ['ZMB'], ['ZMW']],
    )
  })
})

describe('what is kept of an answer', () => {
  it('has no metadata, no balance and no link that opens something', () => {
    assert.deepEqual(
      shown({
        data: { metadata: { customer: 'a@example.com' }, balance: '12' },
        redirectUrl: 'https://pay.example.com/pay/SECRET?lang=fr',
        downloadUrl: 'https://pay.example.com/statements/SECRET',
        authorizationUrl: 'https://operator.example.com/authorise/SECRET',
      }),
      {
        data: { metadata: { customer: '***' }, balance: '***' },
        redirectUrl: 'https://pay.example.com/pay/***?lang=fr',
        downloadUrl: 'https://pay.example.com/statements/***',
        authorizationUrl: '***',
      },
    )
  })

  it('has the same left out of a text that is JSON itself', () => {
    const body = JSON.stringify({ metadata: { a: 'secret' }, phoneNumber: '260763456789' })
    const kept = shown({ requestBody: body }) as { requestBody: string }
    assert.deepEqual(JSON.parse(kept.requestBody), {
      metadata: { a: '***' },
      phoneNumber: '+260 76 *** *789',
    })
    assert.deepEqual(shown({ requestBody: '{"a": broken' }), { requestBody: '***' })
  })
})

it('an address loses numbers and secrets, and keeps identifiers', () => {
  const id = '12345678-1234-4234-8234-123456789012'
  assert.equal(redactUrl(`/v2/deposits/${id}`), `/v2/deposits/${id}`)
  assert.equal(redactUrl('/sandbox/phones/260763456789'), '/sandbox/phones/260***89')
  assert.equal(
    redactUrl('/x?phoneNumber=%2B26076&a=1&token=abc'),
    '/x?phoneNumber=***&a=1&token=***',
  )
})
