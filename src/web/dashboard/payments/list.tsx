import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import type { Page } from '../../../http/pages.ts'
import { pageOfPayments } from '../../../usecases/payments/browse-payments.ts'
import { paymentFilter } from '../lists/filter.ts'
import { listPage } from '../lists/page.tsx'
import { LISTS } from '../lists/shape.ts'
import type { Visit } from '../visit.ts'
import { listedPayment, paymentColumns } from './columns.tsx'
import { PLACE_OF } from './parts.tsx'

/** All payments of a kind, by the filter of the address. */
export const paymentList = (visit: Visit, kind: PaymentKind): Promise<Page> =>
  listPage(visit, LISTS[PLACE_OF[kind]], {
    columns: paymentColumns(visit, kind),
    listed: listedPayment,
    isLive: true,
    find: async (read) => {
      const { payments: rows, ...rest } = await pageOfPayments(visit.ctx, paymentFilter(read), read)
      return { rows, ...rest }
    },
  })
