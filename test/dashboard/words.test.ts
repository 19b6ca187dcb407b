/** Codes of machines are said in the words of people, in the language of the reader. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { signedIn } from '../../harness/dashboard.ts'
import { delayPayingOut, start } from '../../harness/every-kind.ts'
import { payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import { FAILURE_CODES, paymentFailure } from '../../src/domain/failure.ts'
import { SIGNATURE_PROBLEMS } from '../../src/signing/signature-problems.ts'
import { codeMeaning, failureText } from '../../src/web/dashboard/failure-words.ts'
import {
  causeText,
  outcomeText,
  resolutionText,
} from '../../src/web/dashboard/payments/story-words.ts'
import { verdictText } from '../../src/web/dashboard/signatures/verdict-words.ts'

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

  it('keeps what an operator said beyond it', () => {
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
  for (const [lang, said] of rows) {
    const text = plain((await owner.get(`/dashboard/deposits/${paid.id}?lang=${lang}`)).text)
    assert.ok(text.includes(said), said)
    assert.doesNotMatch(text, /(float|wallet|reserve):/)
  }
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
    for (const [amount, said] of wrongAmounts) {
      const { text } = await owner.get(`${path}/refund?lang=fr&amount=${amount}`)
      assert.ok(plain(text).includes(said), amount)
    }
    const rows = [
      [`${path}/cancel`, {}, 'Le paiement n’est plus en file d’attente'],
      [`/dashboard/payouts/${enqueued.id}/resend`, {}, 'Le paiement n’est pas terminé.'],
    ] as const
    for (const [action, form, said] of rows) {
      const answer = await owner.post(`${action}?lang=fr`, form)
      assert.equal(answer.status, 303, action)
      const kept = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      const cookie = [owner.cookie, ...kept].join('; ')
      const text = plain((await owner.get(`${answer.location}?lang=fr`, { cookie })).text)
      assert.ok(text.includes(`Non effectué : ${said}`), `${action} ${JSON.stringify(form)}`)
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
