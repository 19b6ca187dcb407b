/** What came of a request: in words for people, and in the codes that a program gets. */
import type { FailureCode } from '../../../domain/failure.ts'
import type { ListedRequest } from '../../../usecases/accounts/read-requests.ts'
import type { Lang } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'
import { stateText } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'
import { REQUEST_WORDS, type RequestWords } from './words.ts'

/** Codes of the earlier generation, by the code that has the words. */
const EARLIER: Readonly<Record<string, FailureCode>> = {
  INVALID_CORRESPONDENT: 'INVALID_PROVIDER',
  CORRESPONDENT_TEMPORARILY_UNAVAILABLE: 'PROVIDER_TEMPORARILY_UNAVAILABLE',
  BALANCE_INSUFFICIENT: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
  PARAMETER_INVALID: 'INVALID_PARAMETER',
  DEPOSIT_NOT_FOUND: 'NOT_FOUND',
  DEPOSIT_NOT_COMPLETED: 'INVALID_STATE',
  ALREADY_REFUNDED: 'DEPOSIT_ALREADY_REFUNDED',
  IN_PROGRESS: 'REFUND_IN_PROGRESS',
  INVALID_PAYER_FORMAT: 'INVALID_PHONE_NUMBER',
  INVALID_RECIPIENT_FORMAT: 'INVALID_PHONE_NUMBER',
  AMOUNT_TOO_SMALL: 'AMOUNT_OUT_OF_BOUNDS',
  RECIPIENT_NOT_ALLOWED_TO_RECEIVE: 'WALLET_LIMIT_REACHED',
}

export const outcomeText = (outcome: string, lang: Lang): string =>
  REQUEST_WORDS[lang][`outcome_${outcome}` as keyof RequestWords] ?? stateText(outcome, lang)

/** Only refunds have an amount that is too large by itself; elsewhere it is the provider's limit. */
function whyText(code: string, path: string, lang: Lang): string {
  const isLimit = code === 'AMOUNT_TOO_LARGE' && !path.includes('/refunds')
  return codeMeaning(isLimit ? 'AMOUNT_OUT_OF_BOUNDS' : (EARLIER[code] ?? code), lang)
}

type Props = { readonly visit: Visit; readonly request: ListedRequest }

export function Outcome({ visit: { lang }, request: { outcome, failureCode, path } }: Props) {
  const codes = [outcome, failureCode].filter((one) => one !== null)
  if (codes.length === 0) return <>–</>
  const meanings = [
    outcome === null ? '' : outcomeText(outcome, lang),
    failureCode === null ? '' : whyText(failureCode, path, lang),
  ]
  return (
    <span>
      {meanings.filter((text) => text !== '' && !codes.includes(text)).join('. ')}{' '}
      <small>
        <code>{codes.join(' · ')}</code>
      </small>
    </span>
  )
}
