/** What the pages of split payments and checkouts have in common. */
import { type ComponentChild, Fragment } from 'preact'
import { finalStatesOf, wantsCallback } from '../../../domain/callbacks/callback-subject.ts'
import type { Checkout } from '../../../domain/hosted/checkout.ts'
import type { SplitPayment } from '../../../domain/payments/split-payment.ts'
import { may } from '../../../domain/people/roles.ts'
import { Form } from '../frame.tsx'
import { DETAIL_WORDS } from '../payments/detail-words.ts'
import type { Visit } from '../visit.ts'

type Props = { readonly visit: Visit }

export type Fact = readonly [name: string, value: ComponentChild, type?: string]

/** Facts without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = facts.filter(([, value]) => value !== undefined && value !== '')
  return (
    <dl class="facts">
      {shown.map(([name, value, type]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class={type}>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** Where it is over, and its result is sent to the merchant. */
export function Resend({
  visit,
  whole,
  path,
}: Props & { readonly whole: SplitPayment | Checkout; readonly path: string }) {
  const { person, lang } = visit
  const { kind, id, state } = whole
  const isReported = finalStatesOf(kind).includes(state) && wantsCallback(kind, person.merchant)
  if (!isReported || !may(person.role, 'callbacks:view')) return null
  return (
    <Form visit={visit} action="/dashboard/callbacks/resend" values={{ kind, id, back: path }}>
      <button type="submit">{DETAIL_WORDS[lang].resend}</button>
    </Form>
  )
}

/** As the status check answers, without personal data. */
export function Raw({ visit, record }: Props & { readonly record: unknown }) {
  return (
    <details class="panel">
      <summary>{DETAIL_WORDS[visit.lang].raw}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long text scrolls, also by keyboard */}
      <pre tabIndex={0}>
        <code>{JSON.stringify(record, null, 2)}</code>
      </pre>
    </details>
  )
}
