import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { pageBody } from '../../../harness/hosted.ts'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { startService } from '../../../harness/service.ts'
import { enableProvider } from '../../../src/store/accounts/merchants.ts'
import { assertAnswer, reason, refused } from '../../support/shapes.ts'

const service = await startService({ MALIPO_PUBLIC_URL: 'https://pay.example' })
after(service.stop)

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
const catalog: readonly Json[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

async function ask(token: string, query = '') {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${service.url}/v2/active-conf${query}`, { headers })
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Json,
  }
}
const demo = (query = '') => ask(service.token, query)

const step = (template: string, text: string) => ({ text, template })
const limits = (minAmount: string, maxAmount: string, decimalsInAmount: string) => ({
  minAmount,
  maxAmount,
  decimalsInAmount,
  status: 'OPERATIONAL',
})
const whole = limits('100', '2000000', 'NONE')
const cents = limits('1', '20000', 'TWO_PLACES')

const BURKINA_FASO = {
  country: 'BFA',
  displayName: { en: 'Burkina Faso', fr: 'Burkina Faso' },
  prefix: '226',
  flag: 'https://pay.example/assets/flags/bfa.svg',
  providers: [
    {
      provider: 'ORANGE_BFA',
      displayName: 'Orange',
      logo: 'https://pay.example/assets/logos/orange.png',
      nameDisplayedToCustomer: 'Corner Shop & Co',
      currencies: [
        {
          currency: 'XOF',
          displayName: 'CFA',
          operationTypes: {
            DEPOSIT: {
              ...whole,
              authType: 'PREAUTH',
              authTokenInstructions: {
                channels: [
                  {
                    type: 'USSD',
                    displayName: {
                      en: 'Get a one-time code for the payment',
                      fr: 'Obtenez un code à usage unique pour le paiement',
                    },
                    variables: { shortCode: '*144*4*6#', provider: 'Orange Money' },
                    instructions: {
                      en: [
                        step(
                          'Dial {{shortCode}} on the phone that pays.',
                          'Dial *144*4*6# on the phone that pays.',
                        ),
                        step(
                          'Enter the amount that you want to pay.',
                          'Enter the amount that you want to pay.',
                        ),
                        step('Enter your {{provider}} PIN.', 'Enter your Orange Money PIN.'),
                        step(
                          'A message brings you a one-time code. Enter it where you pay.',
                          'A message brings you a one-time code. Enter it where you pay.',
                        ),
                      ],
                      fr: [
                        step(
                          'Composez le {{shortCode}} sur le téléphone qui paie.',
                          'Composez le *144*4*6# sur le téléphone qui paie.',
                        ),
                        step('Saisissez le montant à payer.', 'Saisissez le montant à payer.'),
                        step(
                          'Saisissez votre code secret {{provider}}.',
                          'Saisissez votre code secret Orange Money.',
                        ),
                        step(
                          'Vous recevez un code à usage unique par SMS. Saisissez-le à l’endroit où vous payez.',
                          'Vous recevez un code à usage unique par SMS. Saisissez-le à l’endroit où vous payez.',
                        ),
                      ],
                    },
                  },
                ],
              },
            },
            PAYOUT: whole,
            REFUND: whole,
            REMITTANCE: whole,
          },
        },
      ],
    },
  ],
}

const SENEGAL = {
  country: 'SEN',
  displayName: { en: 'Senegal', fr: 'Sénégal' },
  prefix: '221',
  flag: 'https://pay.example/assets/flags/sen.svg',
  providers: [
    {
      provider: 'WAVE_SEN',
      displayName: 'Wave',
      logo: 'https://pay.example/assets/logos/wave.png',
      nameDisplayedToCustomer: 'Corner Shop & Co',
      currencies: [
        {
          currency: 'XOF',
          displayName: 'CFA',
          operationTypes: {
            DEPOSIT: { ...limits('100', '1500000', 'NONE'), authType: 'REDIRECT_AUTH' },
            PAYOUT: limits('100', '1500000', 'NONE'),
            REFUND: limits('100', '1500000', 'NONE'),
            REMITTANCE: limits('100', '1500000', 'NONE'),
          },
        },
      ],
    },
  ],
}

const ZAMBIA = {
  country: 'ZMB',
  displayName: { en: 'Zambia', fr: 'Zambie' },
  prefix: '260',
  flag: 'https://pay.example/assets/flags/zmb.svg',
  providers: [
    {
      provider: 'MTN_MOMO_ZMB',
      displayName: 'MTN',
      logo: 'https://pay.example/assets/logos/mtn.png',
      nameDisplayedToCustomer: 'Corner Shop & Co',
      currencies: [
        {
          currency: 'ZMW',
          displayName: 'ZK',
          operationTypes: {
            DEPOSIT: {
              ...cents,
              authType: 'PROVIDER_AUTH',
              pinPrompt: 'AUTOMATIC',
              pinPromptRevivable: true,
              pinPromptInstructions: {
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
                        step(
                          'Dial {{shortCode}} on the phone that pays.',
                          'Dial *115# on the phone that pays.',
                        ),
                        step(
                          'In the menu, open the payments that wait for your approval and choose this one.',
                          'In the menu, open the payments that wait for your approval and choose this one.',
                        ),
                        step(
                          'Check the amount, then enter your {{provider}} PIN to approve the payment.',
                          'Check the amount, then enter your MTN MoMo PIN to approve the payment.',
                        ),
                      ],
                      fr: [
                        step(
                          'Composez le {{shortCode}} sur le téléphone qui paie.',
                          'Composez le *115# sur le téléphone qui paie.',
                        ),
                        step(
                          'Dans le menu, ouvrez les paiements en attente de validation et choisissez celui-ci.',
                          'Dans le menu, ouvrez les paiements en attente de validation et choisissez celui-ci.',
                        ),
                        step(
                          'Vérifiez le montant, puis saisissez votre code secret {{provider}} pour valider le paiement.',
                          'Vérifiez le montant, puis saisissez votre code secret MTN MoMo pour valider le paiement.',
                        ),
                      ],
                    },
                  },
                ],
              },
            },
            PAYOUT: cents,
            REFUND: cents,
            REMITTANCE: cents,
          },
        },
      ],
    },
  ],
}

const shop = await addMerchant(service, {
  slug: 'shop',
  name: 'Corner Shop & Co',
  providers: ['MTN_MOMO_ZMB', 'WAVE_SEN', 'ORANGE_BFA'],
})
const account = {
  companyName: 'Corner Shop & Co',
  signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
}

it('an account sees its own providers and nothing of others, each kind of approval whole', async () => {
  const countries = [BURKINA_FASO, SENEGAL, ZAMBIA]
  assertAnswer(await ask(shop.token), 200, { ...account, countries })
})

const providersOf = (body: Json): Json[] => body.countries.flatMap((one: Json) => one.providers)
const codesOf = (body: Json): string[] => providersOf(body).map((one) => one.provider)

it('the demo account has every provider of the catalogue with its own limits', async () => {
  const { body } = await demo()
  assert.equal(body.companyName, 'Demo Merchant')
  assert.equal(body.countries.length, 20)
  assert.deepEqual(codesOf(body).toSorted(), catalog.map((one) => one.provider).toSorted())
  for (const { country, displayName, prefix, providers } of body.countries) {
    for (const { provider, displayName: name, currencies } of providers) {
      const entry = catalog.find((one) => one.provider === provider)
      assert.deepEqual(
        { country, displayName, prefix, name },
        {
          country: entry.country,
          displayName: entry.countryName,
          prefix: entry.prefix,
          name: entry.displayName,
        },
      )
      assert.deepEqual(currencies.map(limitsShown), entry.currencies.map(limitsKnown))
    }
  }
})

const limitsShown = ({ currency, displayName, operationTypes }: Json) => ({
  currency,
  displayName,
  operations: Object.entries<Json>(operationTypes).map(([type, one]) => [
    type,
    one.minAmount,
    one.maxAmount,
    one.decimalsInAmount,
    one.authType,
    one.pinPrompt,
    one.pinPromptRevivable,
  ]),
})

/** A remittance has the limits of a payout. */
const limitsKnown = ({ currency, symbol, operations }: Json) => ({
  currency,
  displayName: symbol,
  operations: Object.entries<Json>({ ...operations, REMITTANCE: operations.PAYOUT }).map(
    ([type, one]) => [
      type,
      one.min,
      one.max,
      one.decimalsInAmount,
      one.authType,
      one.pinPrompt,
      one.pinPromptRevivable,
    ],
  ),
})

describe('instructions', () => {
  type Shown = { provider: string; entry: Json; deposit: Json }
  const deposits = async (): Promise<Shown[]> =>
    providersOf((await demo()).body).flatMap(({ provider, currencies }) =>
      currencies.map(({ currency, operationTypes }: Json) => ({
        provider,
        deposit: operationTypes.DEPOSIT,
        entry: catalog
          .find((one) => one.provider === provider)
          .currencies.find((one: Json) => one.currency === currency).operations.DEPOSIT,
      })),
    )

  it('are there for every provider that has a code to dial, and for no other', async () => {
    const found = await deposits()
    for (const { provider, deposit, entry } of found) {
      const pin = entry.hasPinPromptInstructions === true
      assert.equal(deposit.pinPromptInstructions !== undefined, pin, provider)
      const token = entry.authType === 'PREAUTH'
      assert.equal(deposit.authTokenInstructions !== undefined, token, provider)
    }
    const shown = found.filter(({ deposit }) => deposit.pinPromptInstructions !== undefined)
    assert.equal(shown.length, 18)
  })

  it('have every template filled from the variables, in both languages', async () => {
    for (const { provider, deposit, entry } of await deposits()) {
      const { channels = [] } = deposit.pinPromptInstructions ?? deposit.authTokenInstructions ?? {}
      for (const { variables, quickLink, displayName, instructions } of channels) {
        assert.equal(variables.shortCode, entry.ussdShortCode, provider)
        assert.equal(quickLink, entry.ussdQuickLink, provider)
        assert.ok(
          displayName.en !== '' && displayName.fr !== '' && displayName.en !== displayName.fr,
        )
        assert.equal(instructions.en.length, instructions.fr.length)
        for (const steps of [instructions.en, instructions.fr]) {
          assert.ok(steps.length >= 3, provider)
          const used = new Set<string>()
          for (const { text, template } of steps) {
            const filled = template.replace(/\{\{(.*?)\}\}/g, (_: string, name: string) => {
              used.add(name)
              return variables[name]
            })
            assert.equal(text, filled)
            assert.doesNotMatch(text, /[{}]|undefined/)
          }
          assert.deepEqual([...used].toSorted(), Object.keys(variables).toSorted(), provider)
        }
      }
    }
  })

  it('name the menu entries that a quick link goes through', async () => {
    const found = (await deposits()).find(({ provider }) => provider === 'MTN_MOMO_BEN')
    const [channel] = found?.deposit.pinPromptInstructions.channels ?? []
    assert.equal(channel.quickLink, '*840*8*2*1#')
    assert.equal(
      channel.instructions.en[1].text,
      'In the menus, choose 8, 2, 1, one after the other.',
    )
  })
})

describe('filters:', () => {
  for (const [query, countries] of [
    ['?country=ZMB', [ZAMBIA]],
    ['?country=', [BURKINA_FASO, SENEGAL, ZAMBIA]],
    ['?country=SEN&operationType=', [SENEGAL]],
    ['?country=KEN', []],
    ['?country=FRA', []],
    ['?operationType=NAME_LOOKUP', []],
    ['?operationType=USSD_DEPOSIT', []],
    ['?operationType=PUSH_DEPOSIT', []],
    ['?country=ZMB&operationType=PUSH_DEPOSIT', []],
    ['?other=1', [BURKINA_FASO, SENEGAL, ZAMBIA]],
  ] as const) {
    it(`${query} leaves ${countries.length} countries`, async () => {
      assertAnswer(await ask(shop.token, query), 200, { ...account, countries })
    })
  }

  for (const type of ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE']) {
    it(`?operationType=${type} leaves this operation`, async () => {
      const { body } = await demo(`?operationType=${type}`)
      assert.equal(codesOf(body).length, 42)
      for (const { currencies } of providersOf(body)) {
        for (const { operationTypes } of currencies) {
          assert.deepEqual(Object.keys(operationTypes), [type])
        }
      }
    })
  }
})

it('an operation that is not enabled is not listed, nor a provider without any', async () => {
  const few = await addMerchant(service, {
    slug: 'few',
    providers: ['MTN_MOMO_ZMB', 'ZAMTEL_ZMB', 'MPESA_KEN'],
  })
  await enableProvider(service.database, few.id, 'MTN_MOMO_ZMB', ['REFUND', 'DEPOSIT'])
  await enableProvider(service.database, few.id, 'ZAMTEL_ZMB', ['PAYOUT'])
  await enableProvider(service.database, few.id, 'MPESA_KEN', [])
  const listed = async (query: string) =>
    providersOf((await ask(few.token, query)).body).map(({ provider, currencies }) => [
      provider,
      Object.keys(currencies[0].operationTypes),
    ])
  assert.deepEqual(await listed(''), [
    ['MTN_MOMO_ZMB', ['DEPOSIT', 'REFUND']],
    ['ZAMTEL_ZMB', ['PAYOUT']],
  ])
  assert.deepEqual(await listed('?operationType=PAYOUT'), [['ZAMTEL_ZMB', ['PAYOUT']]])
  assert.deepEqual(await listed('?operationType=REMITTANCE'), [])
})

const put = (path: string, body: object) =>
  fetch(service.url + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token}` },
    body: JSON.stringify(body),
  })

