import type { MetadataEntry } from '../../../domain/payments/payment.ts'
import type { Visit } from '../visit.ts'
import { DETAIL_WORDS } from './detail-words.ts'
import { metadataText } from './parts.tsx'

type Props = {
  readonly visit: Visit
  readonly entries: readonly MetadataEntry[] | undefined
  readonly isRevealed?: boolean
}

export function Metadata({ visit, entries = [], isRevealed = false }: Props) {
  const words = DETAIL_WORDS[visit.lang]
  if (entries.length === 0) return null
  return (
    <div class="scroll">
      <table>
        <caption>{words.metadata}</caption>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.value}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.name}>
              <th scope="row">{entry.name}</th>
              <td>{metadataText(entry, isRevealed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
