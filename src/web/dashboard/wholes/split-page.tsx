import { type Amount, formatBalance, parseAmount } from '../../../domain/amount.ts'
import type { SplitPayment } from '../../../domain/payments/split-payment.ts'
import type { Page } from '../../../http/pages.ts'
import { splitRecord } from '../../../http/payment-record.ts'
import { splitFor, storyOfSplit } from '../../../usecases/payments/browse-wholes.ts'
import { dashboardPage, missingPage } from '../frame.tsx'
import { money } from '../money-text.ts'
import { Rows } from '../payments/columns.tsx'
import { Copied } from '../payments/detail.tsx'
import { DETAIL_WORDS } from '../payments/detail-words.ts'
import { maskedWith } from '../payments/masking.ts'
import { Metadata } from '../payments/metadata.tsx'
import { phoneText, providerName, State } from '../payments/parts.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { type Fact, Facts, Raw, Resend } from './parts.tsx'
import { WholeTimeline } from './timeline.tsx'
import { WHOLE_WORDS } from './words.ts'

const LIST = '/dashboard/split-payments'

export async function splitPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const split = await splitFor(ctx, person, request.params.id ?? '')
  if (split === undefined) return missingPage(visit)
  const story = await storyOfSplit(ctx, split)
  const words = WHOLE_WORDS[lang]
  const detail = DETAIL_WORDS[lang]
  const { deposit, parts } = split
  const { metadata } = deposit.details
  const heading = `${words.splitHeading} ${money(deposit.amount, deposit.currency, lang)}`
  return dashboardPage(visit, {
    name: 'split-payments',
    heading,
    children: (
      <>
        <p>
          <a href={LIST}>{detail.back}</a>
        </p>
        <div class="spread">
          <h1>{heading}</h1>
          <State visit={visit} state={split.state} />
        </div>
        <section class="panel">
          <Facts facts={factsOf(visit, split)} />
          <Resend visit={visit} whole={split} path={`${LIST}/${split.id}`} />
        </section>
        <Rows visit={visit} payments={[deposit]} caption={detail.deposit} />
        <Parts visit={visit} split={split} />
        <Metadata visit={visit} entries={metadata} />
        <WholeTimeline visit={visit} story={story} own={[]} />
        <Raw
          visit={visit}
          record={maskedWith(visit, [deposit, ...parts], metadata, splitRecord(split))}
        />
      </>
    ),
  })
}

function factsOf(visit: Visit, { id, idAsSent, createdAt, deposit }: SplitPayment): Fact[] {
  const words = DETAIL_WORDS[visit.lang]
  const link = `${visit.parts.publicUrl()}${LIST}/${id}`
  return [
    [words.id, <Copied key="i" visit={visit} text={idAsSent} label={words.id} />, 'id'],
    [words.created, <When key="c" visit={visit} ms={createdAt} />],
    [words.clientReferenceId, deposit.details.clientReferenceId],
    [words.customerMessage, deposit.details.customerMessage],
    [words.link, <Copied key="l" visit={visit} text={link} label={words.link} />, 'id'],
  ]
}

type Props = { readonly visit: Visit; readonly split: SplitPayment }

function Parts({ visit, split }: Props) {
  const { lang } = visit
  const words = WHOLE_WORDS[lang]
  const list = LIST_WORDS[lang]
  const { deposit, parts } = split
  return (
    <StackedTable
      caption={words.payouts}
      heads={[
        list.id,
        list.status,
        { text: list.amount, isNumber: true },
        list.phone,
        list.provider,
      ]}
    >
      {parts.map((part) => (
        <tr key={part.payoutId}>
          <th scope="row" data-label={list.id}>
            <a href={`/dashboard/payouts/${part.payoutId.toLowerCase()}`}>
              <code>{part.payoutId}</code>
            </a>
          </th>
          <td data-label={list.status}>
            <State visit={visit} state={part.state} />
          </td>
          <td data-label={list.amount} class="number">
            {money(part.amount, deposit.currency, lang)}
          </td>
          <td data-label={list.phone} class="id">
            {phoneText(visit, part)}
          </td>
          <td data-label={list.provider}>{providerName(visit, part.provider)}</td>
        </tr>
      ))}
      <Kept visit={visit} split={split} />
    </StackedTable>
  )
}

/** What the parts leave of the deposit. */
function Kept({ visit: { lang }, split: { deposit, parts } }: Props) {
  const words = WHOLE_WORDS[lang]
  const given = parts.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n)
  const kept = ((parseAmount(deposit.amount) ?? 0n) - given) as Amount
  return (
    <tr>
      <th scope="row">{words.kept}</th>
      <td />
      <td data-label={LIST_WORDS[lang].amount} class="number">
        {money(formatBalance(kept), deposit.currency, lang)}
      </td>
      <td colSpan={2}>{words.keptText}</td>
    </tr>
  )
}
