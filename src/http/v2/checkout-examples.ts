import { RECORD_EXAMPLES } from './examples.ts'

/** What the answers about hosted pages look like. */
const checkoutId = '2d3f7a10-94a5-4f5d-8f0c-6a1a0f5b7c11'
const depositId = '5c1e0a7e-0c3b-4b0e-9b52-0b6f8f5d2a10'
const checkoutCode = '7mVk1x8UbTamQ64xGRpQ2c'
const redirectUrl = `https://pay.example/checkout/${checkoutCode}`
const created = '2026-11-15T10:12:00Z'
const expiresAt = '2026-11-15T10:27:00Z'
const link = { redirectUrl, created, expiresAt, checkoutCode }

const asked = {
  expiresAfter: 15,
  returnUrl: 'https://shop.example/thanks',
  returnMethod: 'INSTANT',
  countries: ['ZMB'],
  amounts: [{ country: 'ZMB', currency: 'ZMW', amount: '15' }],
  reason: { en: 'Order 12345', fr: 'Commande 12345' },
}

const { COMPLETED: deposit } = RECORD_EXAMPLES

const waiting = {
  checkoutId,
  status: 'WAITING_PAYMENT',
  ...link,
  ...asked,
  depositsHistory: [],
}

const completed = {
  checkoutId,
  status: 'COMPLETED',
  ...link,
  ...asked,
  depositStatus: 'COMPLETED',
  deposit,
  depositsHistory: [deposit],
  providerTransactionId: deposit.providerTransactionId,
}

export const CHECKOUT_RECORD_EXAMPLES = {
  COMPLETED: completed,
  EXPIRED: { ...waiting, status: 'EXPIRED' },
}

const noCurrency = {
  failureCode: 'INVALID_CURRENCY',
  failureMessage:
    "The currency 'EUR' is not supported by any provider that could take this deposit in 'ZMB'. " +
    'Use a currency that the active configuration lists.',
}

export const CHECKOUT_EXAMPLES = {
  initiation: {
    ACCEPTED: { checkoutId, status: 'ACCEPTED', ...link },
    DUPLICATE_IGNORED: { checkoutId, status: 'DUPLICATE_IGNORED', ...link },
    REJECTED: { checkoutId, status: 'REJECTED', failureReason: noCurrency },
  },
  status: {
    COMPLETED: { status: 'FOUND', data: completed },
    WAITING_PAYMENT: { status: 'FOUND', data: waiting },
    NOT_FOUND: { status: 'NOT_FOUND' },
  },
  expiry: {
    EXPIRED: {
      checkoutId,
      status: 'EXPIRED',
      expiredAt: '2026-11-15T10:20:00Z',
      reason: 'MANUAL_EXPIRY',
      expiredBy: 'API',
    },
    'an attempt is under way': { checkoutId, status: 'PROCESSING' },
  },
  resend: {
    ACCEPTED: { checkoutId, status: 'ACCEPTED' },
    REJECTED: {
      checkoutId,
      status: 'REJECTED',
      failureReason: {
        failureCode: 'INVALID_STATE',
        failureMessage:
          `The checkout '${checkoutId}' has not finished processing: it is WAITING_PAYMENT. ` +
          'Its callback is sent when it is COMPLETED, FAILED, EXPIRED or CANCELLED.',
      },
    },
  },
}

export const PAYMENT_PAGE_EXAMPLES = {
  DUPLICATE_IGNORED: { depositId, status: 'DUPLICATE_IGNORED' },
  REJECTED: { depositId, status: 'REJECTED', failureReason: noCurrency },
}
