import type { LinkContext } from '../../usecases/hosted/context.ts'
import type { Endpoint } from '../endpoint.ts'
import { explainPayment } from './explain-payment.ts'
import { findPayments } from './find-payments.ts'
import { listCallbacks } from './list-callbacks.ts'

/** What a program may look up beside the status of one payment; nothing here changes anything. */
export const lookupEndpoints = (ctx: LinkContext): readonly Endpoint[] => [
  findPayments(ctx),
  explainPayment(ctx),
  listCallbacks(ctx),
]
