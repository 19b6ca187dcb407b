import type { ComponentChildren } from 'preact'
import { MAX_SIGNATURE_AGE } from '../../../domain/accounts/merchant.ts'
import type { Page } from '../../../http/pages.ts'
import type { SignatureFacts } from '../../../usecases/accounts/signatures-of-merchant.ts'
import { fill } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { describedBy, Field, Labelled } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { DryRun } from './dry-run.tsx'
import { Keys } from './keys.tsx'
import { type KeyRefusal, SIGNATURE_WORDS } from './words.ts'

export const PLACE = '/dashboard/signatures'

/** What was typed and why it is refused. */
export type Refused =
  | { readonly key: KeyRefusal & { readonly keyId: string; readonly pem: string } }
  | { readonly maxAge: string }

export function signaturesPage(visit: Visit, facts: SignatureFacts, refused?: Refused): Page {
  const words = SIGNATURE_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang].signatures
  const limit = countryLimitOf(visit)
  return dashboardPage(visit, {
    name: 'signatures',
    heading,
    isProblem: refused !== undefined,
    status: refused === undefined ? 200 : 400,
    children: (
      <>
        <h1>{heading}</h1>
        <Problem visit={visit} refused={refused} />
        <p>{words.intro}</p>
        {limit === undefined ? null : <p class="notice warn">{limit}</p>}
        <Keys visit={visit} keys={facts.keys} />
        {limit === undefined ? <AddForm visit={visit} refused={refused} /> : null}
        <Required visit={visit} facts={facts}>
          {limit === undefined ? <RequireForm visit={visit} facts={facts} /> : null}
        </Required>
        {limit === undefined ? <Settings visit={visit} facts={facts} refused={refused} /> : null}
      </>
    ),
  })
}

type PartProps = { readonly visit: Visit; readonly facts: SignatureFacts }
type RefusedProps = { readonly visit: Visit; readonly refused: Refused | undefined }

const ageProblem = (visit: Visit): string =>
  fill(SIGNATURE_WORDS[visit.lang].maxAgeWrong, { max: MAX_SIGNATURE_AGE })

function Problem({ visit, refused }: RefusedProps) {
  if (refused === undefined) return null
  const [field, text] =
    'key' in refused ? [refused.key.field, refused.key.text] : ['maxAge', ageProblem(visit)]
  return (
    <p class="notice bad" role="alert">
      <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
      <a href={`#${field}`}>{text}</a>
    </p>
  )
}

function AddForm({ visit, refused }: RefusedProps) {
  const words = SIGNATURE_WORDS[visit.lang]
  const key = refused !== undefined && 'key' in refused ? refused.key : undefined
  const problemOf = (field: KeyRefusal['field']): string | undefined =>
    key?.field === field ? key.text : undefined
  const problem = problemOf('pem')
  return (
    <section class="panel" aria-labelledby="add">
      <h2 id="add">{words.addHeading}</h2>
      <Form visit={visit} action={`${PLACE}/keys`} class="stack">
        <Field
          name="keyId"
          label={words.keyId}
          hint={words.keyIdHint}
          value={key?.keyId}
          problem={problemOf('keyId')}
        />
        <Labelled name="pem" label={words.pem} hint={words.pemHint} problem={problem}>
          <textarea
            id="pem"
            name="pem"
            rows={6}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            aria-describedby={describedBy('pem', words.pemHint, problem)}
            aria-invalid={problem === undefined ? undefined : true}
          >
            {key?.pem ?? ''}
          </textarea>
        </Labelled>
        <button type="submit" class="main">
          {words.add}
        </button>
      </Form>
    </section>
  )
}

type RequiredProps = PartProps & { readonly children: ComponentChildren }

function Required({ visit, facts, children }: RequiredProps) {
  const words = SIGNATURE_WORDS[visit.lang]
  const { signedRequestsOnly: isRequired } = facts.merchant
  return (
    <section class="panel" aria-labelledby="require">
      <h2 id="require">{words.requireHeading}</h2>
      <p>
        <strong>{isRequired ? words.requiredNow : words.notRequiredNow}</strong>
      </p>
      <DryRun visit={visit} facts={facts} />
      {children}
    </section>
  )
}

function RequireForm({ visit, facts }: PartProps) {
  const words = SIGNATURE_WORDS[visit.lang]
  const { merchant, checks, keys } = facts
  const isRequired = merchant.signedRequestsOnly
  const hasHarm = !isRequired && checks.failed > 0
  if (!isRequired && keys.length === 0) return <p class="note">{words.noKey}</p>
  return (
    <Form
      visit={visit}
      action={`${PLACE}/require`}
      class="stack"
      values={{ required: isRequired ? 'no' : 'yes' }}
    >
      {hasHarm ? <Tick name="anyway">{fill(words.anyway, { failed: checks.failed })}</Tick> : null}
      <button type="submit" class={isRequired ? 'danger' : 'main'}>
        {isRequired ? words.stop : words.require}
      </button>
    </Form>
  )
}

type TickProps = {
  readonly name: string
  readonly isOn?: boolean
  readonly children: ComponentChildren
}

const Tick = ({ name, isOn = false, children }: TickProps) => (
  <p class="tick">
    <label>
      <input type="checkbox" name={name} value="yes" checked={isOn ? true : undefined} /> {children}
    </label>
  </p>
)

function Settings({ visit, facts, refused }: PartProps & RefusedProps) {
  const words = SIGNATURE_WORDS[visit.lang]
  const { signedCallbacks, coverAuthority, maxSignatureAge } = facts.merchant
  const typed = refused !== undefined && 'maxAge' in refused ? refused.maxAge : undefined
  return (
    <section class="panel" aria-labelledby="settings">
      <h2 id="settings">{words.settingsHeading}</h2>
      <Form visit={visit} action={`${PLACE}/settings`} class="stack">
        <Tick name="signedCallbacks" isOn={signedCallbacks}>
          {words.signedCallbacks}
        </Tick>
        <Tick name="coverAuthority" isOn={coverAuthority}>
          {words.coverAuthority}
        </Tick>
        <Field
          name="maxAge"
          inputMode="numeric"
          label={words.maxAge}
          hint={fill(words.maxAgeHint, { max: MAX_SIGNATURE_AGE })}
          value={typed ?? maxSignatureAge?.toString()}
          problem={typed === undefined ? undefined : ageProblem(visit)}
        />
        <button type="submit" class="main">
          {words.save}
        </button>
      </Form>
    </section>
  )
}
