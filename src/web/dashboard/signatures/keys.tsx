import type { ShownKey } from '../../../usecases/accounts/signatures-of-merchant.ts'
import { fill } from '../../words.ts'
import { countryLimitOf } from '../country-limit.tsx'
import { Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { SIGNATURE_WORDS, type SignatureWords } from './words.ts'

export function Keys({
  visit,
  keys,
}: {
  readonly visit: Visit
  readonly keys: readonly ShownKey[]
}) {
  const words = SIGNATURE_WORDS[visit.lang]
  const isLimited = countryLimitOf(visit) !== undefined
  if (keys.length === 0) return <p class="empty">{isLimited ? words.noKeysYet : words.noKeys}</p>
  const heads = [words.keyId, words.kind, words.fingerprint, words.created]
  const more = [words.used, words.lastUsed, ...(isLimited ? [] : [words.remove])]
  return (
    <StackedTable caption={words.keysCaption} heads={[...heads, ...more]}>
      {keys.map((key) => (
        <KeyRow key={key.keyId} visit={visit} shown={key} isLimited={isLimited} />
      ))}
    </StackedTable>
  )
}

type RowProps = {
  readonly visit: Visit
  readonly shown: ShownKey
  /** To some countries: keys are for all of them. */
  readonly isLimited: boolean
}

function KeyRow({ visit, shown, isLimited }: RowProps) {
  const words = SIGNATURE_WORDS[visit.lang]
  const { keyId, kind, algorithms, fingerprint, createdMs, usedCount, lastUsedMs } = shown
  return (
    <tr>
      <th scope="row" data-label={words.keyId}>
        {keyId}
      </th>
      <td data-label={words.kind}>
        {kind}: {algorithms.join(', ')}
      </td>
      <td class="id wrap" data-label={words.fingerprint}>
        <bdi>{fingerprint}</bdi>
      </td>
      <td data-label={words.created}>
        <When visit={visit} ms={createdMs} />
      </td>
      <td data-label={words.used}>{usedText(words, usedCount)}</td>
      <td data-label={words.lastUsed}>
        {lastUsedMs === null ? words.usedNever : <When visit={visit} ms={lastUsedMs} />}
      </td>
      {isLimited ? null : (
        <td data-label={words.remove}>
          <Form visit={visit} action="/dashboard/signatures/keys/remove" values={{ keyId }}>
            <button
              type="submit"
              class="danger"
              aria-label={fill(words.removeOne, { name: keyId })}
            >
              {words.remove}
            </button>
          </Form>
        </td>
      )}
    </tr>
  )
}

const usedText = (words: SignatureWords, count: number): string => {
  if (count === 0) return words.usedNever
  return count === 1 ? words.usedOnce : fill(words.usedTimes, { count })
}
