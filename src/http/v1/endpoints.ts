import type { AccountContext } from '../../usecases/accounts/context.ts'
import type { HostedContext } from '../../usecases/hosted/context.ts'
import type { Endpoint } from '../endpoint.ts'
import { legacyDepositEndpoints } from './deposits.ts'
import { callName } from './legacy.ts'
import { legacyPayoutEndpoints } from './payouts.ts'
import { legacyRefundEndpoints } from './refunds.ts'
import { legacyToolkitEndpoints } from './toolkit.ts'
import { legacyWidgetEndpoint } from './widget.ts'

/** Everything that the earlier generation serves. */
export function legacyEndpoints(ctx: HostedContext & AccountContext): readonly Endpoint[] {
  return [
    ...legacyDepositEndpoints(ctx),
    ...legacyPayoutEndpoints(ctx),
    ...legacyRefundEndpoints(ctx),
    legacyWidgetEndpoint(ctx),
    ...legacyToolkitEndpoints(ctx),
  ]
}

/** The call that takes the place of each, by its name. */
export function replacements(): ReadonlyMap<string, string> {
  // Only the descriptions are looked at; a description needs no context.
  const endpoints = legacyEndpoints({} as HostedContext & AccountContext)
  return new Map(endpoints.map((one) => [callName(one), one.replacement ?? '']))
}
