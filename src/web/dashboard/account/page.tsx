import type { Page } from '../../../http/pages.ts'
import { recoveryCodesLeft, sessionsOf, timeZones } from '../../../usecases/people/account.ts'
import { siteOf } from '../../../usecases/people/passkeys.ts'
import { newPasskeyRequest, passkeysOf } from '../../../usecases/people/second-factor.ts'
import { fill, LANGUAGE_NAMES } from '../../words.ts'
import { Choice, Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { PASSKEY_SCRIPT } from '../passkey-form.tsx'
import type { Visit } from '../visit.ts'
import { type Problem, ProblemLine, type ProblemProps } from './problem.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { ACCOUNT_WORDS } from './words.ts'

export async function accountPage(visit: Visit, problem?: Problem): Promise<Page> {
  const { ctx, person, lang, parts } = visit
  const words = ACCOUNT_WORDS[lang]
  const site = siteOf(parts.publicUrl())
  const isOwn = person.session.onlyMerchantId === null
  const [sessions, passkeys, codesLeft] = await Promise.all([
    sessionsOf(ctx, person),
    passkeysOf(ctx, person),
    recoveryCodesLeft(ctx, person),
  ])
  const request = site && isOwn ? await newPasskeyRequest(ctx, person, site) : undefined
  return dashboardPage(visit, {
    name: 'account',
    heading: words.heading,
    status: problem === undefined ? 200 : 400,
    isProblem: problem !== undefined,
    script: PASSKEY_SCRIPT,
    children: (
      <>
        <ProblemLine visit={visit} problem={problem} />
        <h1>{words.heading}</h1>
        <p>{fill(words.signedInAs, { email: person.user.email })}</p>
        <PreferencesPanel visit={visit} problem={problem} />
        {isOwn ? (
          <>
            <PasswordPanel visit={visit} problem={problem} />
            <SecondFactor
              visit={visit}
              passkeys={passkeys}
              codesLeft={codesLeft}
              request={request}
            />
          </>
        ) : (
          <section class="panel" aria-labelledby="company">
            <h2 id="company">{words.byCompany}</h2>
            <p>{words.byCompanyText}</p>
          </section>
        )}
        <Sessions visit={visit} sessions={sessions} />
      </>
    ),
  })
}

function PreferencesPanel({ visit, problem }: ProblemProps) {
  const { lang, person, request } = visit
  const words = ACCOUNT_WORDS[lang]
  const { name, language, timeZone } = person.user
  return (
    <section class="panel" aria-labelledby="preferences">
      <h2 id="preferences">{words.preferences}</h2>
      <Form visit={visit} action="/dashboard/account/preferences" class="stack">
        <Field
          name="name"
          label={words.name}
          autocomplete="name"
          hint={words.nameHint}
          value={request.form.get('name') ?? name}
          isWrong={problem?.field === 'name'}
        />
        <Choice
          name="language"
          label={words.language}
          value={language ?? lang}
          options={(['en', 'fr'] as const).map((value) => ({ value, text: LANGUAGE_NAMES[value] }))}
        />
        <Choice
          name="timeZone"
          label={words.timeZone}
          hint={words.timeZoneHint}
          value={timeZone}
          options={timeZones().map((value) => ({ value, text: value.replaceAll('_', ' ') }))}
        />
        <button type="submit">{words.save}</button>
      </Form>
    </section>
  )
}

function PasswordPanel({ visit, problem }: ProblemProps) {
  const { lang, person } = visit
  const words = ACCOUNT_WORDS[lang]
  const { email, passwordHash } = person.user
  return (
    <section class="panel" aria-labelledby="password-heading">
      <h2 id="password-heading">{words.password}</h2>
      {passwordHash === null ? (
        <Form visit={visit} action="/dashboard/account/password-link" class="stack">
          <p>{words.passwordNone}</p>
          <button type="submit">{words.passwordSet}</button>
        </Form>
      ) : (
        <Form visit={visit} action="/dashboard/account/password" class="stack">
          {/* For password managers, which store it under this name. */}
          <input type="hidden" name="username" autocomplete="username" value={email} />
          <Field
            name="old"
            label={words.passwordOld}
            type="password"
            autocomplete="current-password"
            isWrong={problem?.field === 'old'}
          />
          <Field
            name="password"
            label={words.passwordNew}
            type="password"
            autocomplete="new-password"
            hint={words.passwordHint}
            isWrong={problem?.field === 'password'}
          />
          <Field
            name="again"
            label={words.passwordAgain}
            type="password"
            autocomplete="new-password"
            isWrong={problem?.text === 'DIFFERENT'}
          />
          <button type="submit">{words.passwordChange}</button>
        </Form>
      )}
    </section>
  )
}
