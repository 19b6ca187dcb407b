/** Examples below each other, each named so that no two code blocks sound alike. */
import { CodeBlock } from '../frame.tsx'
import type { OperationEntry } from './outline.ts'
import type { Reading } from './reading.ts'
import type { NamedExample } from './schema-example.ts'

type SampleListProps = {
  readonly reading: Reading
  readonly title: string
  readonly entry: OperationEntry
  readonly all: readonly NamedExample[]
}

export function SampleList({ reading, title, entry, all }: SampleListProps) {
  return (
    <>
      {all.map((example) => (
        <CodeBlock
          key={example.title}
          lang={reading.lang}
          title={
            <>
              {title}
              {example.title === '' ? null : <small lang={reading.textLang}>{example.title}</small>}
            </>
          }
          label={`${title}: ${[entry.title, example.title].filter(Boolean).join(', ')}`}
          code={example.text}
        />
      ))}
    </>
  )
}
