import type { ComponentChildren } from 'preact'
import { assets } from '../assets.ts'
import type { Lang } from '../words.ts'
import { DASHBOARD_WORDS } from './words.ts'

export const PASSKEY_SCRIPT = assets('passkeys.js')

type PasskeyFormProps = {
  readonly lang: Lang
  readonly action: string
  /** What the browser is asked for. */
  readonly request: object
  /** The field that carries the answer. */
  readonly answer: string
  readonly values: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly button: string
  readonly children?: ComponentChildren
}

/** Shown by the script only: without it no passkey can be asked for. */
export function PasskeyForm(props: PasskeyFormProps) {
  const { lang, action, request, answer, values, button, children } = props
  const pairs = Array.isArray(values) ? values : Object.entries(values)
  return (
    <form
      method="post"
      action={action}
      class="stack"
      data-passkey={JSON.stringify(request)}
      hidden
      novalidate
    >
      {pairs.map(([name, value], at) => (
        <input key={`${name} ${at}`} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name={answer} data-answer="" />
      {children}
      <p class="problem" role="alert" hidden>
        {DASHBOARD_WORDS[lang].passkeyFailed}
      </p>
      <button type="submit">{button}</button>
    </form>
  )
}
