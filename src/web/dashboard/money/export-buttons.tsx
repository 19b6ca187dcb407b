import { Form } from '../frame.tsx'
import type { Visit } from '../visit.ts'
import { MONEY_WORDS } from './words.ts'

type Props = {
  readonly visit: Visit
  /** What to export, as `exports.tsx` reads it. */
  readonly values: Readonly<Record<string, string>>
  readonly hasPdf?: boolean
}

/** Makes a job of a statement or a list: one button for each format. */
export function ExportButtons({ visit, values, hasPdf = false }: Props) {
  const words = MONEY_WORDS[visit.lang]
  const formats = [
    ['csv', words.makeCsv],
    ['csv.gz', words.makeGzip],
    ...(hasPdf ? ([['pdf', words.makePdf]] as const) : []),
  ] as const
  return (
    <Form visit={visit} action="/dashboard/exports" class="row" values={values}>
      {formats.map(([format, text]) => (
        <button key={format} type="submit" name="format" value={format}>
          {text}
        </button>
      ))}
    </Form>
  )
}
