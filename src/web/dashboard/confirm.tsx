import type { Page } from '../../http/pages.ts'
import { isConfirmed } from '../../usecases/people/sessions.ts'
import { confirm } from '../../usecases/people/sign-in.ts'
import { Field } from './fields.tsx'
import { dashboardPage, Form } from './frame.tsx'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

/**
 * Before a sensitive change: a page that asks who it is and carries the form along, so that nothing
 * has to be typed twice. Undefined where the change may go ahead.
 */
export async function askWho(visit: Visit): Promise<Page | undefined> {
  const { ctx, person, request } = visit
  if (isConfirmed(ctx, person)) return undefined
  const proof = request.form.get('proof')
  if (proof === null) return confirmPage(visit, undefined)
  const result = await confirm(ctx, person, proof)
  if (result === 'CONFIRMED') return undefined
  return confirmPage(visit, result === 'WAIT' ? 'confirmWait' : 'confirmWrong')
}

function confirmPage(visit: Visit, problem: 'confirmWrong' | 'confirmWait' | undefined): Page {
  const { lang, person, request } = visit
  const words = DASHBOARD_WORDS[lang]
  const carried = [...request.form].filter(([name]) => name !== 'proof' && name !== 'form')
  const { hasCode } = person.user
  return dashboardPage(visit, {
    heading: words.confirmHeading,
    status: problem === undefined ? 200 : 403,
    isProblem: problem !== undefined,
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
        <Form visit={visit} action="" class="stack">
          {carried.map(([name, value], at) => (
            <input key={`${name} ${at}`} type="hidden" name={name} value={value} />
          ))}
          <Field
            name="proof"
            label={hasCode ? words.confirmCode : words.confirmPassword}
            type={hasCode ? 'text' : 'password'}
            autocomplete={hasCode ? 'one-time-code' : 'current-password'}
            isWrong={problem !== undefined}
          />
          <div class="row">
            <button type="submit" class="main">
              {words.confirm}
            </button>
            <a href="/dashboard">{words.cancel}</a>
          </div>
        </Form>
      </>
    ),
  })
}
