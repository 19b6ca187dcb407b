import { type BulkPayout, isOverBulk } from '../../../domain/bulk/bulk-payout.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import {
  bulkProgress,
  type CheckedBulk,
  checkBulk,
  findBulkPayout,
  sameFileAs,
} from '../../../usecases/bulk/read-bulk.ts'
import { fill } from '../../words.ts'
import { Field } from '../fields.tsx'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { walletText } from '../money/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DraftRows } from './draft-rows.tsx'
import {
  BULK_PATH,
  BulkStateMark,
  moneyText,
  nameOf,
  rightTotals,
  titleOf,
  totalsText,
  verdictOn,
} from './parts.tsx'
import { SameFile } from './same-file.tsx'
import { SentPart } from './sent-rows.tsx'
import { BULK_WORDS } from './words.ts'

/** One bulk payout: as it is checked, or as it was sent. */
export async function bulkPage(visit: Visit, reasonProblem?: string): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const bulk = await findBulkPayout(ctx, person, request.params.id ?? '')
  if (bulk === undefined) return missingPage(visit)
  const isOpen = bulk.state === 'DRAFT' || bulk.state === 'NEEDS_APPROVAL'
  const checked = isOpen ? await checkBulk(ctx, person, bulk.id) : undefined
  const sameFile = await sameFileAs(ctx, person, bulk)
  const words = BULK_WORDS[lang]
  const title = titleOf(visit, bulk)
  return dashboardPage(visit, {
    name: 'bulk-payouts',
    heading: title,
    ...(reasonProblem === undefined ? {} : { isProblem: true, status: 422 }),
    children: (
      <>
        <p>
          <a href={BULK_PATH}>{words.back}</a>
        </p>
        {/* What is being sent is looked at again by the script until it is over. */}
        <div id="bulk" class="list" data-refresh={isOpen || isOverBulk(bulk) ? undefined : ''}>
          <div class="spread">
            <h1>{title}</h1>
            <BulkStateMark visit={visit} state={bulk.state} />
          </div>
          <Facts visit={visit} bulk={bulk} checked={checked} />
          <SameFile visit={visit} bulk={bulk} others={sameFile} />
          {checked !== undefined ? (
            <OpenPart visit={visit} bulk={bulk} checked={checked} reasonProblem={reasonProblem} />
          ) : (
            <SentPart
              visit={visit}
              bulk={bulk}
              progress={await bulkProgress(ctx, person, bulk)}
              rows={await SentPart.rowsFor(visit, bulk)}
            />
          )}
        </div>
      </>
    ),
  })
}

type FactsProps = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  /** Of one that is not sent yet. */
  readonly checked: CheckedBulk | undefined
}

function Facts({ visit, bulk, checked }: FactsProps) {
  const words = BULK_WORDS[visit.lang]
  const { decidedBy, reason, submittedAt, endedAt, state } = bulk
  const isRejected = state === 'DRAFT' && reason !== null && decidedBy !== null
  const isApproved = !['DRAFT', 'NEEDS_APPROVAL'].includes(state) && decidedBy !== null
  return (
    <>
      {isRejected ? (
        <p class="notice warn">{fill(words.rejected, { who: nameOf(decidedBy), reason })}</p>
      ) : null}
      <dl class="facts">
        <dt>{words.creator}</dt>
        <dd>
          {nameOf(bulk.createdBy)}, <When visit={visit} ms={bulk.createdAt} />
        </dd>
        <dt>{words.rows}</dt>
        <dd>{bulk.rowCount.toLocaleString(visit.lang)}</dd>
        <dt>{checked?.wrongRows ? words.totalRight : words.total}</dt>
        <dd>{totalsText(visit, checked?.wrongRows ? rightTotals(checked) : bulk.totals)}</dd>
        {submittedAt === null ? null : (
          <>
            <dt>{words.submitted}</dt>
            <dd>
              <When visit={visit} ms={submittedAt} />
            </dd>
          </>
        )}
        {isApproved ? (
          <>
            <dt>{words.decided}</dt>
            <dd>
              {nameOf(decidedBy)}, <When visit={visit} ms={bulk.decidedAt ?? 0} />
            </dd>
          </>
        ) : null}
        {endedAt === null ? null : (
          <>
            <dt>{words.ended}</dt>
            <dd>
              <When visit={visit} ms={endedAt} />
            </dd>
          </>
        )}
      </dl>
    </>
  )
}

type OpenProps = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  readonly checked: CheckedBulk
  readonly reasonProblem: string | undefined
}

