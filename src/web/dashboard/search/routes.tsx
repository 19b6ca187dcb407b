import type { ComponentChild } from 'preact'
import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { type Found, searchPayments } from '../../../usecases/payments/search-payments.ts'
import { seeOther } from '../../response.ts'
import { fill } from '../../words.ts'
import { dashboardPage } from '../frame.tsx'
import { numbersIn } from '../lists/filter.ts'
import { PLACE_OF, pathOf } from '../payments/parts.tsx'
import { dayOf } from '../period.ts'
import { readTypedDay } from '../typed-day.ts'
import type { DashboardRoute, Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { findByFields } from './fields.ts'
import { Results, WHOLE_PLACES } from './results.tsx'
import { amountAndDay, FIELD_NAMES, readTokens } from './tokens.ts'
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
  if (tokens !== undefined) return byFields(visit, text, tokens)
  const today = dayOf(ctx.clock.now(), person.user.timeZone)
  const day = readTypedDay(text, today)
  if (day !== undefined) return page(visit, text, <Day visit={visit} day={day} />)
  const query = amountAndDay(text, today)
  if (query !== undefined) return byFields(visit, text, { query, place: undefined })
  const phoneNumbers = numbersIn(visit, text) ?? []
  const found = await searchPayments(ctx, person, { text, phoneNumbers })
  return answer(visit, text, found)
}

async function byFields(
  visit: Visit,
  text: string,
  tokens: NonNullable<ReturnType<typeof readTokens>>,
): Promise<Page> {
  const words = SEARCH_WORDS[visit.lang]
  if ('wrong' in tokens) {
    return page(visit, text, <Problem text={fill(words.badValue, { value: tokens.wrong })} />)
  }
  if ('unknown' in tokens) {
    const known = { field: tokens.unknown, fields: FIELD_NAMES.join(', ') }
    return page(visit, text, <Problem text={fill(words.unknownField, known)} />)
  }
  const { place, query } = tokens
  if (place !== undefined) return seeOther(`/dashboard/${place}?${query}`)
  const found = await findByFields(visit, query)
  if ('fault' in found) {
    const value = query.get(found.fault) ?? ''
    return page(visit, text, <Problem text={fill(words.badValue, { value })} />)
  }
  return answer(visit, text, found, found.query)
}

function answer(visit: Visit, text: string, found: Found, query?: URLSearchParams): Page {
  const only = onlyOne(found)
  if (only !== undefined) return seeOther(only)
  return page(visit, text, <Results visit={visit} text={text} found={found} query={query} />)
}

/** A search that finds one thing leads there. */
function onlyOne(found: Found): string | undefined {
  const paths = [
    ...found.payments.map(pathOf),
    ...WHOLE_PLACES.flatMap(({ kind, path }) => found[kind].map(({ id }) => `${path}/${id}`)),
  ]
  return paths.length === 1 ? paths[0] : undefined
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

function Problem({ text }: { readonly text: string }) {
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  )
}

const PLACES = [
  ...PAYMENT_KINDS.map((kind) => PLACE_OF[kind]),
  'split-payments',
  'checkouts',
] as const

function Day({ visit, day }: Props & { readonly day: string }) {
  const words = SEARCH_WORDS[visit.lang]
  const query = new URLSearchParams({ from: day, to: day })
  return (
    <div class="panel">
      <h2>{fill(words.onDay, { day: dayText(visit, day) })}</h2>
      <ul>
        {PLACES.map((place) => (
          <li key={place}>
            <a href={`/dashboard/${place}?${query}`}>{DASHBOARD_WORDS[visit.lang][place]}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const dayText = ({ lang }: Visit, day: string): string =>
  new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(Date.parse(`${day}T00:00:00Z`))
