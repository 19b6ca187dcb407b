import type { Page } from '../../http/pages.ts'
import { passkeyRequest, siteOf } from '../../usecases/people/passkeys.ts'
import { hasSecondFactor, secondFactorPurpose } from '../../usecases/people/proofs.ts'
import { isConfirmed } from '../../usecases/people/sessions.ts'
import { confirm } from '../../usecases/people/sign-in.ts'
import { seeOther } from '../response.ts'
import { Field } from './fields.tsx'
import { dashboardPage, Form } from './frame.tsx'
import { PASSKEY_SCRIPT, PasskeyForm } from './passkey-form.tsx'
import { safeNext } from './sign-in/request.ts'
import type { DashboardRoute, Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/**
 * Before something sensitive: a page that asks who it is and carries the form along, so that nothing
 * has to be typed twice; or, for a file, its address. Undefined where it may go ahead.
 */
export async function askWho(visit: Visit, fileAddress?: string): Promise<Page | undefined> {
  const { ctx, person, request, parts } = visit
  if (isConfirmed(ctx, person)) return undefined
  if (fileAddress !== undefined) return confirmPage(visit, undefined, fileAddress)
  const proof = request.form.get('proof')
  if (proof === null) return confirmPage(visit, undefined)
  const result = await confirm(ctx, person, proof, siteOf(parts.publicUrl()))
  if (result === 'CONFIRMED') return undefined
  return confirmPage(visit, result === 'WAIT' ? 'confirmWait' : 'confirmWrong')
}

/** Where the answer goes, and what goes with it. */
type Then = { readonly action: string; readonly values: [string, string][] }

export const CONFIRM_PATH = '/dashboard/confirm'

/** After the proof of who it is, the file follows. */
export const CONFIRM_ROUTE: DashboardRoute = {
  path: CONFIRM_PATH,
  method: 'POST',
  permission: 'anyone',
  isSensitive: true,
  answer: ({ request }) => seeOther(safeNext(request.form.get('next'))),
}

type Problem = 'confirmWrong' | 'confirmWait' | undefined

async function confirmPage(visit: Visit, problem: Problem, fileAddress?: string): Promise<Page> {
  const { lang, ctx, parts, person } = visit
  const words = DASHBOARD_WORDS[lang]
  const site = siteOf(parts.publicUrl())
  const { user } = person
  const passkey =
    site === undefined || user.passkeys === 0
      ? undefined
      : await passkeyRequest(ctx, site, secondFactorPurpose(user.userId), user)
  const hasProof = hasSecondFactor(user) || user.passwordHash !== null
  const then: Then =
    fileAddress === undefined
      ? { action: '', values: carried(visit) }
      : { action: CONFIRM_PATH, values: [['next', fileAddress]] }
  return dashboardPage(visit, {
    heading: words.confirmHeading,
    // A program that wants the file must not take the question for it.
    status: problem === undefined && fileAddress === undefined ? 200 : 403,
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
            action={then.action}
            request={passkey}
            answer="proof"
            values={[['form', visit.formToken], ...then.values]}
            button={words.confirmPasskey}
          />
        )}
        {hasProof ? <ProofForm visit={visit} then={then} isWrong={problem !== undefined} /> : null}
        <OtherWays visit={visit} hasProof={hasProof} />
      </>
    ),
  })
}

const carried = ({ request }: Visit): [string, string][] =>
  [...request.form].filter(([name]) => name !== 'proof' && name !== 'form')

type ProofProps = { readonly visit: Visit; readonly then: Then; readonly isWrong: boolean }

function ProofForm({ visit, then, isWrong }: ProofProps) {
  const words = DASHBOARD_WORDS[visit.lang]
  const asksCode = hasSecondFactor(visit.person.user)
  return (
    <Form visit={visit} action={then.action} class="stack">
      {then.values.map(([name, value], at) => (
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
