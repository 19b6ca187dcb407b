import { SCOPES, type Scope } from '../../../domain/accounts/token.ts'
import { grantableScopes } from '../../../domain/people/grantable-scopes.ts'
import type { Page } from '../../../http/pages.ts'
import { newTokenId } from '../../../usecases/accounts/manage-tokens.ts'
import { isWorking, type TokenSummary } from '../../../usecases/accounts/tokens-of-merchant.ts'
import { COMMAND_LINE } from '../../../usecases/people/manage-users.ts'
import { fill } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { Choice, Field } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { TOKEN_WORDS, type TokenWords } from './words.ts'

export const LASTS = { none: undefined, 30: 30, 90: 90, 365: 365 } as const

/** A form that was refused: what was typed, and why. */
export type Refused = {
  readonly label: string
  readonly scopes: readonly string[]
  readonly problem: 'nameWrong' | 'scopesWrong' | 'notHeld'
}

export function tokensPage(visit: Visit, tokens: readonly TokenSummary[], refused?: Refused): Page {
  const words = TOKEN_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang].tokens
  const now = visit.ctx.clock.realNow()
  const limit = countryLimitOf(visit)
  const working = tokens.filter((token) => isWorking(token, now))
  const ended = tokens.filter((token) => !isWorking(token, now)).slice(0, ENDED_MAX)
  return dashboardPage(visit, {
    name: 'tokens',
    heading,
    isProblem: refused !== undefined,
    status: refused === undefined ? 200 : 400,
    children: (
      <>
        <h1>{heading}</h1>
        {refused === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[visit.lang].error}</strong>
            <a href={refused.problem === 'nameWrong' ? '#label' : '#scopes'}>
              {words[refused.problem]}
            </a>
          </p>
        )}
        <p>{words.intro}</p>
        {working.length === 0 ? (
          <p class="empty">{words.none}</p>
        ) : (
          <Tokens visit={visit} tokens={working} isEnded={false} />
        )}
        {limit === undefined ? (
          <CreateForm visit={visit} refused={refused} />
        ) : (
          <p class="notice warn">{limit}</p>
        )}
        {ended.length === 0 ? null : <Tokens visit={visit} tokens={ended} isEnded />}
      </>
    ),
  })
}

/** The latest are enough to know a token by its name. */
const ENDED_MAX = 50

type TokensProps = {
  readonly visit: Visit
  readonly tokens: readonly TokenSummary[]
  readonly isEnded: boolean
}

function Tokens({ visit, tokens, isEnded }: TokensProps) {
  const words = TOKEN_WORDS[visit.lang]
  const last = isEnded ? words.ended : words.change
  const heads = [words.name, words.lastFour, words.scopes, words.createdBy, words.created]
  return (
    <StackedTable
      caption={isEnded ? words.endedCaption : words.caption}
      heads={[...heads, words.lastUsed, isEnded ? words.state : words.expires, last]}
    >
      {tokens.map((token) => (
        <TokenRow key={token.tokenId} visit={visit} token={token} isEnded={isEnded} />
      ))}
    </StackedTable>
  )
}

type RowProps = {
  readonly visit: Visit
  readonly token: TokenSummary
  readonly isEnded: boolean
}

function TokenRow({ visit, token, isEnded }: RowProps) {
  const words = TOKEN_WORDS[visit.lang]
  const { label, lastFour, scopes, createdMs, lastUsedMs, expiresMs, revokedMs } = token
  return (
    <tr>
      <th scope="row" data-label={words.name}>
        {label}
      </th>
      <td class="id" data-label={words.lastFour}>
        {lastFour === '' ? words.unknown : <bdi>…{lastFour}</bdi>}
      </td>
      <td data-label={words.scopes}>{scopes.join(', ')}</td>
      <td data-label={words.createdBy}>{makerOf(token, words)}</td>
      <td data-label={words.created}>
        <When visit={visit} ms={createdMs} />
      </td>
      <td data-label={words.lastUsed}>
        {lastUsedMs === null ? words.never : <When visit={visit} ms={lastUsedMs} />}
      </td>
      {isEnded ? (
        <>
          <td data-label={words.state}>
            <span class="state bad">
              {revokedMs === null ? words.expiredState : words.revokedState}
            </span>
          </td>
          <td data-label={words.ended}>
            <When visit={visit} ms={revokedMs ?? expiresMs ?? createdMs} />
          </td>
        </>
      ) : (
        <>
          <td data-label={words.expires}>
            {expiresMs === null ? words.never : <When visit={visit} ms={expiresMs} />}
          </td>
          <td data-label={words.change}>
            <a
              href={`/dashboard/tokens/${token.tokenId}`}
              aria-label={fill(words.changeOne, { name: label })}
            >
              {words.change}
            </a>
          </td>
        </>
      )}
    </tr>
  )
}

export function makerOf({ createdBy }: TokenSummary, words: TokenWords): string {
  return createdBy === COMMAND_LINE.email ? words.commandLine : createdBy || words.unknown
}

type CreateProps = { readonly visit: Visit; readonly refused: Refused | undefined }

function CreateForm({ visit, refused }: CreateProps) {
  const words = TOKEN_WORDS[visit.lang]
  // None is ticked beforehand: a forgotten tick at everything would outdo the others.
  const { label, scopes = [], problem } = refused ?? {}
  return (
    <section class="panel" aria-labelledby="create">
      <h2 id="create">{words.createHeading}</h2>
      {/* The identifier is chosen here, so that a form that is sent twice makes one token. */}
      <Form
        visit={visit}
        action="/dashboard/tokens"
        class="stack"
        values={{ tokenId: newTokenId() }}
      >
        <Field
          name="label"
          label={words.name}
          hint={words.nameHint}
          value={label}
          problem={problem === 'nameWrong' ? words.nameWrong : undefined}
        />
        <ScopeChoice visit={visit} chosen={scopes} problem={problem} />
        <LastsChoice visit={visit} />
        <button type="submit" class="main">
          {words.create}
        </button>
      </Form>
    </section>
  )
}

export function LastsChoice({ visit }: { readonly visit: Visit }) {
  const words = TOKEN_WORDS[visit.lang]
  const options = (['none', '30', '90', '365'] as const).map((value) => ({
    value,
    text: words[`lasts_${value}`],
  }))
  return <Choice name="lasts" label={words.lasts} options={options} />
}

type ScopeProps = {
  readonly visit: Visit
  readonly chosen: readonly string[]
  readonly problem: Refused['problem'] | undefined
}

function ScopeChoice({ visit, chosen, problem }: ScopeProps) {
  const words = TOKEN_WORDS[visit.lang]
  const { environment } = visit.ctx
  const held = grantableScopes(visit.person.role, environment)
  const offered = held.filter((scope) => !scope.startsWith('sandbox') || environment === 'sandbox')
  const isWrong = problem === 'scopesWrong' || problem === 'notHeld'
  return (
    <fieldset class="field" id="scopes">
      <legend>{words.scopes}</legend>
      <p class="note">{words.scopesHint}</p>
      {held.length === SCOPES.length ? null : <p class="note">{words.scopesHeld}</p>}
      {isWrong ? <p class="problem">{words[problem]}</p> : null}
      <div class="ticks">
        {offered.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              name="scope"
              value={scope}
              checked={chosen.includes(scope) ? true : undefined}
            />{' '}
            {scopeText(scope, words)}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function scopeText(scope: Scope, words: TokenWords): string {
  if (scope === '*') return words.scopeAll
  if (scope === 'pii') return words.scopePii
  const [group = '', access] = scope.split(':')
  return fill(access === undefined ? words.scopeWrite : words.scopeRead, { group })
}
