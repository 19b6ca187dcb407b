import { DAYS_SHOWN } from '../../../usecases/accounts/signature-checks.ts'
import type { SignatureFacts } from '../../../usecases/accounts/signatures-of-merchant.ts'
import { fill } from '../../words.ts'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { verdictText } from './verdict-words.ts'
import { SIGNATURE_WORDS } from './words.ts'

/** What requiring signatures would have done to the requests of the last days. */
export function DryRun({
  visit,
  facts,
}: {
  readonly visit: Visit
  readonly facts: SignatureFacts
}) {
  const words = SIGNATURE_WORDS[visit.lang]
  const { merchant, checks } = facts
  const { passed, failed, replayed, verdicts } = checks
  const all = passed + failed
  if (all === 0) return <p>{fill(words.dryRunNone, { days: DAYS_SHOWN })}</p>
  const report = merchant.signedRequestsOnly ? words.dryRunOn : words.dryRun
  return (
    <>
      <p>{fill(report, { all, passed })}</p>
      <StackedTable
        caption={fill(words.dryRunCaption, { days: DAYS_SHOWN })}
        heads={[words.verdict, { text: words.count, isNumber: true }, words.lastAt]}
      >
        {verdicts.map(({ verdict, count, lastMs }) => (
          <tr key={verdict}>
            <th scope="row" data-label={words.verdict}>
              {verdictText(verdict, visit.lang)} <code>{verdict}</code>
            </th>
            <td class="number" data-label={words.count}>
              {count}
            </td>
            <td data-label={words.lastAt}>
              <When visit={visit} ms={lastMs} />
            </td>
          </tr>
        ))}
      </StackedTable>
      {replayed === 0 ? null : <p class="note">{words.replayed}</p>}
    </>
  )
}
