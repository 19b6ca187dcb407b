/** The selected phone: payment requests, messages, the wallet app and a dialler. */
import { spacedNumber } from '../../../domain/phone-number.ts'
import { messagesOf, type PhoneEntry } from '../../../usecases/sandbox/phone-entries.ts'
import type { OffScreen, Prompt } from '../../../usecases/sandbox/phone-prompts.ts'
import { money } from '../../money.ts'
import { timeText } from '../../time.ts'
import { fill, type Lang } from '../../words.ts'
import { Act } from '../parts.tsx'
import { type HeldPhone, type SandboxView, sandboxPath, TABS } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'

type Props = { readonly view: SandboxView; readonly phone: HeldPhone }

export function Handset({ view, phone }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { msisdn, mode, version, prompts } = phone.view
  const [prompt] = prompts
  return (
    <section
      id="handset"
      class="handset"
      aria-labelledby="handset-number"
      data-number={msisdn}
      data-version={version}
    >
      <div class="speaker" aria-hidden="true" />
      <div class="screen">
        <div class="status-bar">
          <h2 id="handset-number">
            <bdi dir="ltr">{spacedNumber(msisdn, phone.callingCode)}</bdi>
            <small>{phone.operator}</small>
          </h2>
          <span class={mode === 'auto' ? 'badge' : 'badge live'}>
            {mode === 'auto' ? words.modeAuto : words.modeInteractive}
          </span>
        </div>
        {prompt === undefined ? (
          <Idle view={view} phone={phone} />
        ) : (
          <PromptBox view={view} prompt={prompt} />
        )}
        <Tabs view={view} />
        {view.tab === 'wallet' ? (
          <WalletApp view={view} phone={phone} />
        ) : (
          <Messages view={view} phone={phone} />
        )}
        <p class="offline note" id="offline" role="status" data-text={words.offline} />
      </div>
      <Dialler view={view} phone={phone} />
    </section>
  )
}

function Idle({ view, phone }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { mode, offScreen, entries } = phone.view
  const isAuto = mode === 'auto'
  const asksInApp = entries.some(({ state }) => state === 'ASKS')
  const isFree = !(isAuto || asksInApp || offScreen !== undefined)
  return (
    <div class="idle">
      {offScreen === undefined ? null : <Elsewhere lang={view.lang} prompt={offScreen} />}
      {asksInApp ? <p>{words.asksInApp}</p> : null}
      {isFree ? <p>{words.nothing}</p> : null}
      {isFree ? <p class="note">{words.nothingHint}</p> : null}
      {isAuto ? <p>{words.autoText}</p> : null}
      {isAuto ? (
        <Act view={view} act="take">
          <button type="submit" class="main">
            {words.toInteractive}
          </button>
        </Act>
      ) : null}
      <a class="again" id="again" href={sandboxPath(view)}>
        {words.lookAgain}
      </a>
    </div>
  )
}

/** A payment that is waiting keeps its place on the screen, with the code that shows it. */
function Elsewhere({ lang, prompt }: { readonly lang: Lang; readonly prompt: OffScreen }) {
  const { amount, currency, payee, codes } = prompt
  const values = { money: money(amount, currency, lang), payee, code: codes[0] ?? '' }
  return <p class="ask">{fill(SANDBOX_WORDS[lang].offScreen, values)}</p>
}

function PromptBox({ view, prompt }: { readonly view: SandboxView; readonly prompt: Prompt }) {
  const { lang, flash } = view
  const words = SANDBOX_WORDS[lang]
  const isWrong = flash?.key === 'WRONG_PIN' || flash?.key === 'PIN_MISSING'
  const { amount, currency, payee, providerName: provider, reference, expiresAt } = prompt
  return (
    <section class="prompt" aria-labelledby="prompt">
      <h3 id="prompt" tabIndex={-1}>
        {words.promptHeading}
      </h3>
      <p class="ask">{fill(words.promptText, { money: money(amount, currency, lang), payee })}</p>
      <p>
        {words.promptReference}
        <bdi>{reference}</bdi>
      </p>
      <p class="note">
        {fill(words.promptVia, { provider, time: timeText(expiresAt, lang, false) })}
      </p>
      <Act view={view} act="approve" values={{ prompt: prompt.id }}>
        <label for="pin">{words.pin}</label>
        <p class="note" id="pin-hint">
          {words.pinHint}
        </p>
        <input
          id="pin"
          name="pin"
          type="password"
          inputmode="numeric"
          autocomplete="off"
          maxLength={8}
          dir="ltr"
          aria-describedby="pin-hint"
          aria-invalid={isWrong ? true : undefined}
        />
        <div class="answers">
          <button type="submit" class="main" id="approve">
            {words.approve}
          </button>
          <button type="submit" name="refuse" value="yes" class="refuse" id="refuse">
            {words.refuse}
          </button>
        </div>
      </Act>
    </section>
  )
}

