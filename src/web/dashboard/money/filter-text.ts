/** The filter of an export in words, so that two of them can be distinguished. */
import { may } from '../../../domain/people/roles.ts'
import { maskedNumber } from '../../../domain/phone-number.ts'
import type {
  ExportSubject,
  PaymentsSubject,
  StatementSubject,
} from '../../../domain/statements/export.ts'
import type { ListFilter } from '../../../usecases/statements/list-lines.ts'
import { countryName, MASKED, providerName } from '../payments/parts.tsx'
import { LIST_WORDS, type ListWords } from '../payments/words.ts'
import type { Visit } from '../visit.ts'
import { MONEY_WORDS } from './words.ts'

type Part = readonly [name: string, value: string | undefined]

/** Such as "Status: Failed; Provider: MTN". The period has a column of its own. */
export function filterText(visit: Visit, subject: ExportSubject): string {
  const words = MONEY_WORDS[visit.lang]
  const parts = subject.kind === 'statement' ? ofStatement(visit, subject) : ofList(visit, subject)
  const { isForSpreadsheets, separator } = subject.csv
  const filters = [
    ...parts.flatMap(([name, value]) => (value ? [named(words.named, name, value)] : [])),
    ...(subject.kind === 'payments' && subject.order === 'oldest' ? [words.oldestFirst] : []),
    ...(isForSpreadsheets ? [separator === ';' ? words.csvFrench : words.csvSpreadsheet] : []),
  ]
  return filters.length === 0 ? words.noFilter : filters.join(words.andThen)
}

const named = (form: string, name: string, value: string): string =>
  form.replace('{name}', () => name).replace('{value}', () => value)

function ofStatement(visit: Visit, { type, provider }: StatementSubject): readonly Part[] {
  const words = MONEY_WORDS[visit.lang]
  return [
    [words.type, type && words[`type_${type}`]],
    [words.provider, provider && providerName(visit, provider)],
  ]
}

function ofList(visit: Visit, { filter: stored, countries }: PaymentsSubject): readonly Part[] {
  const filter = stored as Partial<ListFilter>
  const words = LIST_WORDS[visit.lang]
  const showsPii = may(visit.person.role, 'pii:reveal')
  // Merchants know a payment that waits for its split payment as accepted.
  const states = filter.states?.filter((state) => state !== 'WAITING') ?? []
  const { provider, source, phoneNumbers, metadata = [] } = filter
  return [
    [words.status, states.map((s) => words[`state_${s}` as keyof ListWords] ?? s).join(', ')],
    [words.provider, provider && providerName(visit, provider)],
    [words.country, filter.country && countryName(visit, filter.country)],
    [words.currency, filter.currency],
    [words.min, filter.min],
    [words.max, filter.max],
    [words.failureCode, filter.failureCode],
    [words.source, source && words[`source_${source}`]],
    [words.clientReferenceId, filter.clientReferenceId],
    [words.phone, phoneNumbers?.[0] && maskedNumber(phoneNumbers[0])],
    ...metadata.map(
      ({ name = '', value }): Part => [
        `${words.metadata} ${name}`.trim(),
        showsPii ? value : MASKED,
      ],
    ),
    [
      MONEY_WORDS[visit.lang].limitedTo,
      countries.map((code) => countryName(visit, code)).join(', '),
    ],
  ]
}
