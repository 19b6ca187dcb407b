import { isAcknowledged } from '../../../domain/callbacks/callback.ts'
import type { PaymentFile } from '../../../usecases/payments/payment-file.ts'
import { fill, type Lang } from '../../words.ts'
import { reasonText } from '../callbacks/reasons.ts'
import { DETAIL_WORDS } from './detail-words.ts'

type Attempt = PaymentFile['callbacks'][number]['attempts'][number]

/** What a callback reports and whether it arrived are two things: a failure is delivered, too. */
export function callbackLine(state: string, tried: Attempt, lang: Lang): string {
  const words = DETAIL_WORDS[lang]
  const { attempt, httpStatus, reason } = tried
  const isThere = typeof httpStatus === 'number' && isAcknowledged(httpStatus)
  const answer =
    httpStatus ?? (reason ? reasonText(reason, lang).replace(/\.$/, '') : words.noAnswer)
  const result = fill(isThere ? words.delivered : words.notDelivered, { answer })
  return fill(words.event_delivery, { state, n: attempt, result })
}
