/** What the customers' screens are made of. */

import type { ComponentChild, ComponentChildren } from 'preact'
import { present } from '../../domain/present.ts'
import { fill } from '../words.ts'
import type { KnownView, Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

/** Put into a sentence at `{name}`: values that must not be torn apart or turned around. */
export function Filled(props: {
  readonly text: string
  readonly values: Readonly<Record<string, ComponentChild>>
}) {
  const parts = props.text.split(/\{(\w+)\}/)
  return <>{parts.map((part, at) => (at % 2 === 0 ? part : props.values[part]))}</>
}

/** Not turned around by a text of the other direction, and not parted where a line ends. */
export const Value = ({ children }: { readonly children: ComponentChildren }) => (
  <bdi class="whole">{children}</bdi>
)

const SIGNS = {
  good: 'm9 16.5 5 5 9.5-10.5',
  bad: 'm11 11 10 10m0-10-10 10',
  time: 'M16 9v7.5l4.5 3',
  stop: 'M16 9.5v8m0 4.5v.2',
  none: 'M10.5 16h11',
} as const

export function Sign({ kind }: { readonly kind: keyof typeof SIGNS }) {
  return (
    <svg class={`sign ${kind}`} viewBox="0 0 32 32" width="56" height="56" aria-hidden="true">
      <circle cx="16" cy="16" r="16" />
      <path d={SIGNS[kind]} />
    </svg>
  )
}

/** What the customer may have to tell somebody: names with their values. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl>
      {rows.map(([name, value, kind = '']) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi class={kind}>{value}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

export type Fact = readonly [name: string, value: string | undefined, kind?: 'whole']

type ReturnProps = {
  readonly view: KnownView
  readonly visit: Visit
  readonly isMain?: boolean
  readonly text?: string
}

/** A link and never a form: a form must not lead to another site. */
export function ReturnLink({ view, visit, isMain, text }: ReturnProps) {
  const words = PAY_WORDS[visit.lang]
  return (
    <a class={isMain ? 'button' : 'plain'} id="return" href={view.returnAddress}>
      {text ?? fill(words.returnTo, { name: view.merchant })}
    </a>
  )
}

/** Links to this page itself; the address stays the only thing that says whose it is. */
export function here({ chosenLang }: Visit, query: Readonly<Record<string, string>> = {}): string {
  const all = { ...query, ...present({ lang: chosenLang }) }
  return `?${new URLSearchParams(all)}`
}
