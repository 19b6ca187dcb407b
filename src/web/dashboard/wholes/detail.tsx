import { type Checkout, isFinalCheckout } from '../../../domain/hosted/checkout.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { checkoutRecord } from '../../../http/payment-record.ts'
import { expireAs } from '../../../usecases/hosted/expire-as.ts'
import { checkoutFor, storyOfCheckout } from '../../../usecases/payments/browse-wholes.ts'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { money } from '../money-text.ts'
import { Rows } from '../payments/columns.tsx'
import { Copied } from '../payments/detail.tsx'
import { DETAIL_WORDS } from '../payments/detail-words.ts'
import { maskedWith } from '../payments/masking.ts'
import { Metadata } from '../payments/metadata.tsx'
import { countryName, State } from '../payments/parts.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { type Fact, Facts, Raw, Resend } from './parts.tsx'
import { type OwnEvent, WholeTimeline } from './timeline.tsx'
import { WHOLE_WORDS, type WholeWords } from './words.ts'

const LIST = '/dashboard/checkouts'

export async function checkoutPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const checkout = await checkoutFor(ctx, person, request.params.id ?? '')
  if (checkout === undefined) return missingPage(visit)
  const story = await storyOfCheckout(ctx, checkout)
  const words = WHOLE_WORDS[lang]
  const detail = DETAIL_WORDS[lang]
  const { metadata } = checkout.terms
  const path = `${LIST}/${checkout.id}`
  const mayExpire = !isFinalCheckout(checkout.state) && may(person.role, 'payments:refund')
  const record = checkoutRecord(checkout, ctx.hostedLinks.ofCheckout(checkout))
  return dashboardPage(visit, {
    name: 'checkouts',
    heading: words.checkoutHeading,
    children: (
      <>
        <p>
          <a href={LIST}>{detail.back}</a>
        </p>
        <div class="spread">
          <h1>{words.checkoutHeading}</h1>
          <State visit={visit} state={checkout.state} />
        </div>
        <section class="panel">
          <Facts facts={factsOf(visit, checkout)} />
          <Resend visit={visit} whole={checkout} path={path} />
          {mayExpire ? (
            <Form visit={visit} action={`${path}/expire`}>
              <button type="submit" class="danger">
                {detail.expire}
              </button>
            </Form>
          ) : null}
        </section>
        {checkout.attempts.length === 0 ? (
          <p class="panel empty">{words.noAttempts}</p>
        ) : (
          <Rows visit={visit} payments={checkout.attempts} caption={words.attempts} />
        )}
        <Metadata visit={visit} entries={metadata} />
        <WholeTimeline visit={visit} story={story} own={ownEvents(visit, checkout)} />
        <Raw visit={visit} record={maskedWith(visit, checkout.attempts, metadata, record)} />
      </>
    ),
  })
}

function factsOf(visit: Visit, checkout: Checkout): readonly Fact[] {
  const { ctx, lang } = visit
  const words = WHOLE_WORDS[lang]
  const detail = DETAIL_WORDS[lang]
  const { terms, endedAt } = checkout
  const { code, redirectUrl } = ctx.hostedLinks.ofCheckout(checkout)
  const asked = terms.amounts?.map(({ amount, currency }) => money(amount, currency, lang)) ?? []
  const copied = (text: string, label: string) => (
    <Copied key={label} visit={visit} text={text} label={label} />
  )
  const link = `${visit.parts.publicUrl()}${LIST}/${checkout.id}`
  return [
    [detail.id, copied(checkout.idAsSent, detail.id), 'id'],
    [words.code, copied(code, words.code), 'id'],
    [words.link, copied(redirectUrl, words.link), 'id'],
    [words.ofTerms, asked.length === 0 ? words.anyAmount : asked.join(', ')],
    [detail.country, terms.countries?.map((code) => countryName(visit, code)).join(', ')],
    [detail.clientReferenceId, terms.clientReferenceId],
    [words.reason, terms.reason?.[lang] ?? Object.values(terms.reason ?? {})[0]],
    [detail.created, <When key="c" visit={visit} ms={checkout.createdAt} />],
    [LIST_WORDS[lang].expires, <When key="x" visit={visit} ms={checkout.expiresAt} />],
    [detail.ended, endedAt === undefined ? '' : <When key="e" visit={visit} ms={endedAt} />],
    [detail.link, copied(link, detail.link), 'id'],
  ]
}

function ownEvents({ lang }: Visit, checkout: Checkout): readonly OwnEvent[] {
  const words = WHOLE_WORDS[lang]
  const { createdAt, endedAt, state, isExpiryAsked } = checkout
  const created = { atMs: createdAt, text: words.event_created }
  if (endedAt === undefined) return [created]
  const name = state === 'EXPIRED' && isExpiryAsked ? 'expiryAsked' : state
  return [created, { atMs: endedAt, text: words[`event_${name}` as keyof WholeWords] ?? state }]
}

export async function expireAct(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const checkout = await checkoutFor(ctx, person, request.params.id ?? '')
  if (checkout === undefined) return missingPage(visit)
  const words = DETAIL_WORDS[lang]
  const path = `/dashboard/checkouts/${checkout.id}`
  const result = await expireAs(ctx, person, checkout)
  if (result === 'ENDED') return goTo(visit, path, words.expiryTooLate, true)
  return goTo(visit, path, result === 'DONE' ? words.expired : words.expiredBefore)
}
