/** Codes of machines are said in the words of people, in the language of the reader. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../../harness/dashboard.ts'
import { delayPayingOut, start } from '../../../harness/every-kind.ts'
import { eventually, payer } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { redact } from '../../../src/domain/accounts/redaction.ts'
import { maskedSubject } from '../../../src/domain/callbacks/masked-subject.ts'
import { FAILURE_CODES, paymentFailure } from '../../../src/domain/failure.ts'
import type { Payment } from '../../../src/domain/payments/payment.ts'
import { hiddenNumber } from '../../../src/domain/phone-number.ts'
import { SIGNATURE_PROBLEMS } from '../../../src/signing/signature-problems.ts'
import { codeMeaning, failureText } from '../../../src/web/dashboard/failure-words.ts'
import {
  causeText,
  outcomeText,
  resolutionText,
} from '../../../src/web/dashboard/payments/story-words.ts'
import { verdictText } from '../../../src/web/dashboard/signatures/verdict-words.ts'

const service = await shareService()
after(() => service.stop())
const owner = await signedIn(service, 'owner', { merchantId: service.merchantId })

const paid = await service.deposit({ amount: '15' })
const failed = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB'), amount: '20' })
await service.reaches(paid.id, 'COMPLETED')
await service.reaches(failed.id, 'FAILED')

const plain = (text: string): string =>
  text
    .replaceAll(/&#39;|&#x27;/g, "'")
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/[\u00a0\u202f]/g, ' ')

describe('every code', () => {
  const tables = [
    ['failure', Object.keys(FAILURE_CODES), codeMeaning],
    ['signature', [...Object.keys(SIGNATURE_PROBLEMS), 'VERIFIED', 'REPLAYED'], verdictText],
    ['cause of a case', ['CONTRADICTION', 'UNKNOWN_OUTCOME'], causeText],
    ['end of a case', ['CORRECTED', 'DISMISSED', 'PAID', 'NOT_PAID'], resolutionText],
    [
      'answer of an operator',
      ['DONE', 'PENDING', 'asked on', 'not genuine', 'UNKNOWN TIMEOUT', 'REFUSED PAYER_NOT_FOUND'],
      outcomeText,
    ],
  ] as const
  for (const [name, codes, textOf] of tables) {
    it(`of a ${name} has words of its own in both languages`, () => {
      for (const code of codes) {
        const [english, french] = [textOf(code, 'en'), textOf(code, 'fr')]
        assert.notEqual(english, french, code)
        for (const text of [english, french]) assert.doesNotMatch(text, /[A-Z]{2,}_|^[A-Z]+$/, code)
      }
    })
  }

  it('keeps what an operator adds to it', () => {
    assert.equal(
      failureText(paymentFailure('OTHER_ERROR', 'SIM swapped'), 'fr'),
      'L’opérateur a mis fin au paiement pour une raison qui n’a pas de code. (SIM swapped)',
    )
  })
})

it('the time line says where money went without names of accounts', async () => {
  const rows = [
    ['en', '15.00 ZMW moved from the operator’s float to your ZMW wallet'],
    ['fr', '15,00 ZMW du solde chez l’opérateur vers votre portefeuille ZMW'],
  ] as const
  for (const [lang, expected] of rows) {
    const text = plain((await owner.get(`/dashboard/deposits/${paid.id}?lang=${lang}`)).text)
    assert.ok(text.includes(expected), expected)
    assert.doesNotMatch(text, /(float|wallet|reserve):/)
  }
})

it('Home says that more currencies have volume, and draws them for who asks', async () => {
  const own = await shareService()
  const visitor = await signedIn(own, 'owner', { merchantId: own.merchantId })
  const rows = [
    ['260763456789', 'MTN_MOMO_ZMB', 'ZMW'],
    ['256783456789', 'MTN_MOMO_UGA', 'UGX'],
    ['250783456789', 'MTN_MOMO_RWA', 'RWF'],
    ['254708663158', 'MPESA_KEN', 'KES'],
    ['233593456789', 'MTN_MOMO_GHA', 'GHS'],
  ] as const
  for (const [number, provider, currency] of rows) {
    const made = await own.deposit({ payer: payer(number, provider), amount: '700', currency })
    await own.reaches(made.id, 'COMPLETED')
  }
  const drawn = (text: string): number => text.match(/Deposits: volume in [A-Z]{3}/g)?.length ?? 0
  const some = await eventually(async () => {
    const { text } = await visitor.get('/dashboard')
    assert.match(text, /Volume is drawn of 4 currencies out of 5/)
    return text
  })
  const href = /href="([^"]+)">Draw all currencies/.exec(some)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const all = await visitor.get(href)
  assert.match(all.text, /Volume is drawn of all 5 currencies/)
  assert.equal(drawn(all.text) > drawn(some), true)
})

it('filters name countries, and offer in order what the person may see', async () => {
  const limited = await signedIn(service, 'support', {
    merchantId: service.merchantId,
    countries: ['ZMB'],
  })
  const optionsOf = (text: string, name: string): string[] =>
    [
      ...(new RegExp(`<select id="${name}".*?</select>`, 's').exec(text)?.[0] ?? '').matchAll(
        /<option[^>]*>([^<]*)</g,
      ),
    ].map(([, option]) => option ?? '')
  const all = (await owner.get('/dashboard/deposits')).text
  const [, ...providers] = optionsOf(all, 'provider')
  assert.deepEqual(
    providers,
    providers.toSorted((one, other) => one.localeCompare(other, 'en')),
  )
  assert.ok(optionsOf(all, 'country').includes('Zambia'))
  assert.match(all, /data-label="Country">Zambia</)
  const few = (await limited.get('/dashboard/deposits?lang=fr')).text
  assert.deepEqual(optionsOf(few, 'country'), ['Tous', 'Zambie'])
  assert.deepEqual(optionsOf(few, 'currency'), ['Tous', 'ZMW'])
  assert.ok(
    optionsOf(few, 'provider')
      .slice(1)
      .every((name) => name.includes('_ZMB')),
  )
})

it('a number is hidden in one way wherever it is shown', async () => {
  for (const path of [`/dashboard/deposits/${paid.id}`, '/dashboard/deposits']) {
    const { text } = await owner.get(path)
    assert.match(text, /\+260 76 \*\*\* \*789/, path)
    assert.doesNotMatch(text, /\*{4,}\d|\d{3}\*{3}\d/, path)
  }
  const payment = { kind: 'deposit', phoneNumber: '260763456789', details: {} } as Payment
  assert.equal((maskedSubject(payment) as Payment).phoneNumber, '+260 76 *** *789')
  assert.deepEqual(redact({ phoneNumber: '260763456789' }, false).value, {
    phoneNumber: '+260 76 *** *789',
  })
  for (const [number, hidden] of [
    ['0763456789', '076 *** *789'],
    ['76345678', '***'],
  ] as const) {
    assert.equal(hiddenNumber(number), hidden)
  }
})

it('a callback can be sent again only where the payment has ended', async () => {
  const open = await service.deposit({ payer: payer('260763456129', 'MTN_MOMO_ZMB') })
  await service.reaches(open.id, 'PROCESSING')
  const textOf = async (id: string) => (await owner.get(`/dashboard/deposits/${id}`)).text
  assert.ok((await textOf(paid.id)).includes('Send the callback again'))
  assert.ok(!(await textOf(open.id)).includes('Send the callback again'))
})

describe('in French', () => {
  it('a payment says with its code why it failed', async () => {
    const text = plain((await owner.get(`/dashboard/deposits/${failed.id}?lang=fr`)).text)
    assert.match(text, /PAYMENT_NOT_APPROVED : Le client n’a pas validé le paiement\./)
    assert.doesNotMatch(text.split('JSON brut')[0] ?? '', /did not approve/)
  })

  it('a refusal says why', async () => {
    await delayPayingOut(service)
    const enqueued = await start(service, 'payout', 'OPEN')
    const path = `/dashboard/deposits/${paid.id}`
    const wrongAmounts = [
      ['99999', 'Montant : « 99999 » dépasse ce qui peut être remboursé. Indiquez 15,00 ZMW'],
      ['x', 'Montant : « x » n’est pas un montant. Écrivez-le comme 15,00.'],
      ['', 'Montant : indiquez la somme à rembourser, par exemple 15,00.'],
    ] as const
    for (const [amount, expected] of wrongAmounts) {
      const { text } = await owner.get(`${path}/refund?lang=fr&amount=${amount}`)
      assert.ok(plain(text).includes(expected), amount)
    }
    const rows = [
      [`${path}/cancel`, {}, 'Le paiement n’est plus en file d’attente'],
      [`/dashboard/payouts/${enqueued.id}/resend`, {}, 'Le paiement n’est pas terminé.'],
    ] as const
    for (const [action, form, expected] of rows) {
      const answer = await owner.post(`${action}?lang=fr`, form)
      assert.equal(answer.status, 303, action)
      const kept = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      const cookie = [owner.cookie, ...kept].join('; ')
      const text = plain((await owner.get(`${answer.location}?lang=fr`, { cookie })).text)
      assert.ok(text.includes(`Non effectué : ${expected}`), `${action} ${JSON.stringify(form)}`)
    }
  })

  it('several states that a link asks for are named in the filter', async () => {
    const query = 'status=ACCEPTED,ENQUEUED,PROCESSING,IN_RECONCILIATION&lang=fr'
    const { text } = await owner.get(`/dashboard/deposits?${query}`)
    assert.match(
      text,
      /<option [^>]*value="ACCEPTED,ENQUEUED[^>]*>Accepté, En file d’attente, En cours ou En rapproch/,
    )
  })
})
