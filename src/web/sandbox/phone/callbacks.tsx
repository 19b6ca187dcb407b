/** Where callbacks go, and what came of the latest ones. */
import { CALLBACK_KINDS } from '../../../domain/accounts/merchant.ts'
import type { LatestCallback } from '../../../usecases/callbacks/list-deliveries.ts'
import { timeText } from '../../time.ts'
import { fill } from '../../words.ts'
import { Act, Facts } from '../parts.tsx'
import type { SandboxView } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'

const EXAMPLE = 'http://127.0.0.1:3000/callbacks'

type Props = { readonly view: SandboxView }

export function Callbacks({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { callbackUrls } = view.controls
  const set = CALLBACK_KINDS.flatMap((kind) => {
    const url = callbackUrls[kind]
    return url === undefined ? [] : [[kind, url] as const]
  })
  return (
    <section class="card" aria-labelledby="callbacks">
      <h2 id="callbacks">{words.callbacksHeading}</h2>
      {set.length === 0 ? <p class="note">{words.callbacksNone}</p> : <Facts rows={set} />}
      <Address view={view} />
      {set.length === 0 ? null : (
        <Act view={view} act="callbacks">
          <button type="submit" name="remove" value="yes">
            {words.callbacksRemove}
          </button>
        </Act>
      )}
      <Latest view={view} />
    </section>
  )
}

function Address({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { flash, controls } = view
  const isRefused = flash?.key === 'ADDRESS'
  const [common, ...others] = new Set(CALLBACK_KINDS.map((kind) => controls.callbackUrls[kind]))
  return (
    <Act view={view} act="callbacks" class="stack">
      <div class="field">
        <label for="callback-url">{words.callbacksUrl}</label>
        <p class="note" id="callback-hint">
          {fill(words.callbacksHint, { example: EXAMPLE })}
        </p>
        <input
          id="callback-url"
          name="url"
          type="url"
          inputmode="url"
          autocomplete="off"
          maxLength={2000}
          dir="ltr"
          value={isRefused ? flash.values.url : others.length === 0 ? common : ''}
          aria-describedby="callback-hint"
          aria-invalid={isRefused ? true : undefined}
        />
      </div>
      <button type="submit">{words.callbacksSet}</button>
    </Act>
  )
}

function Latest({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { deliveries } = view.controls
  return (
    <>
      <h3>{words.deliveriesHeading}</h3>
      {deliveries.length === 0 ? <p class="note">{words.deliveriesNone}</p> : null}
      {deliveries.map((one) => (
        <details key={`${one.key} ${one.state}`} class="delivery">
          <summary>
            <span>
              {one.kind} {one.state}: <strong>{words[`delivery_${one.status}`]}</strong>
            </span>
            <small>
              <bdi dir="ltr">{one.paymentId}</bdi>
              <br />
              {timeText(one.createdMs, view.lang)}
              {one.httpStatus === null ? null : `, HTTP ${one.httpStatus}`}
            </small>
          </summary>
          {one.reason === null ? null : <p>{one.reason}</p>}
          <Facts rows={factsOf(one, view)} />
        </details>
      ))}
    </>
  )
}

function factsOf(one: LatestCallback, { lang }: SandboxView): (readonly [string, string])[] {
  const words = SANDBOX_WORDS[lang]
  const { answer, dueMs } = one
  return [
    [words.deliveryAttempts, String(one.attempts)],
    ...(one.url ? [['url', one.url] as const] : []),
    ...(answer ? [['answer', answer] as const] : []),
    ...(dueMs === null ? [] : [[words.deliveryNext, timeText(dueMs, lang)] as const]),
  ]
}
