/** Answers of the virtual phone as they really look, for the reference. */
export const PHONE_EXAMPLES = {
  'It asks about a payment': {
    msisdn: '260761234567',
    mode: 'interactive',
    script: [],
    prompts: [
      {
        id: '019a8f7e-6a51-7c3b-9d0e-4b1f2c3d5e6f',
        depositId: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639',
        amount: '15',
        currency: 'ZMW',
        payee: 'Demo Merchant',
        provider: 'MTN_MOMO_ZMB',
        providerName: 'MTN MoMo',
        reference: 'Order 12345',
        expiresAt: '2026-11-17T10:03:00.000Z',
      },
    ],
    messages: [],
  },
  'It got a receipt': {
    msisdn: '260761234567',
    mode: 'interactive',
    script: [],
    prompts: [],
    messages: [
      {
        at: '2026-11-17T10:00:21.000Z',
        text: 'You paid ZMW 15 to Demo Merchant. Transaction SBX7E6A517C3B9D0E4B.',
      },
    ],
  },
}

export const ACTION_EXAMPLES = {
  Approved: { message: 'You approved the payment of ZMW 15 to Demo Merchant.' },
  'A wrong PIN': { message: 'The PIN is wrong. You have 2 tries left.' },
  'A one-time code': {
    message: 'Your one-time code is 482913. It is valid for 15 minutes, for one payment.',
    code: '482913',
  },
}