/** Links, so that they work without script; the handset stays in view. */
function Tabs({ view }: Pick<Props, 'view'>) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <nav class="tabs" aria-label={words.tabs}>
      {TABS.map((tab) => (
        <a
          key={tab}
          id={`tab-${tab}`}
          href={`${sandboxPath({ ...view, tab })}#handset`}
          aria-current={tab === view.tab ? 'page' : undefined}
        >
          {words[`tab_${tab}`]}
        </a>
      ))}
    </nav>
  )
}

function Messages({ view, phone }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const newestFirst = messagesOf(phone.view.entries, view.lang, money).toReversed()
  return (
    <div class="messages">
      <h3 id="messages" class="quiet">
        {words.messages}
      </h3>
      {newestFirst.length === 0 ? (
        <p class="note">{words.noMessages}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <ol id="message-list" tabIndex={0} aria-labelledby="messages">
          {newestFirst.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <p>{text}</p>
              <time class="note" dateTime={new Date(at).toISOString()}>
                {timeText(at, view.lang)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

/** Every payment of the wallet, and those that are approved in its app. */
function WalletApp({ view, phone }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const newestFirst = phone.view.entries.toReversed()
  return (
    <div class="messages">
      <h3 id="entries" class="quiet">
        {words.walletApp}
      </h3>
      {newestFirst.length === 0 ? (
        <p class="note">{words.noEntries}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <ol id="entry-list" tabIndex={0} aria-labelledby="entries">
          {newestFirst.map((entry) => (
            <Entry key={entry.id} view={view} entry={entry} />
          ))}
        </ol>
      )}
      <p class="note">{words.noBalance}</p>
    </div>
  )
}

function Entry({ view, entry }: { readonly view: SandboxView; readonly entry: PhoneEntry }) {
  const words = SANDBOX_WORDS[view.lang]
  const { id, at, operation, state, amount, currency, company, provider, transactionId } = entry
  const isOut = operation === 'DEPOSIT'
  const done = isOut ? words.entryPaid : words.entryReceived
  // Only what was paid left the wallet.
  const sign = isOut ? '\u2212' : '+'
  return (
    <li>
      <p class="entry">
        <strong>{state === 'DONE' ? done : words[`entry_${state}`]}</strong>{' '}
        <bdi class="sum">
          {state === 'DONE' ? sign : ''}
          {money(amount, currency, view.lang)}
        </bdi>
      </p>
      <p>{fill(isOut ? words.entryTo : words.entryFrom, { company })}</p>
      {state === 'ASKS' ? (
        <Act view={view} act="in-app" values={{ order: id }} class="answers">
          <button type="submit" class="main" id={`approve-${id}`}>
            {words.approve}
          </button>
          <button type="submit" name="refuse" value="yes" class="refuse" id={`refuse-${id}`}>
            {words.refuse}
          </button>
        </Act>
      ) : null}
      <p class="note">
        {[provider, ...(state === 'DONE' ? [transactionId] : [])].join(', ')}
        <br />
        <time dateTime={new Date(at).toISOString()}>{timeText(at, view.lang)}</time>
      </p>
    </li>
  )
}

function Dialler({ view, phone }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <Act view={view} act="dial" class="dialler">
      <label for="code">{words.dial}</label>
      <p class="note" id="code-hint">
        {phone.codes.length === 0 ? words.dialNone : words.dialHints}
        <bdi dir="ltr">{phone.codes.join('  ')}</bdi>
      </p>
      <div class="row">
        <input
          id="code"
          name="code"
          inputmode="tel"
          autocomplete="off"
          maxLength={40}
          dir="ltr"
          list="codes"
          aria-describedby="code-hint"
        />
        <datalist id="codes">
          {phone.codes.map((code) => (
            <option key={code} value={code} />
          ))}
        </datalist>
        <button type="submit" id="dial">
          {words.dialButton}
        </button>
      </div>
    </Act>
  )
}
