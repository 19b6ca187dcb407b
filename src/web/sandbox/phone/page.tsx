/** `/sandbox`: the phone, what its operator does, and the controls. */
import { PRESET_NAMES } from '../../../usecases/sandbox/phone-presets.ts'
import { assets } from '../../assets.ts'
import type { Page } from '../../page.tsx'
import { Qr } from '../../qr.tsx'
import { fill } from '../../words.ts'
import { Act, FlashLine, sandboxScreen } from '../parts.tsx'
import { FIRST_NUMBER, type HeldPhone, keptIn, PROBLEMS, type SandboxView } from '../view.ts'
import { SANDBOX_WORDS } from '../words.ts'
import { Changes, Controls } from './controls.tsx'
import { Handset } from './handset.tsx'

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
        <div>
          <h1>{words.heading}</h1>
          <p class="lead">{words.lead}</p>
        </div>
        <SignOut view={view} />
      </div>
      <FlashLine flash={view.flash} lang={view.lang} />
      <Changes view={view} />
      {view.hasTour ? <Tour view={view} /> : null}
      <div class="bench">
        {phone === undefined ? <NoPhone view={view} /> : <Handset view={view} phone={phone} />}
        <div class="beside">
          <Picker view={view} />
          {phone === undefined ? null : <Presets view={view} phone={phone} />}
          {phone === undefined ? null : <OtherDevice view={view} />}
        </div>
      </div>
      <Controls view={view} />
    </>
  )
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

function Tour({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  return (
    <section class="tour" aria-labelledby="tour">
      <h2 id="tour">{words.tourHeading}</h2>
      <ol>
        <li>{words.tourOne}</li>
        <li>{words.tourTwo}</li>
        <li>{words.tourThree}</li>
      </ol>
      <Act view={view} act="tour">
        <button type="submit">{words.tourDone}</button>
      </Act>
    </section>
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

function Picker({ view }: Props) {
  const words = SANDBOX_WORDS[view.lang]
  const { groups, phone, flash } = view
  return (
    <section class="card" aria-labelledby="pick">
      <h2 id="pick">{words.pickHeading}</h2>
      <Act view={view} act="take" values={{ number: '' }} class="stack">
        <div class="field">
          <label for="listed">{words.testNumber}</label>
          <select id="listed" name="listed">
            {groups.map(({ name, numbers }) => (
              <optgroup key={name} label={name}>
                {numbers.map(({ phoneNumber, ending }) => (
                  <option
                    key={phoneNumber}
                    value={phoneNumber}
                    selected={phoneNumber === phone?.view.msisdn}
                  >
                    {phoneNumber}: {ending === 'PROCESSING' ? words.staysProcessing : ending}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="typed">{words.anyNumber}</label>
          <p class="note" id="typed-hint">
            {words.anyNumberHint}
          </p>
          <input
            id="typed"
            name="typed"
            inputmode="tel"
            autocomplete="off"
            maxLength={40}
            dir="ltr"
            value={flash?.key === 'NUMBER' ? flash.values.number : ''}
            aria-describedby="typed-hint"
            aria-invalid={flash?.key === 'NUMBER' ? true : undefined}
          />
        </div>
        <button type="submit">{words.take}</button>
      </Act>
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
