import { randomUUID } from 'node:crypto'
import { EXPIRES_AFTER_MINUTES } from '../../../domain/hosted/checkout.ts'
import { SESSION_MS } from '../../../domain/hosted/page-session.ts'
import { LINK_KINDS, type LinkForm, type LinkProblem } from '../../../domain/hosted/payment-link.ts'
import { type PaymentKey, parsePaymentId } from '../../../domain/ids.ts'
import { present } from '../../../domain/present.ts'
import type { Page } from '../../../http/pages.ts'
import {
  type LinkPlace,
  linkPlaces,
  linkState,
  listPaymentLinks,
  type PaymentLink,
} from '../../../usecases/hosted/payment-links.ts'
import { fill } from '../../words.ts'
import { Choice, Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { DepositLink, LINKS_PATH, LinkStateMark, sumText } from './parts.tsx'
import { LINK_WORDS } from './words.ts'

const PER_PAGE = 50

/** A form that could not be used, as it was sent. */
type Sent = {
  readonly id: string
  readonly form: LinkForm
  readonly problems: readonly LinkProblem[]
}

export async function linksPage(visit: Visit, sent?: Sent): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const { after: place } = request.query
  const after = typeof place === 'string' ? parsePaymentId(place) : undefined
  const key = after as string | undefined as PaymentKey | undefined
  const found = await listPaymentLinks(ctx, person, key, PER_PAGE + 1)
  const heading = DASHBOARD_WORDS[lang].links
  const words = LINK_WORDS[lang]
  const last = found[PER_PAGE - 1]
  return dashboardPage(visit, {
    name: 'links',
    heading,
    ...(sent === undefined ? {} : { isProblem: true, status: 422 }),
    children: (
      <>
        <Summary visit={visit} sent={sent} />
        <h1>{heading}</h1>
        <p>{words.lead}</p>
        <NewLink visit={visit} sent={sent} places={linkPlaces(ctx, person)} />
        <Table visit={visit} links={found.slice(0, PER_PAGE)} />
        <p class="row">
          {after === undefined ? null : <a href={LINKS_PATH}>{words.newest}</a>}
          {last !== undefined && found.length > PER_PAGE ? (
            <a href={`${LINKS_PATH}?after=${last.key}`} rel="next">
              {words.older}
            </a>
          ) : null}
        </p>
      </>
    ),
  })
}

function Summary({ visit, sent }: { visit: Visit; sent: Sent | undefined }) {
  if (sent === undefined) return null
  const words = LINK_WORDS[visit.lang]
  return (
    <div class="notice bad" role="alert">
      <p>{words.problems}</p>
      <ul>
        {sent.problems.map((one) => (
          <li key={one.field}>
            <a href={`#${one.field}`}>{problemText(visit, one)}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const problemText = ({ lang }: Visit, { rule, values = {} }: LinkProblem): string =>
  fill(LINK_WORDS[lang][`problem_${rule}`], values)

type NewProps = {
  readonly visit: Visit
  readonly sent: Sent | undefined
  readonly places: readonly LinkPlace[]
}

function NewLink({ visit, sent, places }: NewProps) {
  const { lang, person } = visit
  const words = LINK_WORDS[lang]
  const problemOf = (name: keyof LinkForm): string | undefined => {
    const found = sent?.problems.find(({ field }) => field === name)
    return found && problemText(visit, found)
  }
  const field = (name: Exclude<keyof LinkForm, 'kind' | 'place'>, hint?: string) => (
    <Field
      name={name}
      label={words[name]}
      value={sent?.form[name]}
      problem={problemOf(name)}
      inputMode={name === 'amount' ? 'decimal' : name === 'expiresAfter' ? 'numeric' : 'text'}
      {...present({ hint })}
    />
  )
  const any = person.countries.length === 0 ? [{ value: '', text: words.placeAny }] : []
  const options = places.map(({ value, name, currency }) => ({
    value,
    text: `${name[lang]} · ${currency}`,
  }))
  const minutes = SESSION_MS / 60_000
  return (
    <section class="panel" aria-labelledby="new">
      <h2 id="new">{words.newHeading}</h2>
      {/* The identifier comes with the form: pressed twice, it makes one link. */}
      <Form
        visit={visit}
        action={LINKS_PATH}
        class="stack"
        values={{ id: sent?.id ?? randomUUID() }}
      >
        <Choice
          name="kind"
          label={words.kind}
          value={sent?.form.kind}
          options={LINK_KINDS.map((value) => ({
            value,
            text: fill(words[`kind_${value}`], { minutes }),
          }))}
        />
        {field('amount', words.amountHint)}
        <Choice
          name="place"
          label={words.place}
          value={sent?.form.place}
          options={[...any, ...options]}
          problem={problemOf('place')}
        />
        {field('reason', words.reasonHint)}
        {field('reference', words.referenceHint)}
        {field('expiresAfter', fill(words.expiresAfterHint, EXPIRES_AFTER_MINUTES))}
        {field('returnUrl', words.returnUrlHint)}
        {field('metadataName')}
        {field('metadataValue')}
        <button type="submit" class="main">
          {words.make}
        </button>
      </Form>
    </section>
  )
}

function Table({ visit, links }: { visit: Visit; links: readonly PaymentLink[] }) {
  const words = LINK_WORDS[visit.lang]
  if (links.length === 0) {
    return (
      <p class="empty">
        {words.none} <a href="#new">{words.newHeading}</a>
      </p>
    )
  }
  return (
    <StackedTable
      caption={words.list}
      heads={[
        words.link,
        words.state,
        { text: words.amount, isNumber: true },
        words.reference,
        words.payment,
        words.creator,
        words.made,
      ]}
    >
      {links.map((link) => (
        <tr key={link.id}>
          <th scope="row" data-label={words.link}>
            <a href={`${LINKS_PATH}/${link.id}`}>{link.reason ?? words[`name_${link.kind}`]}</a>
          </th>
          <td data-label={words.state}>
            <LinkStateMark visit={visit} state={linkState(visit.ctx, link)} />
          </td>
          <td data-label={words.amount} class="number">
            {sumText(visit, link)}
          </td>
          <td data-label={words.reference}>{link.reference}</td>
          <td data-label={words.payment}>
            <DepositLink visit={visit} link={link} />
          </td>
          <td data-label={words.creator}>{link.creator}</td>
          <td data-label={words.made}>
            <When visit={visit} ms={link.createdAt} />
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}
