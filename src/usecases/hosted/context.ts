import type { Context } from '../context.ts'
import type { PaymentContext } from '../payments/context.ts'
import type { HostedLinks } from './links.ts'

/** What handing out links to hosted pages needs besides. */
export type LinkContext = Context & {
  readonly hostedLinks: HostedLinks
}

/** What the pages themselves need: customers pay on them. */
export type HostedContext = PaymentContext & LinkContext
