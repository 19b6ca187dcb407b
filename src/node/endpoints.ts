import type { Endpoint } from '../http/endpoint.ts'
import { feedEndpoint } from '../http/feed.ts'
import { lookupEndpoints } from '../http/lookup/endpoints.ts'
import { sandboxEndpoints } from '../http/sandbox/controls.ts'
import { migrationEndpoint } from '../http/sandbox/migration.ts'
import { legacyEndpoints } from '../http/v1/endpoints.ts'
import { checkoutEndpoints } from '../http/v2/checkouts.ts'
import { depositEndpoints } from '../http/v2/deposits.ts'
import { financeEndpoints } from '../http/v2/finances.ts'
import { paymentPageEndpoint } from '../http/v2/payment-page.ts'
import { payoutEndpoints } from '../http/v2/payouts.ts'
import { refundEndpoints } from '../http/v2/refunds.ts'
import { remittanceEndpoints } from '../http/v2/remittances.ts'
import { splitPaymentEndpoints } from '../http/v2/split-payments.ts'
import { statementEndpoints } from '../http/v2/statements.ts'
import { toolkitEndpoints } from '../http/v2/toolkit.ts'
import type { NodeContext } from './context.ts'

/** Every operation of the API, in the order of the reference. */
export function endpointsOf(ctx: NodeContext, publicUrl: () => string): readonly Endpoint[] {
  const controls =
    ctx.environment === 'sandbox' ? [...sandboxEndpoints(ctx), migrationEndpoint(ctx)] : []
  return [
    ...depositEndpoints(ctx),
    ...payoutEndpoints(ctx),
    ...refundEndpoints(ctx),
    ...remittanceEndpoints(ctx),
    ...splitPaymentEndpoints(ctx),
    ...checkoutEndpoints(ctx),
    paymentPageEndpoint(ctx),
    ...lookupEndpoints(ctx),
    ...financeEndpoints(ctx),
    ...statementEndpoints(ctx),
    ...toolkitEndpoints(ctx, publicUrl),
    feedEndpoint(ctx),
    ...legacyEndpoints(ctx),
    ...controls,
  ]
}
