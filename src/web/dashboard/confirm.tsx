import type { Page } from '../../http/pages.ts'
import { passkeyRequest, siteOf } from '../../usecases/people/passkeys.ts'
import { hasSecondFactor, secondFactorPurpose } from '../../usecases/people/proofs.ts'
import { isConfirmed } from '../../usecases/people/sessions.ts'
import { confirm } from '../../usecases/people/sign-in.ts'
import { Field } from './fields.tsx'
import { dashboardPage, Form } from './frame.tsx'
import { PASSKEY_SCRIPT, PasskeyForm } from './passkey-form.tsx'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/**
 * Before a sensitive change: a page that asks who it is and carries the form along, so that nothing
 * has to be typed twice. Undefined where the change may go ahead.
 */
export async function askWho(visit: Visit): Promise<Page | undefined> {
  const { ctx, person, request, parts } = visit
  if (isConfirmed(ctx, person)) return undefined
  const proof = request.form.get('proof')
  if (proof === null) return confirmPage(visit, undefined)
  const result = await confirm(ctx, person, proof, siteOf(parts.publicUrl()))
  if (result === 'CONFIRMED') return undefined
  return confirmPage(visit, result === 'WAIT' ? 'confirmWait' : 'confirmWrong')
}

type Problem = 'confirmWrong' | 'confirmWait' | undefined

async function confirmPage(visit: Visit, problem: Problem): Promise<Page> {
  const { lang, ctx, parts, person } = visit
  const words = DASHBOARD_WORDS[lang]
  const site = siteOf(parts.publicUrl())
  const { user } = person
  const passkey =
    site === undefined || user.passkeys === 0
      ? undefined
      : await passkeyRequest(ctx, site, secondFactorPurpose(user.userId), user)
  const hasProof = hasSecondFactor(user) || user.passwordHash !== null
  return dashboardPage(visit, {
    heading: words.confirmHeading,
    status: problem === undefined ? 200 : 403,
    isProblem: problem !== undefined,
    script: PASSKEY_SCRIPT,
    children: (
      <>
        <h1>{words.confirmHeading}</h1>
        {problem === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{words.error}</strong>
            <a href="#proof">{words[problem]}</a>
          </p>
        )}
        <p>{words.confirmText}</p>
        {passkey === undefined ? null : (
          <PasskeyForm
            lang={lang}
            action=""
            request={passkey}
            answer="proof"
            values={[['form', visit.formToken], ...carried(visit)]}
            button={words.confirmPasskey}
          />
        )}
        {hasProof ? <ProofForm visit={visit} isWrong={problem !== undefined} /> : null}
        <OtherWays visit={visit} hasProof={hasProof} />
      </>
    ),
  })
}

const carried = ({ request }: Visit): [string, string][] =>
  [...request.form].filter(([name]) => name !== 'proof' && name !== 'form')

function ProofForm({ visit, isWrong }: { readonly visit: Visit; readonly isWrong: boolean }) {
  const words = DASHBOARD_WORDS[visit.lang]
  const asksCode = hasSecondFactor(visit.person.user)
  return (
    <Form visit={visit} action="" class="stack">
      {carried(visit).map(([name, value], at) => (
        <input key={`${name} ${at}`} type="hidden" name={name} value={value} />
      ))}
      <Field
        name="proof"
        label={asksCode ? words.confirmCode : words.confirmPassword}
        type={asksCode ? 'text' : 'password'}
        autocomplete={asksCode ? 'one-time-code' : 'current-password'}
        isWrong={isWrong}
      />
      <div class="row">
        <button type="submit" class="main">
          {words.confirm}
        </button>
        <a href="/dashboard">{words.cancel}</a>
      </div>
    </Form>
  )
}

/** For people who came without a password: they prove it where they came from. */
function OtherWays({ visit, hasProof }: { readonly visit: Visit; readonly hasProof: boolean }) {
  const words = DASHBOARD_WORDS[visit.lang]
  const { onlyMerchantId } = visit.person.session
  if (onlyMerchantId !== null) {
    const query = new URLSearchParams({ merchant: String(onlyMerchantId), again: '1' })
    return (
      <p>
        <a href={`/sign-in/company/go?${query}`}>{words.confirmCompany}</a>
      </p>
    )
  }
  if (hasProof) return null
  return (
    <>
      <p>{words.confirmNothing}</p>
      <p>
        <a href="/sign-in/forgotten">{words.forgotten}</a>
      </p>
    </>
  )
}
