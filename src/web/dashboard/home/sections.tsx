/** The parts of Home that do not depend on the period: what is stuck, balances, providers. */
import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import type { NeedsAttention } from '../../../usecases/payments/find-attention.ts'
import { fill } from '../../words.ts'
import { money } from '../money-text.ts'
import { DETAIL_WORDS } from '../payments/detail-words.ts'
import { countryName, PLACE_OF, pathOf, providerName } from '../payments/parts.tsx'
import type { CountryStatus } from '../providers/status.ts'
import type { Visit } from '../visit.ts'
import type { WalletRow } from './balances.ts'
import { kindName } from './charts.tsx'
import { CountLink, query } from './links.tsx'
import type { Asked } from './range.ts'
import { HOME_WORDS } from './words.ts'

type AttentionProps = {
  readonly visit: Visit
  readonly asked: Asked
  readonly attention: NeedsAttention
}

export function Attention({ visit, asked, attention }: AttentionProps) {
  const words = HOME_WORDS[visit.lang]
  const rows = attentionRows(visit, asked, attention)
  const { contradictions, hasMore } = attention
  const isQuiet = rows.every(({ count }) => count === 0) && contradictions.length === 0
  return (
    <section class="panel" aria-labelledby="attention">
      <h2 id="attention">{words.attention}</h2>
      {isQuiet ? <p class="note">{words.nothing}</p> : null}
      <ul class="counted">
        {rows.map(({ text, count, href }) => (
          <li key={text}>
            <CountLink visit={visit} count={count} href={href} /> <span>{text}</span>
          </li>
        ))}
      </ul>
      {contradictions.length === 0 ? null : (
        <>
          <p>{words.contradictions}</p>
          <ul class="ids">
            {contradictions.map(({ kind, id }) => (
              <li key={id}>
                <a href={pathOf({ kind, id })}>{id}</a>
              </li>
            ))}
          </ul>
          {hasMore ? <p class="note">{words.moreContradictions}</p> : null}
        </>
      )}
    </section>
  )
}

/** Payouts always; other kinds where there are some. */
function attentionRows(visit: Visit, { country }: Asked, attention: NeedsAttention) {
  const words = HOME_WORDS[visit.lang]
  const states = [
    ['ENQUEUED', words.enqueued, ['payout', 'refund', 'remittance']],
    ['IN_RECONCILIATION', words.inDoubt, PAYMENT_KINDS],
  ] as const
  const stuck = states.flatMap(([state, text, kinds]) =>
    kinds.map((kind) => {
      const found = attention.stuck.find((one) => one.kind === kind && one.state === state)
      const count = found?.payments ?? 0
      const named = isOne(visit, count)
        ? DETAIL_WORDS[visit.lang][`heading_${kind}`]
        : kindName(visit, kind)
      const href = `/dashboard/${PLACE_OF[kind]}?${query({ status: state, country })}`
      return { kind, text: fill(text, { kind: named.toLowerCase() }), count, href }
    }),
  )
  const failed = attention.failedCallbacks
  const callbacks = {
    text: isOne(visit, failed) ? words.failedCallback : words.failedCallbacks,
    count: failed,
    href: '/dashboard/callbacks?result=FAILED',
  }
  return [
    ...stuck.filter(({ kind, count }) => kind === 'payout' || count > 0),
    ...(may(visit.person.role, 'callbacks:view') ? [callbacks] : []),
  ]
}

/** None is one in French. */
const isOne = ({ lang }: Visit, count: number): boolean =>
  new Intl.PluralRules(lang).select(count) === 'one'

type BalancesProps = { readonly visit: Visit; readonly wallets: readonly WalletRow[] }

export function Balances({ visit, wallets }: BalancesProps) {
  const words = HOME_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="balances">
      <div class="spread">
        <h2 id="balances">{words.balances}</h2>
        <a href="/dashboard/balances">{words.allBalances}</a>
      </div>
      {wallets.length === 0 ? <p class="note">{words.noWallets}</p> : null}
      <ul class="wallets">
        {wallets.map(({ country, currency, provider, balance, isLow }) => (
          <li key={`${country} ${currency} ${provider}`}>
            <span>
              {countryName(visit, country)} {provider === null ? '' : providerName(visit, provider)}
            </span>
            <a href={`/dashboard/balances?${query({ country })}`}>
              <bdi>{money(balance, currency, visit.lang)}</bdi>
            </a>
            {isLow ? (
              <span class="low">
                <span class="state bad">{words.lowTitle}</span>{' '}
                <span class="note">{words.low}</span>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

type StripProps = { readonly visit: Visit; readonly countries: readonly CountryStatus[] }

/** Countries in which something does not work; one line for all others. */
export function ProviderStrip({ visit, countries }: StripProps) {
  const words = HOME_WORDS[visit.lang]
  const troubled = countries.filter(({ closed, delayed }) => closed + delayed > 0)
  const rest = countries.length - troubled.length
  return (
    <section class="panel" aria-labelledby="providers">
      <div class="spread">
        <h2 id="providers">{words.providers}</h2>
        <a href="/dashboard/providers">{words.providerPage}</a>
      </div>
      <ul class="strip">
        {troubled.map(({ country, name, closed, delayed }) => (
          <li key={country}>
            <a href={`/dashboard/providers?${query({ country })}`}>{name}</a>{' '}
            {closed > 0 ? (
              <span class="state bad">{fill(words.someClosed, { n: closed })}</span>
            ) : null}{' '}
            {delayed > 0 ? (
              <span class="state open">{fill(words.someDelayed, { n: delayed })}</span>
            ) : null}
          </li>
        ))}
        {rest === 0 ? null : (
          <li>
            <span class="state good">{words.operational}</span>{' '}
            {rest === 1 ? words.oneCountry : fill(words.manyCountries, { n: rest })}
          </li>
        )}
      </ul>
    </section>
  )
}
