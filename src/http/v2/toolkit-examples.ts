/** What the toolkit answers; the reference shows it. */
const operation = {
  minAmount: '1',
  maxAmount: '20000',
  decimalsInAmount: 'TWO_PLACES',
  status: 'OPERATIONAL',
}

const pinPromptInstructions = {
  channels: [
    {
      type: 'USSD',
      displayName: {
        en: 'No PIN prompt on your phone?',
        fr: 'Pas de demande de code secret sur votre téléphone ?',
      },
      variables: { shortCode: '*115#', provider: 'MTN MoMo' },
      instructions: {
        en: [
          {
            text: 'Dial *115# on the phone that pays.',
            template: 'Dial {{shortCode}} on the phone that pays.',
          },
        ],
        fr: [
          {
            text: 'Composez le *115# sur le téléphone qui paie.',
            template: 'Composez le {{shortCode}} sur le téléphone qui paie.',
          },
        ],
      },
    },
  ],
}

export const CONFIGURATION_EXAMPLES = {
  'One country': {
    companyName: 'Demo Merchant',
    signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
    countries: [
      {
        country: 'ZMB',
        displayName: { en: 'Zambia', fr: 'Zambie' },
        prefix: '260',
        flag: 'https://pay.example/assets/flags/zmb.svg',
        providers: [
          {
            provider: 'MTN_MOMO_ZMB',
            displayName: 'MTN',
            logo: 'https://pay.example/assets/logos/mtn.png',
            nameDisplayedToCustomer: 'Demo Merchant',
            currencies: [
              {
                currency: 'ZMW',
                displayName: 'ZK',
                operationTypes: {
                  DEPOSIT: {
                    ...operation,
                    callbackUrl: 'https://shop.example/callbacks',
                    authType: 'PROVIDER_AUTH',
                    pinPrompt: 'AUTOMATIC',
                    pinPromptRevivable: true,
                    pinPromptInstructions,
                  },
                  PAYOUT: operation,
                },
              },
            ],
          },
        ],
      },
    ],
  },
}

export const AVAILABILITY_EXAMPLES = {
  'One country': [
    {
      country: 'ZMB',
      providers: [
        {
          provider: 'MTN_MOMO_ZMB',
          operationTypes: { DEPOSIT: 'OPERATIONAL', PAYOUT: 'DELAYED', REFUND: 'DELAYED' },
        },
      ],
    },
  ],
}

export const PREDICTION_EXAMPLES = {
  Predicted: { country: 'ZMB', provider: 'MTN_MOMO_ZMB', phoneNumber: '260763456789' },
}
