import type { Page } from '../../../http/pages.ts'
import { hasSecondFactor } from '../../../usecases/people/proofs.ts'
import type { passkeysOf } from '../../../usecases/people/second-factor.ts'
import { Qr } from '../../qr.tsx'
import { fill } from '../../words.ts'
import { Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { PasskeyForm } from '../passkey-form.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { type Problem, ProblemLine } from './problem.tsx'
import { ACCOUNT_WORDS } from './words.ts'

type Passkeys = Awaited<ReturnType<typeof passkeysOf>>

type Props = {
  readonly visit: Visit
  readonly passkeys: Passkeys
  readonly codesLeft: number
  /** What the browser is asked for; absent where passkeys cannot be used. */
  readonly request: object | undefined
}

export function SecondFactor({ visit, passkeys, codesLeft, request }: Props) {
  const { lang, person } = visit
  const words = ACCOUNT_WORDS[lang]
  const { user } = person
  return (
    <>
      <section class="panel" aria-labelledby="second-factor">
        <h2 id="second-factor">{words.secondFactor}</h2>
        <p>{words.secondFactorText}</p>
        <dl class="facts">
          <dt>{words.authenticator}</dt>
          <dd>
            <span class={user.hasCode ? 'state good' : 'state'}>
              {user.hasCode ? words.on : words.off}
            </span>
          </dd>
          <dt>{words.recovery}</dt>
          <dd>{fill(words.recoveryLeft, { count: codesLeft })}</dd>
        </dl>
        <div class="row">
          {user.hasCode ? (
            <Form visit={visit} action="/dashboard/account/authenticator/remove">
              <button type="submit" class="danger">
                {words.authenticatorRemove}
              </button>
            </Form>
          ) : (
            <Form visit={visit} action="/dashboard/account/authenticator">
              <button type="submit">{words.authenticatorAdd}</button>
            </Form>
          )}
          {hasSecondFactor(user) ? (
            <Form visit={visit} action="/dashboard/account/recovery-codes">
              <button type="submit">{words.recoveryMake}</button>
            </Form>
          ) : null}
        </div>
      </section>
      <section class="panel" aria-labelledby="passkeys">
        <h2 id="passkeys">{words.passkeys}</h2>
        <p>{words.passkeysText}</p>
        {passkeys.length === 0 ? (
          <p class="note">{words.passkeysNone}</p>
        ) : (
          <PasskeyTable visit={visit} passkeys={passkeys} />
        )}
        {request === undefined ? (
          <p class="note">{words.passkeysNotHere}</p>
        ) : (
          <NewPasskey visit={visit} request={request} />
        )}
      </section>
    </>
  )
}

function NewPasskey({ visit, request }: { readonly visit: Visit; readonly request: object }) {
  const words = ACCOUNT_WORDS[visit.lang]
  return (
    <>
      <noscript>
        <p class="note">{words.passkeysScript}</p>
      </noscript>
      <PasskeyForm
        lang={visit.lang}
        action="/dashboard/account/passkeys"
        request={request}
        answer="passkey"
        values={{ form: visit.formToken }}
        button={words.passkeyAdd}
      >
        <Field
          name="passkey-name"
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          value={words.passkeyDefault}
        />
      </PasskeyForm>
    </>
  )
}

function PasskeyTable({ visit, passkeys }: Pick<Props, 'visit' | 'passkeys'>) {
  const words = ACCOUNT_WORDS[visit.lang]
  return (
    <StackedTable
      caption={words.passkeys}
      heads={[words.passkeyName, words.passkeyCreated, words.passkeyUsed, words.passkeyAct]}
    >
      {passkeys.map(({ credentialId: id, name, createdMs, usedMs }) => (
        <tr key={id}>
          <th scope="row" data-label={words.passkeyName}>
            <Form
              visit={visit}
              action="/dashboard/account/passkeys/name"
              values={{ id }}
              class="row"
            >
              <input name="name" value={name} aria-label={fill(words.nameOf, { name })} />
              <button type="submit">{words.passkeyRename}</button>
            </Form>
          </th>
          <td data-label={words.passkeyCreated}>
            <When visit={visit} ms={createdMs} />
          </td>
          <td data-label={words.passkeyUsed}>
            {usedMs === null ? words.never : <When visit={visit} ms={usedMs} />}
          </td>
          <td data-label={words.passkeyAct}>
            <Form visit={visit} action="/dashboard/account/passkeys/remove" values={{ id }}>
              <button type="submit" class="danger" aria-label={fill(words.removeOf, { name })}>
                {words.passkeyRemove}
              </button>
            </Form>
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}

/** The key that waits for its first code. */
export function authenticatorPage(
  visit: Visit,
  { key, url }: { readonly key: string; readonly url: string },
  problem?: Problem,
): Page {
  const words = ACCOUNT_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'account',
    heading: words.authenticatorHeading,
    status: problem === undefined ? 200 : 400,
    isProblem: problem !== undefined,
    children: (
      <>
        <ProblemLine visit={visit} problem={problem} />
        <h1>{words.authenticatorHeading}</h1>
        <p>{words.authenticatorScan}</p>
        <figure class="qr" role="img" aria-label={words.authenticatorQr}>
          <Qr text={url} />
        </figure>
        <dl class="facts">
          <dt>{words.authenticatorKey}</dt>
          <dd class="id">
            <bdi dir="ltr">{key.match(/.{1,4}/g)?.join(' ')}</bdi>
          </dd>
        </dl>
        <Form visit={visit} action="/dashboard/account/authenticator/confirm" class="stack">
          <Field
            name="code"
            label={words.authenticatorCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            isWrong={problem !== undefined}
          />
          <button type="submit" class="main">
            {words.authenticatorConfirm}
          </button>
        </Form>
      </>
    ),
  })
}

/** The only time that the codes are shown; they are in no cookie and in no address. */
export function recoveryPage(visit: Visit, codes: readonly string[]): Page {
  const words = ACCOUNT_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'account',
    heading: words.recoveryHeading,
    isShownOnce: true,
    children: (
      <>
        <h1>{words.recoveryHeading}</h1>
        <p class="notice warn">{words.recoveryText}</p>
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p>
          <a class="button main" href="/dashboard/account">
            {words.recoveryDone}
          </a>
        </p>
      </>
    ),
  })
}
