import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Found, FoundWhole } from '../../../usecases/payments/search-payments.ts'
import { fill } from '../../words.ts'
import { LINKS_PATH } from '../links/parts.tsx'
import { Rows } from '../payments/columns.tsx'
import { PLACE_OF, State } from '../payments/parts.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { SHOWN_OF_KIND } from './fields.ts'
import { SEARCH_WORDS } from './words.ts'

export const WHOLE_PLACES = [
  { kind: 'splits', name: 'split-payments', path: '/dashboard/split-payments' },
  { kind: 'checkouts', name: 'checkouts', path: '/dashboard/checkouts' },
  { kind: 'links', name: 'links', path: LINKS_PATH },
] as const

type Props = {
  readonly visit: Visit
  readonly text: string
  readonly found: Found
  /** The fields that were asked for, as lists read them. */
  readonly query?: URLSearchParams | undefined
}

export function Results({ visit, text, found, query }: Props) {
  const words = SEARCH_WORDS[visit.lang]
  const { payments, splits, checkouts, links } = found
  if (payments.length + splits.length + checkouts.length + links.length === 0) {
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
      {PAYMENT_KINDS.map((kind) => (
        <OfKind key={kind} visit={visit} kind={kind} found={found} query={query} />
      ))}
      {WHOLE_PLACES.map(({ kind, name, path }) => (
        <Wholes key={kind} visit={visit} name={name} path={path} wholes={found[kind]} />
      ))}
    </>
  )
}

type OfKindProps = Omit<Props, 'text'> & { readonly kind: PaymentKind }

function OfKind({ visit, kind, found, query }: OfKindProps) {
  const words = SEARCH_WORDS[visit.lang]
  const all = found.payments.filter((payment) => payment.kind === kind)
  if (all.length === 0) return null
  const place = PLACE_OF[kind]
  const caption = DASHBOARD_WORDS[visit.lang][place]
  if (query === undefined) return <Rows visit={visit} payments={all} caption={caption} />
  const hasMore = all.length > SHOWN_OF_KIND
  return (
    <>
      <Rows visit={visit} payments={all.slice(0, SHOWN_OF_KIND)} caption={caption} />
      <p>
        <a href={`/dashboard/${place}?${query}`}>
          {fill(hasMore ? words.moreInList : words.asList, { kind: caption })}
        </a>
      </p>
    </>
  )
}

type WholesProps = {
  readonly visit: Visit
  readonly name: (typeof WHOLE_PLACES)[number]['name']
  readonly path: string
  readonly wholes: readonly FoundWhole[]
}

function Wholes({ visit, name, path, wholes }: WholesProps) {
  if (wholes.length === 0) return null
  return (
    <section class="panel">
      <h2>{DASHBOARD_WORDS[visit.lang][name]}</h2>
      <ul>
        {wholes.map(({ id, createdMs, state }) => (
          <li key={id}>
            <a href={`${path}/${id}`}>
              <code>{id}</code>
            </a>{' '}
            <When visit={visit} ms={createdMs} />{' '}
            {state ? <State visit={visit} state={state} /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
