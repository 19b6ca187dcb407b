import type { ComponentChild } from 'preact'
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { type Found, searchPayments } from '../../../usecases/payments/search-payments.ts'
import { seeOther } from '../../response.ts'
import { fill } from '../../words.ts'
import { dashboardPage } from '../frame.tsx'
import { numbersIn } from '../lists/filter.ts'
import { Rows } from '../payments/columns.tsx'
import { PLACE_OF, pathOf } from '../payments/parts.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { WHOLE_WORDS } from '../wholes/words.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { FIELD_NAMES, readTokens } from './tokens.ts'
import { SEARCH_WORDS } from './words.ts'

export const SEARCH_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/search', permission: 'payments:view', answer: search },
]

async function search(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const { q } = request.query
  const text = typeof q === 'string' ? q.trim().slice(0, 500) : ''
  if (text === '') return page(visit, text, <Ask visit={visit} />)
  const tokens = readTokens(text)
  if (tokens !== undefined && 'path' in tokens) return seeOther(tokens.path)
  if (tokens !== undefined)
    return page(visit, text, <Unknown visit={visit} field={tokens.unknown} />)
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return page(visit, text, <Day visit={visit} day={text} />)
  const phoneNumbers = numbersIn(visit, text) ?? []
  const found = await searchPayments(ctx, person, { text, phoneNumbers })
  const only = onlyOne(found)
  if (only !== undefined) return seeOther(only)
  return page(visit, text, <Results visit={visit} text={text} found={found} />)
}

/** A search that finds one thing leads there. */
function onlyOne({ payments, splitIds, checkoutIds }: Found): string | undefined {
  if (payments.length + splitIds.length + checkoutIds.length !== 1) return undefined
  const [payment] = payments
  if (payment !== undefined) return pathOf(payment)
  const [split] = splitIds
  return split === undefined
    ? `/dashboard/checkouts/${checkoutIds[0]}`
    : `/dashboard/split-payments/${split}`
}

function page(visit: Visit, text: string, children: ComponentChild): Page {
  const { heading } = SEARCH_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'search',
    heading: text === '' ? heading : `${heading}: ${text}`,
    children: (
      <>
        <h1>{heading}</h1>
        {children}
      </>
    ),
  })
}

type Props = { readonly visit: Visit }

function Ask({ visit }: Props) {
  const words = SEARCH_WORDS[visit.lang]
  return (
    <div class="panel">
      <p>{words.ask}</p>
      <p class="note">{words.tokens}</p>
    </div>
  )
}

function Unknown({ visit, field }: Props & { readonly field: string }) {
  const words = SEARCH_WORDS[visit.lang]
  const text = fill(words.unknownField, { field, fields: FIELD_NAMES.join(', ') })
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  )
}

function Day({ visit, day }: Props & { readonly day: string }) {
  const words = SEARCH_WORDS[visit.lang]
  return (
    <div class="panel">
      <h2>{fill(words.onDay, { day })}</h2>
      <ul>
        {PAYMENT_KINDS.map((kind) => (
          <li key={kind}>
            <a href={`/dashboard/${PLACE_OF[kind]}?${new URLSearchParams({ from: day, to: day })}`}>
              {kindName(visit, kind)}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const kindName = (visit: Visit, kind: PaymentKind): string =>
  DASHBOARD_WORDS[visit.lang][PLACE_OF[kind]]

function Results({ visit, text, found }: Props & { readonly text: string; readonly found: Found }) {
  const words = SEARCH_WORDS[visit.lang]
  const { payments, splitIds, checkoutIds } = found
  if (payments.length + splitIds.length + checkoutIds.length === 0) {
    return (
      <div class="panel empty">
        <p>{fill(words.none, { q: text })}</p>
        <p>{words.fullValue}</p>
        <p class="note">{words.ask}</p>
      </div>
    )
  }
  return (
    <>
      <p>{fill(words.found, { q: text })}</p>
      {PAYMENT_KINDS.map((kind) => {
        const some = payments.filter((payment) => payment.kind === kind)
        return some.length === 0 ? null : (
          <Rows key={kind} visit={visit} payments={some} caption={kindName(visit, kind)} />
        )
      })}
      <Wholes visit={visit} ids={splitIds} place="split-payments" />
      <Wholes visit={visit} ids={checkoutIds} place="checkouts" />
    </>
  )
}

type WholesProps = Props & {
  readonly ids: readonly string[]
  readonly place: 'split-payments' | 'checkouts'
}

function Wholes({ visit, ids, place }: WholesProps) {
  const { splitHeading, checkoutHeading } = WHOLE_WORDS[visit.lang]
  return (
    <>
      {ids.map((id) => (
        <p key={id}>
          <a href={`/dashboard/${place}/${id}`}>
            {place === 'checkouts' ? checkoutHeading : splitHeading} <code>{id}</code>
          </a>
        </p>
      ))}
    </>
  )
}