function OpenPart({ visit, bulk, checked, reasonProblem }: OpenProps) {
  const words = BULK_WORDS[visit.lang]
  const { person } = visit
  const { wrongRows: wrong, isShort } = checked
  const isMaker = bulk.createdBy.userId === person.user.userId
  return (
    <>
      <p class={wrong === 0 ? 'notice' : 'notice bad'}>{verdictOn(visit, checked)}</p>
      {isShort ? <p class="notice warn">{words.shortNotice}</p> : null}
      {bulk.state === 'DRAFT' ? (
        isMaker ? (
          <MakerActs visit={visit} bulk={bulk} isRight={wrong === 0} />
        ) : null
      ) : (
        <Decision
          visit={visit}
          bulk={bulk}
          isMaker={isMaker}
          mayApprove={wrong === 0 && !isShort}
          reasonProblem={reasonProblem}
        />
      )}
      <Wallets visit={visit} checked={checked} />
      <DraftRows
        visit={visit}
        bulk={bulk}
        checked={checked}
        isEditable={isMaker && bulk.state === 'DRAFT'}
      />
    </>
  )
}

type MakerProps = { readonly visit: Visit; readonly bulk: BulkPayout; readonly isRight: boolean }

function MakerActs({ visit, bulk, isRight }: MakerProps) {
  const words = BULK_WORDS[visit.lang]
  const path = `${BULK_PATH}/${bulk.id}`
  return (
    <div class="panel">
      {isRight ? <p class="note">{words.submitText}</p> : null}
      <div class="row">
        {isRight ? (
          <Form visit={visit} action={`${path}/submit`}>
            <button type="submit" class="main">
              {words.submit}
            </button>
          </Form>
        ) : null}
        <Form visit={visit} action={`${path}/discard`}>
          <button type="submit" class="danger">
            {words.discard}
          </button>
        </Form>
      </div>
    </div>
  )
}

type DecisionProps = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  readonly isMaker: boolean
  readonly mayApprove: boolean
  readonly reasonProblem: string | undefined
}

function Decision({ visit, bulk, isMaker, mayApprove, reasonProblem }: DecisionProps) {
  const words = BULK_WORDS[visit.lang]
  const path = `${BULK_PATH}/${bulk.id}`
  if (isMaker) {
    return (
      <div class="panel">
        <p>{words.ownNotice}</p>
        <Form visit={visit} action={`${path}/withdraw`}>
          <button type="submit">{words.withdraw}</button>
        </Form>
      </div>
    )
  }
  if (!may(visit.person.role, 'payouts:approve')) return <p class="notice">{words.waitNotice}</p>
  const values = { version: String(bulk.version) }
  return (
    <div class="panel">
      {mayApprove ? (
        <Form visit={visit} action={`${path}/approve`} class="stack" values={values}>
          <p class="note">{words.approveText}</p>
          <button type="submit" class="main">
            {words.approve}
          </button>
        </Form>
      ) : null}
      <Form visit={visit} action={`${path}/reject`} class="stack" values={values}>
        <Field name="reason" label={words.reason} problem={reasonProblem} />
        <button type="submit" class="danger">
          {words.reject}
        </button>
      </Form>
    </div>
  )
}

function Wallets({ visit, checked }: { visit: Visit; checked: CheckedBulk }) {
  const words = BULK_WORDS[visit.lang]
  const { wallets } = checked
  if (wallets.length === 0) return null
  return (
    <section aria-labelledby="wallets">
      <h2 id="wallets">{words.walletsHeading}</h2>
      <StackedTable
        caption={words.walletsCaption}
        heads={[
          words.wallet,
          { text: words.needed, isNumber: true },
          { text: words.promised, isNumber: true },
          { text: words.available, isNumber: true },
          words.check,
        ]}
      >
        {wallets.map(({ missing, ...wallet }) => {
          const inMoney = (sum: string): string => moneyText(sum, wallet.currency, visit.lang)
          const name = walletText(visit, wallet)
          return (
            <tr key={name}>
              <th scope="row" data-label={words.wallet}>
                {name}
              </th>
              {(['needed', 'promised', 'available'] as const).map((sum) => (
                <td key={sum} class="number" data-label={words[sum]}>
                  {inMoney(wallet[sum])}
                </td>
              ))}
              <td data-label={words.check}>
                <span class={missing === undefined ? 'state good' : 'state bad'}>
                  {missing === undefined
                    ? words.enough
                    : fill(words.missing, { amount: inMoney(missing) })}
                </span>
              </td>
            </tr>
          )
        })}
      </StackedTable>
    </section>
  )
}
