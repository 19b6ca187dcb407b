import { mayGrantScope } from '../../../domain/people/grantable-scopes.ts'
import type { Page } from '../../../http/pages.ts'
import { newTokenId } from '../../../usecases/accounts/manage-tokens.ts'
import type { TokenSummary } from '../../../usecases/accounts/tokens-of-merchant.ts'
import { CodeBlock } from '../../frame.tsx'
import { fill } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { Choice, Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { LastsChoice, makerOf } from './list.tsx'
import { TOKEN_WORDS } from './words.ts'

/** In hours. */
export const OVERLAPS = ['24', '0', '1', '168', '720'] as const

/** What can be done with one token. */
export function tokenPage(visit: Visit, token: TokenSummary, isWrongName = false): Page {
  const words = TOKEN_WORDS[visit.lang]
  const heading = fill(words.oneHeading, { name: token.label })
  return dashboardPage(visit, {
    name: 'tokens',
    heading,
    isProblem: isWrongName,
    status: isWrongName ? 400 : 200,
    children: (
      <>
        <h1>{heading}</h1>
        {isWrongName ? (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
            <a href="#name">{words.revokeWrong}</a>
          </p>
        ) : null}
        <Facts visit={visit} token={token} />
        <Rotation visit={visit} token={token} />
        <RevokeForm visit={visit} token={token} isWrongName={isWrongName} />
        <p>
          <a href="/dashboard/tokens">{words.back}</a>
        </p>
      </>
    ),
  })
}

type TokenProps = { readonly visit: Visit; readonly token: TokenSummary }

function Facts({ visit, token }: TokenProps) {
  const words = TOKEN_WORDS[visit.lang]
  const { lastFour, scopes, createdMs, lastUsedMs, expiresMs } = token
  return (
    <dl class="facts">
      <dt>{words.lastFour}</dt>
      <dd class="id">{lastFour === '' ? words.unknown : <bdi>…{lastFour}</bdi>}</dd>
      <dt>{words.scopes}</dt>
      <dd>{scopes.join(', ')}</dd>
      <dt>{words.createdBy}</dt>
      <dd>{makerOf(token, words)}</dd>
      <dt>{words.created}</dt>
      <dd>
        <When visit={visit} ms={createdMs} />
      </dd>
      <dt>{words.lastUsed}</dt>
      <dd>{lastUsedMs === null ? words.never : <When visit={visit} ms={lastUsedMs} />}</dd>
      <dt>{words.expires}</dt>
      <dd>{expiresMs === null ? words.never : <When visit={visit} ms={expiresMs} />}</dd>
    </dl>
  )
}

/** Rotating, or why somebody may not and who can. */
function Rotation({ visit, token }: TokenProps) {
  const { ctx, person } = visit
  const isHeld = token.scopes.every((scope) => mayGrantScope(person.role, scope, ctx.environment))
  const why = countryLimitOf(visit) ?? (isHeld ? undefined : TOKEN_WORDS[visit.lang].rotateNotHeld)
  return why === undefined ? (
    <RotateForm visit={visit} token={token} />
  ) : (
    <p class="notice warn">{why}</p>
  )
}

function RotateForm({ visit, token }: TokenProps) {
  const words = TOKEN_WORDS[visit.lang]
  const options = OVERLAPS.map((value) => ({ value, text: words[`overlap_${value}`] }))
  return (
    <section class="panel" aria-labelledby="rotate">
      <h2 id="rotate">{words.rotateHeading}</h2>
      <p>{words.rotateText}</p>
      <Form
        visit={visit}
        action={`/dashboard/tokens/${token.tokenId}/rotate`}
        class="stack"
        values={{ tokenId: newTokenId() }}
      >
        <Choice name="overlap" label={words.overlap} options={options} />
        <LastsChoice visit={visit} />
        <button type="submit" class="main">
          {words.rotate}
        </button>
      </Form>
    </section>
  )
}

function RevokeForm({ visit, token, isWrongName }: TokenProps & { readonly isWrongName: boolean }) {
  const words = TOKEN_WORDS[visit.lang]
  return (
    <section class="panel" aria-labelledby="revoke">
      <h2 id="revoke">{words.revokeHeading}</h2>
      <p>{words.revokeText}</p>
      <Form visit={visit} action={`/dashboard/tokens/${token.tokenId}/revoke`} class="stack">
        <Field
          name="name"
          label={fill(words.revokeConfirm, { name: token.label })}
          problem={isWrongName ? words.revokeWrong : undefined}
        />
        <button type="submit" class="danger">
          {words.revoke}
        </button>
      </Form>
    </section>
  )
}

type Made = {
  readonly token: string
  readonly label: string
  /** Of a rotation. */
  readonly former?: { readonly lastFour: string; readonly endsMs: number }
}

/** The only page that ever shows the text of a token. */
export function madePage(visit: Visit, { token, label, former }: Made): Page {
  const words = TOKEN_WORDS[visit.lang]
  const code = fill(words.madeCode, { name: label })
  return dashboardPage(visit, {
    name: 'tokens',
    heading: words.madeHeading,
    isShownOnce: true,
    children: (
      <>
        <h1>{words.madeHeading}</h1>
        <p class="notice warn" role="status">
          {words.madeText}
        </p>
        <CodeBlock lang={visit.lang} title={code} label={code} code={token} />
        {former === undefined ? null : (
          <p>
            {fill(words.formerEnds, {
              lastFour: former.lastFour || '…',
              time: momentText(visit, former.endsMs),
            })}
          </p>
        )}
        <p>
          <a href="/dashboard/tokens">{words.back}</a>
        </p>
      </>
    ),
  })
}