it('each operation names the callback address of its kind, and none where none is set', async () => {
  const before = (await demo('?country=KEN')).body.countries[0].providers[0].currencies[0]
  for (const one of Object.values<Json>(before.operationTypes)) assert.ok(!('callbackUrl' in one))
  await put('/sandbox/callbacks', {
    deposit: 'https://shop.example/d',
    refund: 'https://r.example/',
  })
  const after = (await demo('?country=KEN')).body.countries[0].providers[0].currencies[0]
  assert.deepEqual(
    Object.entries<Json>(after.operationTypes).map(([type, one]) => [type, one.callbackUrl]),
    [
      ['DEPOSIT', 'https://shop.example/d'],
      ['PAYOUT', undefined],
      ['REFUND', 'https://r.example/'],
      ['REMITTANCE', undefined],
    ],
  )
})

it('the status is that of the provider for this account', async () => {
  for (const [operationType, status] of [
    ['DEPOSIT', 'CLOSED'],
    ['PAYOUT', 'DELAYED'],
  ]) {
    await put('/sandbox/availability', { provider: 'MTN_MOMO_ZMB', operationType, status })
  }
  const statuses = async (token: string) => {
    const { body } = await ask(token, '?country=ZMB')
    const mtn = providersOf(body).find(({ provider }) => provider === 'MTN_MOMO_ZMB')
    return Object.values<Json>(mtn.currencies[0].operationTypes).map(({ status }) => status)
  }
  assert.deepEqual(await statuses(service.token), [
    'CLOSED',
    'DELAYED',
    'OPERATIONAL',
    'OPERATIONAL',
  ])
  assert.deepEqual(await statuses(shop.token), Array(4).fill('OPERATIONAL'))
})

