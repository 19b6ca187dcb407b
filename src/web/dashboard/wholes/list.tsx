import type { ComponentChild } from 'preact'
import { CHECKOUT_STATES } from '../../../domain/hosted/checkout.ts'
import type { Page } from '../../../http/pages.ts'
import {
  checkoutsOf,
  splitsOf,
  type WholeFilter,
} from '../../../usecases/payments/browse-wholes.ts'
import { money } from '../../money.ts'
import { fill } from '../../words.ts'
import { Choice, Field } from '../fields.tsx'
import { dashboardPage } from '../frame.tsx'
import { readFilter } from '../payments/filter.ts'
import { State } from '../payments/parts.tsx'
import { LIST_WORDS, type ListWords } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { WHOLE_WORDS } from './words.ts'

const SPLIT_STATES = ['OPEN', 'COMPLETED', 'PAYOUT_FAILED', 'FAILED'] as const

type Row = {
  readonly key: string
  readonly href: string
  readonly createdMs: number
  readonly state: string
  readonly cells: readonly (readonly [name: string, value: ComponentChild])[]
}

export async function splitList(visit: Visit): Promise<Page> {
  const words = LIST_WORDS[visit.lang]
  const { filter, given } = filterOf(visit, SPLIT_STATES)
  const splits = await splitsOf(visit.ctx, filter)
  const rows = splits.map(({ id, key, createdMs, state, amount, currency, parts, failed }) => ({
    key,
    createdMs,
    state,
    href: `/dashboard/split-payments/${id}`,
    cells: [
      [words.amount, money(amount, currency, visit.lang)],
      [
        words.parts,
        failed === 0
          ? String(parts)
          : `${parts} (${fill(WHOLE_WORDS[visit.lang].failedParts, { n: failed })})`,
      ],
      [words.id, <code key="id">{id}</code>],
    ] as const,
  }))
  return listOf(visit, { name: 'split-payments', states: SPLIT_STATES, rows, given, filter })
}

export async function checkoutList(visit: Visit): Promise<Page> {
  const { lang } = visit
  const words = LIST_WORDS[lang]
  const { filter, given } = filterOf(visit, CHECKOUT_STATES)
  const checkouts = await checkoutsOf(visit.ctx, filter)
  const rows = checkouts.map((checkout) => ({
    key: checkout.key,
    createdMs: checkout.createdMs,
    state: checkout.state,
    href: `/dashboard/checkouts/${checkout.id}`,
    cells: [
      [
        words.amount,
        checkout.amounts?.map(({ amount, currency }) => money(amount, currency, lang)).join(', ') ??
          WHOLE_WORDS[lang].anyAmount,
      ],
      [words.attempts, String(checkout.attempts)],
      [words.expires, <When key="expires" visit={visit} ms={checkout.expiresMs} />],
      [words.clientReferenceId, checkout.clientReferenceId ?? ''],
      [words.id, <code key="id">{checkout.id}</code>],
    ] as const,
  }))
  return listOf(visit, { name: 'checkouts', states: CHECKOUT_STATES, rows, given, filter })
}

function filterOf(visit: Visit, states: readonly string[]) {
  const read = readFilter(visit, [])
  const { status } = visit.request.query
  const filter: WholeFilter = {
    merchantId: visit.person.merchant.id,
    within: visit.person.countries,
    fromMs: read.filter.fromMs,
    toMs: read.filter.toMs,
    after: read.after,
    limit: read.per + 1,
    states: states.filter((state) => state === status).slice(0, 1),
  }
  const { states: chosen = [], ...rest } = filter
  return { filter: chosen.length === 0 ? rest : filter, given: read.given }
}

type ListProps = {
  readonly name: 'split-payments' | 'checkouts'
  readonly states: readonly string[]
  readonly rows: readonly Row[]
  readonly given: Readonly<Partial<Record<string, string>>>
  readonly filter: WholeFilter
}

function listOf(visit: Visit, { name, states, rows, given, filter }: ListProps): Page {
  const words = LIST_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang][name]
  const shown = rows.slice(0, filter.limit - 1)
  const next = rows.length === filter.limit ? shown.at(-1)?.key : undefined
  const kept = Object.fromEntries(
    Object.entries(given).filter(([field]) => ['from', 'to', 'status'].includes(field)),
  ) as Record<string, string>
  return dashboardPage(visit, {
    name,
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <form action={`/dashboard/${name}`} class="panel filters">
          <Field name="from" label={words.from} value={given.from} />
          <Field name="to" label={words.to} value={given.to} />
          <Choice
            name="status"
            label={words.status}
            value={given.status}
            options={[
              { value: '', text: words.any },
              ...states.map((state) => ({
                value: state,
                text: words[`state_${state}` as keyof ListWords],
              })),
            ]}
          />
          <div class="row">
            <button type="submit" class="main">
              {words.apply}
            </button>
            <a href={`/dashboard/${name}`}>{words.clear}</a>
          </div>
        </form>
        {shown.length === 0 ? (
          <div class="panel empty">
            <p>{Object.keys(kept).length === 0 ? words.noneAtAll : words.none}</p>
          </div>
        ) : (
          <Table visit={visit} rows={shown} caption={heading} />
        )}
        {next === undefined ? null : (
          <p>
            <a href={`/dashboard/${name}?${new URLSearchParams({ ...kept, after: next })}`}>
              {words.older}
            </a>
          </p>
        )}
      </>
    ),
  })
}

type TableProps = {
  readonly visit: Visit
  readonly rows: readonly Row[]
  readonly caption: string
}

function Table({ visit, rows, caption }: TableProps) {
  const words = LIST_WORDS[visit.lang]
  return (
    <div class="scroll">
      <table class="stacked">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.created}</th>
            <th scope="col">{words.status}</th>
            {rows[0]?.cells.map(([name]) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, href, createdMs, state, cells }) => (
            <tr key={key}>
              <th scope="row" data-label={words.created}>
                <a href={href}>
                  <When visit={visit} ms={createdMs} />
                </a>
              </th>
              <td data-label={words.status}>
                <State visit={visit} state={state} />
              </td>
              {cells.map(([name, value]) => (
                <td key={name} data-label={name}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
