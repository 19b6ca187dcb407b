/** What a developer does to the world around a test, with what it is now. */
import { AVAILABILITIES, OPERATION_TYPES } from '../../../domain/provider.ts'
import { money } from '../../money.ts'
import { durationText, timeText } from '../../time.ts'
import { CATALOGUES, fill, type Lang } from '../../words.ts'
import { Act } from '../parts.tsx'
import { isUsual, type SandboxView, sandboxPath, type WalletRow } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'

type Props = { readonly view: SandboxView }

/** Says in one line what is not as usual; balances are not, since every payment moves them. */
export function Changes({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { offsetMs, switched, receiverFails } = view.controls
  const clock = fill(words.changedClock, { duration: durationText(offsetMs, view.lang) })
  const providers = fill(words.changedProviders, { count: switched.length })
  const all: readonly (readonly [boolean, SandboxView['panel'], string])[] = [
    [offsetMs !== 0, 'clock', clock],
    [switched.length > 0, 'operator', providers],
    [receiverFails, 'callbacks', words.changedReceiver],
  ]
  const changed = all.filter(([isSo]) => isSo)
  if (changed.length === 0) return null
  return (
    <p class="notice warn">
      {words.changed}
      {changed.map(([, panel, text], at) => (
        <span key={panel}>
          {at === 0 ? ' ' : ', '}
          <a href={`${sandboxPath({ ...view, panel })}#panel`}>{text}</a>
        </span>
      ))}
      .
    </p>
  )
}

export function Clock({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { now, offsetMs } = view.controls
  const steps = [
    ['60', words.minute],
    ['900', words.quarter],
    ['3600', words.hour],
    ['86400', words.day],
  ] as const
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">{words.clockHeading}</h2>
      <p>{fill(words.clockNow, { time: timeText(now, view.lang) })}</p>
      <p class="note">
        {offsetMs === 0
          ? words.clockReal
          : fill(words.clockAhead, { duration: durationText(offsetMs, view.lang) })}
      </p>
      <Act view={view} act="advance">
        <fieldset class="choices">
          <legend>{words.clockAdvance}</legend>
          {steps.map(([seconds, text]) => (
            <button key={seconds} type="submit" name="seconds" value={seconds}>
              {text}
            </button>
          ))}
        </fieldset>
      </Act>
      {offsetMs === 0 ? null : (
        <details>
          <summary>{words.clockReset}…</summary>
          <p class="note">{words.clockResetText}</p>
          <Act view={view} act="real-time">
            <button type="submit" class="refuse">
              {words.clockReset}
            </button>
          </Act>
        </details>
      )}
    </section>
  )
}

export function Providers({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { switched, providers } = view.controls
  const { colon } = CATALOGUES[view.lang]
  return (
    <section class="card" aria-labelledby="availability">
      <h2 id="availability">{words.availabilityHeading}</h2>
      {switched.length === 0 ? (
        <p class="note">{words.availabilityUsual}</p>
      ) : (
        <ul class="changes">
          {switched.map(({ provider, name, operation, status }) => (
            <li key={`${provider}/${operation}`}>
              <span>
                {name}, {operation}
                {colon}
                <strong>{status}</strong>
              </span>
              <Act
                view={view}
                act="availability"
                values={{ provider, operation, status: 'OPERATIONAL' }}
              >
                <button type="submit">
                  {words.back}
                  <span class="quiet">
                    {' '}
                    {name} {operation}
                  </span>
                </button>
              </Act>
            </li>
          ))}
        </ul>
      )}
      <Act view={view} act="availability" class="stack">
        <div class="field">
          <label for="provider">{words.provider}</label>
          <select id="provider" name="provider">
            {providers.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <Choice name="operation" label={words.operation} values={OPERATION_TYPES} />
        <Choice name="status" label={words.status} values={AVAILABILITIES} chosen="CLOSED" />
        <button type="submit">{words.set}</button>
      </Act>
    </section>
  )
}

type ChoiceProps = {
  readonly name: string
  readonly label: string
  readonly values: readonly string[]
  readonly chosen?: string
}

function Choice({ name, label, values, chosen }: ChoiceProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        {values.map((value) => (
          <option key={value} selected={value === chosen}>
            {value}
          </option>
        ))}
      </select>
    </div>
  )
}

export function Receiver({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { receiverFails: fails, callbackUrls } = view.controls
  const hasAddress = Object.keys(callbackUrls).length > 0
  return (
    <section class="card" aria-labelledby="receiver">
      <h2 id="receiver">{words.receiverHeading}</h2>
      <p>{fails ? words.receiverFails : words.receiverWorks}</p>
      <p class="note">{hasAddress ? words.receiverText : words.receiverNowhere}</p>
      <Act view={view} act="receiver" values={{ fails: fails ? 'no' : 'yes' }}>
        <button type="submit">{fails ? words.receiverMend : words.receiverBreak}</button>
      </Act>
    </section>
  )
}

/** As the form names a wallet. */
const keyOf = ({ country, currency, provider }: WalletRow): string =>
  [country, currency, provider].filter((part) => part !== null).join(' ')

const holds = ({ name, balance, currency }: WalletRow, lang: Lang): string =>
  `${name}${CATALOGUES[lang].colon}${money(balance, currency, lang)}`

export function Wallets({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { wallets, usualBalance: balance } = view.controls
  const { lang } = view
  const others = wallets.filter((one) => !isUsual(one, balance))
  return (
    <section class="card" aria-labelledby="wallets">
      <h2 id="wallets">{words.walletsHeading}</h2>
      {others.length === 0 ? (
        <p class="note">
          {fill(words.walletsUsual, {
            balance: new Intl.NumberFormat(lang).format(balance as Intl.StringNumericLiteral),
          })}
        </p>
      ) : (
        <ul class="changes">
          {others.map((one) => (
            <li key={keyOf(one)}>
              <span>{holds(one, lang)}</span>
              <Act view={view} act="wallet" values={{ wallet: keyOf(one), balance }}>
                <button type="submit">
                  {fill(words.restore, { balance: money(balance, one.currency, lang) })}
                  <span class="quiet"> {one.name}</span>
                </button>
              </Act>
            </li>
          ))}
        </ul>
      )}
      <Act view={view} act="wallet" class="stack">
        <div class="field">
          <label for="wallet">{words.wallet}</label>
          <select id="wallet" name="wallet">
            {wallets.map((one) => (
              <option key={keyOf(one)} value={keyOf(one)}>
                {holds(one, lang)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="balance">{words.balance}</label>
          <input
            id="balance"
            name="balance"
            inputmode="decimal"
            autocomplete="off"
            maxLength={24}
            aria-invalid={view.flash?.key === 'BALANCE' ? true : undefined}
          />
        </div>
        <button type="submit">{words.set}</button>
      </Act>
    </section>
  )
}

/** Two steps, because it cannot be undone. */
export function StartOver({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <section class="card" aria-labelledby="reset">
      <h2 id="reset">{words.resetHeading}</h2>
      <p class="note">{words.resetText}</p>
      <details>
        <summary>{words.resetHeading}…</summary>
        <Act view={view} act="reset">
          <button type="submit" class="refuse">
            {words.resetButton}
          </button>
        </Act>
      </details>
    </section>
  )
}
