import type { HostedContext } from '../../usecases/hosted/context.ts'
import { expireCheckout } from '../../usecases/hosted/expire-checkout.ts'
import { findCheckout } from '../../usecases/hosted/find-checkout.ts'
import { initiateCheckout } from '../../usecases/hosted/initiate-checkout.ts'
import { RequestFault } from '../../wire/fault.ts'
import { timestampText } from '../../wire/formats.ts'
import {
  CheckoutActionAnswer,
  CheckoutAnswer,
  CheckoutExpiry,
  CheckoutRequest,
  CheckoutStatus,
  fromCheckout,
  fromExpiry,
  readCheckoutRequest,
} from '../../wire/v2/checkouts.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { checkReturnUrl } from '../return-url.ts'
import { CHECKOUT_EXAMPLES } from './checkout-examples.ts'
import { resendEndpoint } from './payment-endpoints.ts'
import { orFault } from './payment-page.ts'

export function checkoutEndpoints(ctx: HostedContext): readonly Endpoint[] {
  return [initiate(ctx), status(ctx), expire(ctx), resend(ctx)]
}

const initiate = (ctx: HostedContext): Endpoint => ({
  method: 'POST',
  path: '/v2/checkouts',
  operationId: 'createCheckout',
  tag: 'checkouts',
  summary: 'Create a checkout',
  description:
    'Answers the address of a page on which a customer can try to pay until one attempt ' +
    'completes, up to ten times. Every attempt is an ordinary deposit with a callback of its own; ' +
    'at most one completes. The end of the checkout comes by callback too. Afterwards the ' +
    'customer comes back to `returnUrl` with `checkoutCode` added to it; that says nothing about ' +
    'the outcome. Check `status` in the answer: a refused request is answered with HTTP 200 and ' +
    'REJECTED. Repeating a request with the same identifier is safe and answers ' +
    'DUPLICATE_IGNORED with the same address.',
  access: { group: 'checkouts', level: 'write' },
  failureShape: { kind: 'initiation', idField: 'checkoutId' },
  startsPayments: true,
  body: CheckoutRequest,
  answer: CheckoutAnswer,
  examples: CHECKOUT_EXAMPLES.initiation,
  refusals: [400, 401, 403],
  handle: async ({ caller, body }) => {
    const command = readCheckoutRequest(body(), caller.merchant)
    checkReturnUrl(ctx, caller.merchant, command.terms.returnUrl)
    const result = await initiateCheckout(ctx, caller.merchant, command)
    const { idAsSent: checkoutId } = command
    if (result.status === 'REJECTED') {
      const failureReason = fromFailure(orFault(result.failure, 'countries'))
      return { checkoutId, status: result.status, failureReason }
    }
    return {
      checkoutId,
      status: result.status,
      redirectUrl: result.link.redirectUrl,
      created: timestampText(result.createdAt),
      expiresAt: timestampText(result.expiresAt),
      checkoutCode: result.link.code,
    }
  },
})

const status = (ctx: HostedContext): Endpoint => ({
  method: 'GET',
  path: '/v2/checkouts/:checkoutId',
  operationId: 'getCheckout',
  tag: 'checkouts',
  summary: 'Check a checkout',
  description:
    'Answers FOUND with the checkout in `data`, or NOT_FOUND: its state, the latest attempt and ' +
    'all of them. The record is the same as in the callback.',
  access: { group: 'checkouts', level: 'read' },
  failureShape: { kind: 'lookup' },
  answer: CheckoutStatus,
  examples: CHECKOUT_EXAMPLES.status,
  refusals: [400, 401, 403],
  handle: async ({ caller, params }) => {
    const checkout = await findCheckout(ctx, caller.merchant, pathId(params, 'checkoutId'))
    if (checkout === undefined) return { status: 'NOT_FOUND' }
    return { status: 'FOUND', data: fromCheckout(checkout, ctx.hostedLinks.ofCheckout(checkout)) }
  },
})

const expire = (ctx: HostedContext): Endpoint => ({
  method: 'POST',
  path: '/v2/checkouts/:checkoutId/expire',
  operationId: 'expireCheckout',
  tag: 'checkouts',
  summary: 'Expire a checkout',
  description:
    'No new attempt can be started from now on. Answers the present status: EXPIRED, or ' +
    'PROCESSING while an attempt is under way, which then decides: COMPLETED if it completes, ' +
    'EXPIRED if not. A checkout that is final stays as it is. HTTP 404 for an unknown one. Needs ' +
    'no body.',
  access: { group: 'checkouts', level: 'write' },
  failureShape: { kind: 'lookup' },
  answer: CheckoutExpiry,
  examples: CHECKOUT_EXAMPLES.expiry,
  refusals: [400, 401, 403, 404],
  handle: async ({ caller, params }) => {
    const id = pathId(params, 'checkoutId')
    const checkout = await expireCheckout(ctx, caller.merchant, id)
    if (checkout !== undefined) return fromExpiry(checkout)
    throw new RequestFault('NOT_FOUND', `No checkout with the id '${id}' was found.`)
  },
})

const resend = (ctx: HostedContext): Endpoint =>
  resendEndpoint(ctx, {
    kind: 'checkout',
    group: 'checkouts',
    idField: 'checkoutId',
    name: 'Checkout',
    action: CheckoutActionAnswer,
    examples: CHECKOUT_EXAMPLES,
  })
