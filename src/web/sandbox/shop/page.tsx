/** A shop with one product: how a payment looks to a customer, and what comes back. */

import { present } from '../../../domain/present.ts'
import { money } from '../../money.ts'
import type { Page } from '../../page.tsx'
import { fill, type Lang } from '../../words.ts'
import { Facts, sandboxScreen } from '../parts.tsx'
import { FIRST_NUMBER } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'

export const PRODUCT = { country: 'ZMB', currency: 'ZMW', amount: '15' } as const

export type Answering = 'completes' | 'scripted' | 'taken'

const HINTS = {
  completes: 'shopHint',
  scripted: 'shopHintScripted',
  taken: 'shopHintTaken',
} as const satisfies Readonly<Record<Answering, string>>

export type ShopState = {
  /** How the number that the shop proposes answers now. */
  readonly answering: Answering
  /** The visitor's last checkout, if it is not over. */
  readonly order?: OrderStanding | undefined
}

export function renderShop(lang: Lang, { answering, order }: ShopState, problem?: string): Page {
  const words = SANDBOX_WORDS[lang]
  const number = FIRST_NUMBER
  return sandboxScreen({
    lang,
    path: '/sandbox/shop',
    heading: words.shopHeading,
    isProblem: problem !== undefined,
    children: (
      <>
        <h1>{words.shopHeading}</h1>
        <p class="lead">{words.shopLead}</p>
        {problem === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{words.error}</strong>
            {fill(words.shopProblem, { problem })}
          </p>
        )}
        {order === undefined ? null : <Standing lang={lang} order={order} text={words.shopOrder} />}
        <article class="product card">
          <Bag />
          <div>
            <h2>{words.product}</h2>
            <p class="price">{money(PRODUCT.amount, PRODUCT.currency, lang)}</p>
            <p class="note">{words.productText}</p>
            <form method="post" action={`/sandbox/shop?lang=${lang}`} class="ways">
              <div>
                <button type="submit" name="by" value="page" class="main">
                  {words.byPage}
                </button>
                <p class="note">{words.byPageText}</p>
              </div>
              <div>
                <button type="submit" name="by" value="checkout" class="main">
                  {words.byCheckout}
                </button>
                <p class="note">{words.byCheckoutText}</p>
              </div>
            </form>
          </div>
        </article>
        <p class="measure">{fill(words[HINTS[answering]], { number })}</p>
        {answering === 'taken' ? (
          <p class="onwards">
            <a href={`/sandbox?${new URLSearchParams({ lang, phone: number })}`}>
              {fill(words.shopToPhone, { number })}
            </a>
          </p>
        ) : (
          <form method="post" action={`/sandbox/acts?lang=${lang}`}>
            <input type="hidden" name="do" value="take" />
            <input type="hidden" name="number" value={number} />
            <button type="submit">{fill(words.shopPhone, { number })}</button>
          </form>
        )}
      </>
    ),
  })
}

function Bag() {
  return (
    <svg viewBox="0 0 64 80" width="112" height="140" aria-hidden="true" class="bag">
      <path class="bag-body" d="M10 14h44l4 60a4 4 0 0 1-4 4H10a4 4 0 0 1-4-4z" />
      <path class="bag-fold" d="M10 14l4-12h36l4 12z" />
      <ellipse class="bag-bean" cx="32" cy="46" rx="10" ry="14" transform="rotate(24 32 46)" />
      <path class="bag-line" d="M37 34c-8 8-2 16-10 24" />
    </svg>
  )
}

/** How far an order is. */
export type OrderStanding = {
  readonly verdict: 'paid' | 'notPaid' | 'stillOpen' | 'waiting' | 'notStarted' | 'unknownOrder'
  /** Where the customer can go on with a checkout that is not over. */
  readonly wayBack?: string | undefined
}

export type OrderOutcome = OrderStanding & {
  /** What the address held. */
  readonly came: readonly (readonly [string, string])[]
  /** The status check, line by line; undefined for an unknown order. */
  readonly facts: readonly (readonly [string, string])[] | undefined
}

const TONES: Readonly<Record<OrderStanding['verdict'], string>> = {
  paid: 'notice',
  waiting: 'notice warn',
  stillOpen: 'notice warn',
  notPaid: 'notice bad',
  notStarted: 'notice bad',
  unknownOrder: 'notice bad',
}

type StandingProps = {
  readonly lang: Lang
  readonly order: OrderStanding
  readonly text: string
}

function Standing({ lang, order, text }: StandingProps) {
  const words = SANDBOX_WORDS[lang]
  const { verdict, wayBack } = order
  return (
    <p class={TONES[verdict]} role="status">
      {text}{' '}
      {wayBack === undefined ? null : (
        <a href={`${wayBack}?lang=${lang}`}>
          {verdict === 'waiting' ? words.seePayment : words.goOnPaying}
        </a>
      )}
    </p>
  )
}

export function renderOrder(lang: Lang, order: OrderOutcome, phone: string | undefined): Page {
  const words = SANDBOX_WORDS[lang]
  const { came, facts, verdict } = order
  const toPhone = new URLSearchParams({ lang, ...present({ phone }) })
  return sandboxScreen({
    lang,
    path: '/sandbox/shop',
    heading: words.backHeading,
    kept: Object.fromEntries(came),
    children: (
      <>
        <h1>{words.backHeading}</h1>
        <Standing lang={lang} order={order} text={words[verdict]} />
        <p class="lead">{words.backLead}</p>
        <div class="cards">
          <section class="card" aria-labelledby="came">
            <h2 id="came">{words.cameBack}</h2>
            {came.length === 0 ? <p class="note">{words.nothingCame}</p> : <Facts rows={came} />}
          </section>
          <section class="card" aria-labelledby="asked">
            <h2 id="asked">{words.asked}</h2>
            {facts === undefined ? <p class="note">{words[verdict]}</p> : <Facts rows={facts} />}
          </section>
        </div>
        <p class="onwards">
          <a href={`/sandbox/shop?lang=${lang}`}>{words.again}</a>{' '}
          <a href={`/sandbox?${toPhone}`}>{words.toPhone}</a>
        </p>
      </>
    ),
  })
}
