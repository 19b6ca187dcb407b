import type { BulkPayout } from '../../../domain/bulk/bulk-payout.ts'
import type { Visit } from '../visit.ts'
import { BULK_PATH, titleOf } from './parts.tsx'
import { BULK_WORDS } from './words.ts'

type Props = {
  readonly visit: Visit
  readonly bulk: BulkPayout
  readonly others: readonly BulkPayout[]
}

/** Both are worth a look: who decides about the first one may not know of the second. */
export function SameFile({ visit, bulk, others }: Props) {
  const words = BULK_WORDS[visit.lang]
  const earlier = others.filter((other) => other.createdAt < bulk.createdAt)
  const later = others.filter((other) => other.createdAt >= bulk.createdAt)
  return (
    <>
      <Notice visit={visit} text={words.sameFile} others={earlier} />
      <Notice visit={visit} text={words.sameFileAgain} others={later} />
    </>
  )
}

type NoticeProps = Omit<Props, 'bulk'> & { readonly text: string }

function Notice({ visit, text, others }: NoticeProps) {
  if (others.length === 0) return null
  return (
    <p class="notice warn">
      {text}{' '}
      {others.map((other, at) => (
        <span key={other.id}>
          {at === 0 ? '' : ', '}
          <a href={`${BULK_PATH}/${other.id}`}>{titleOf(visit, other)}</a>{' '}
          {`(${BULK_WORDS[visit.lang][`state_${other.state}`]})`}
        </span>
      ))}
    </p>
  )
}
