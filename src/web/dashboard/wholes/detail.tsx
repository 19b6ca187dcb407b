import { isFinalCheckout } from '../../../domain/hosted/checkout.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { expireAs } from '../../../usecases/hosted/expire-as.ts'
import { checkoutFor, splitFor } from '../../../usecases/payments/browse-wholes.ts'
import { money } from '../../money.ts'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { Rows } from '../payments/columns.tsx'
import { DETAIL_WORDS } from '../payments/detail-words.ts'
import { phoneText, providerName, State } from '../payments/parts.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { WHOLE_WORDS } from './words.ts'

export async function splitPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const split = await splitFor(ctx, person, request.params.id ?? '')
  if (split === undefined) return missingPage(visit)
  const words = WHOLE_WORDS[lang]
  const list = LIST_WORDS[lang]
  const { deposit, parts } = split
  const heading = `${words.splitHeading} ${money(deposit.amount, deposit.currency, lang)}`
  return dashboardPage(visit, {
    name: 'split-payments',
    heading,
    children: (
      <>
        <div class="spread">
          <h1>{heading}</h1>
          <State visit={visit} state={split.state} />
        </div>
        <Rows visit={visit} payments={[deposit]} caption={DETAIL_WORDS[lang].deposit} />
        <div class="scroll">
          <table class="stacked">
            <caption>{words.payouts}</caption>
            <thead>
              <tr>
                <th scope="col">{list.id}</th>
                <th scope="col">{list.status}</th>
                <th scope="col">{list.amount}</th>
                <th scope="col">{list.phone}</th>
                <th scope="col">{list.provider}</th>
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={part.payoutId}>
                  <th scope="row" data-label={list.id}>
                    <a href={`/dashboard/payouts/${part.payoutId.toLowerCase()}`}>
                      <code>{part.payoutId}</code>
                    </a>
                  </th>
                  <td data-label={list.status}>
                    <State visit={visit} state={part.state} />
                  </td>
                  <td data-label={list.amount} class="number">
                    {money(part.amount, deposit.currency, lang)}
                  </td>
                  <td data-label={list.phone} class="id">
                    {phoneText(visit, part)}
                  </td>
                  <td data-label={list.provider}>{providerName(visit, part.provider)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </>
    ),
  })
}

export async function checkoutPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const checkout = await checkoutFor(ctx, person, request.params.id ?? '')
  if (checkout === undefined) return missingPage(visit)
  const words = WHOLE_WORDS[lang]
  const detail = DETAIL_WORDS[lang]
  const { code, redirectUrl } = ctx.hostedLinks.ofCheckout(checkout)
  const asked =
    checkout.terms.amounts?.map(({ amount, currency }) => money(amount, currency, lang)) ?? []
  const mayExpire = !isFinalCheckout(checkout.state) && may(person.role, 'payments:refund')
  return dashboardPage(visit, {
    name: 'checkouts',
    heading: words.checkoutHeading,
    children: (
      <>
        <div class="spread">
          <h1>{words.checkoutHeading}</h1>
          <State visit={visit} state={checkout.state} />
        </div>
        <section class="panel">
          <dl class="facts">
            <dt>{detail.id}</dt>
            <dd class="id">{checkout.idAsSent}</dd>
            <dt>{words.code}</dt>
            <dd class="id">{code}</dd>
            <dt>{words.link}</dt>
            <dd class="id">{redirectUrl}</dd>
            <dt>{words.ofTerms}</dt>
            <dd>{asked.length === 0 ? words.anyAmount : asked.join(', ')}</dd>
            <dt>{detail.created}</dt>
            <dd>
              <When visit={visit} ms={checkout.createdAt} />
            </dd>
            <dt>{LIST_WORDS[lang].expires}</dt>
            <dd>
              <When visit={visit} ms={checkout.expiresAt} />
            </dd>
          </dl>
          {mayExpire ? (
            <Form visit={visit} action={`/dashboard/checkouts/${checkout.id}/expire`}>
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
      </>
    ),
  })
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