describe('400 INVALID_PARAMETER names the filter:', () => {
  for (const [query, message] of [
    ['?country=zmb', /'country'.*three capital letters/],
    ['?country=ZM', /'country'.*three capital letters/],
    ['?country=ZMBX', /'country'.*three capital letters/],
    ['?country=ZMB&country=KEN', /'country'.*three capital letters/],
    ['?operationType=deposit', /'operationType'.*DEPOSIT, PAYOUT, REFUND, REMITTANCE/],
    ['?operationType=TRANSFER', /'operationType'.*DEPOSIT, PAYOUT, REFUND, REMITTANCE/],
    ['?operationType=DEPOSITS', /'operationType'/],
    ['?operationType=DEPOSIT&operationType=PAYOUT', /'operationType'/],
    ['?country=ZMB&operationType=toString', /'operationType'/],
  ] as const) {
    it(query, async () => {
      assertAnswer(await demo(query), 400, reason('INVALID_PARAMETER', message))
    })
  }
})

it('401 and 403 hold the reason only', async () => {
  assertAnswer(await ask('nobody'), 401, reason('AUTHENTICATION_ERROR'))
  const { token } = await addMerchant(service, { slug: 'whole' })
  assert.equal((await ask(token)).status, 200)
  const deposits = await addToken(service, shop.id, ['deposits'])
  assertAnswer(await ask(deposits), 403, reason('AUTHORISATION_ERROR', /'toolkit:read'/))
  const reader = await addToken(service, shop.id, ['toolkit:read'])
  assert.equal((await ask(reader)).status, 200)
})

it('what nothing reaches is not offered: no provider in production yet', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SANDBOX_DELAY_MS: '',
    MALIPO_SECRET_KEY: 'only for this test, and long enough for it',
  })
  try {
    const merchant = await addMerchant(production, { slug: 'live', name: 'Live Shop' })
    const { call } = callerWith(production, merchant.token)
    const page = pageBody()
    const { depositId } = page
    const refusal = await call('POST', '/v2/paymentpage', page)
    const says = /^No provider that this service reaches takes a DEPOSIT for this account\./
    assertAnswer(refusal, 403, refused('DEPOSITS_NOT_ALLOWED', says, { depositId }))
    const body = { ...account, companyName: 'Live Shop', countries: [] }
    assertAnswer(await call('GET', '/v2/active-conf'), 200, body)
    assertAnswer(await call('GET', '/v2/availability'), 200, [])
  } finally {
    await production.stop()
  }
})
