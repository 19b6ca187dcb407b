/** `/sandbox`: the phone, what its operator does, and the controls. */
import { PRESET_NAMES } from '../../../usecases/sandbox/phone-presets.ts'
import { assets } from '../../assets.ts'
import type { Page } from '../../page.tsx'
import { Qr } from '../../qr.tsx'
import { fill } from '../../words.ts'
import { Act, FlashLine, sandboxScreen } from '../parts.tsx'
import {
  FIRST_NUMBER,
  type HeldPhone,
  keptIn,
  PANELS,
  PROBLEMS,
  type SandboxView,
  sandboxPath,
} from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'
import { Callbacks } from './callbacks.tsx'
import { Changes, Clock, Providers, Receiver, StartOver, Wallets } from './controls.tsx'
import { Handset } from './handset.tsx'
import { Picker } from './picker.tsx'

const SCRIPT = assets('handset.js')

type Props = { readonly view: SandboxView }
type PhoneProps = Props & { readonly phone: HeldPhone }

export function renderPhonePage(view: SandboxView): Page {
  const words = SANDBOX_WORDS[view.lang]
  const { phone, isAlone, flash } = view
  return sandboxScreen({
    lang: view.lang,
    path: '/sandbox',
    heading: words.heading,
    isProblem: flash !== undefined && PROBLEMS.has(flash.key),
    kept: keptIn(view),
    script: phone === undefined ? undefined : SCRIPT,
    children: isAlone ? <Alone view={view} /> : <Whole view={view} />,
  })
}

function Alone({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <>
      <h1 class="quiet">{words.heading}</h1>
      <FlashLine flash={view.flash} lang={view.lang} />
      {view.phone === undefined ? (
        <NoPhone view={view} />
      ) : (
        <Handset view={view} phone={view.phone} />
      )}
    </>
  )
}

function Whole({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { phone } = view
  return (
    <>
      <div class="opening">
        <h1>{words.heading}</h1>
        <SignOut view={view} />
      </div>
      <div class="notices">
        <FlashLine flash={view.flash} lang={view.lang} />
        <Changes view={view} />
      </div>
      <div class="bench">
        {phone === undefined ? <NoPhone view={view} /> : <Handset view={view} phone={phone} />}
        <div class="beside" id="panel">
          <Panels view={view} />
          <Panel view={view} />
        </div>
      </div>
    </>
  )
}

/** Links, so that they work without script. */
function Panels({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <nav class="tabs" aria-label={words.panels}>
      {PANELS.map((panel) => (
        <a
          key={panel}
          id={`panel-${panel}`}
          href={`${sandboxPath({ ...view, panel })}#panel`}
          aria-current={panel === view.panel ? 'page' : undefined}
        >
          {words[`panel_${panel}`]}
        </a>
      ))}
    </nav>
  )
}

function Panel({ view }: Props) {
  const { phone } = view
  switch (view.panel) {
    case 'phone':
      return (
        <>
          <Help view={view} />
          <Picker view={view} />
          {phone === undefined ? null : <OtherDevice view={view} />}
        </>
      )
    case 'operator':
      return (
        <>
          {phone === undefined ? null : <Presets view={view} phone={phone} />}
          <Providers view={view} />
          <Wallets view={view} />
        </>
      )
    case 'callbacks':
      return (
        <>
          <Callbacks view={view} />
          <Receiver view={view} />
        </>
      )
    case 'clock':
      return (
        <>
          <Clock view={view} />
          <StartOver view={view} />
        </>
      )
  }
}

function SignOut({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <form method="post" action={`/sandbox/sign-out?lang=${view.lang}`} class="signed-in">
      <span class="note">{fill(words.signedInAs, { name: view.merchant })}</span>
      <button type="submit">{words.signOut}</button>
    </form>
  )
}

function Help({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <details class="help">
      <summary>{words.helpHeading}</summary>
      <p>{words.lead}</p>
      <ol>
        <li>{words.helpOne}</li>
        <li>{words.helpTwo}</li>
        <li>{words.helpThree}</li>
      </ol>
    </details>
  )
}

function NoPhone({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <section class="handset" aria-labelledby="no-phone">
      <div class="speaker" aria-hidden="true" />
      <div class="screen empty">
        <h2 id="no-phone">{words.noPhoneHeading}</h2>
        <p class="note">{words.noPhone}</p>
        <Act view={view} act="take" values={{ number: FIRST_NUMBER }}>
          <button type="submit" class="main">
            {fill(words.takeFirst, { number: FIRST_NUMBER })}
          </button>
        </Act>
      </div>
    </section>
  )
}

function Presets({ view, phone }: PhoneProps) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <section class="card" aria-labelledby="presets">
      <h2 id="presets">{words.presetsHeading}</h2>
      <p class="note">{words.presetsLead}</p>
      {phone.preset === undefined ? <p class="note">{words.ownScript}</p> : null}
      <Act view={view} act="preset">
        <div class="choices">
          {PRESET_NAMES.map((name) => (
            <button
              key={name}
              type="submit"
              name="preset"
              value={name}
              aria-pressed={name === phone.preset}
            >
              {words[`preset_${name}`]}
              {name === phone.preset ? <small> ({words.presetNow})</small> : null}
            </button>
          ))}
        </div>
      </Act>
      {phone.view.mode === 'auto' ? null : (
        <Act view={view} act="auto">
          <button type="submit">{words.toAuto}</button>
        </Act>
      )}
    </section>
  )
}

function OtherDevice({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { deviceUrl, publicUrl } = view
  return (
    <section class="card" aria-labelledby="device">
      <h2 id="device">{words.deviceHeading}</h2>
      {deviceUrl === undefined ? (
        <p class="note">{words.deviceText}</p>
      ) : (
        <div class="device">
          <Qr text={deviceUrl} />
          <div>
            <p>{words.deviceReady}</p>
            <p>
              <a href={deviceUrl}>{deviceUrl}</a>
            </p>
            <p class="note">{fill(words.deviceReach, { url: publicUrl })}</p>
          </div>
        </div>
      )}
      <Act view={view} act="device">
        <button type="submit">{words.deviceButton}</button>
      </Act>
    </section>
  )
}
