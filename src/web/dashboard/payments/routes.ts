import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import { listRoutes } from '../lists/routes.ts'
import { LISTS } from '../lists/shape.ts'
import type { DashboardRoute } from '../visit.ts'
import { cancelPayment, refundPayment, resendPayment, revealPayment } from './acts.ts'
import { cancelPage } from './cancel.tsx'
import { customerPage } from './customer.ts'
import { detailPage } from './detail.tsx'
import { paymentList } from './list.tsx'
import { newerCount, newerEvents } from './newer.ts'
import { PLACE_OF } from './parts.tsx'
import { refundPage } from './refund.tsx'

export const PAYMENT_ROUTES: readonly DashboardRoute[] = [
  ...PAYMENT_KINDS.flatMap((kind): readonly DashboardRoute[] => {
    const shape = LISTS[PLACE_OF[kind]]
    const path = `/dashboard/${shape.place}`
    return [
      ...listRoutes(shape, (visit) => paymentList(visit, kind)),
      {
        path: `${path}/newer`,
        permission: 'payments:view',
        isWatching: true,
        answer: (visit) => newerCount(visit, shape),
      },
      {
        path: `${path}/events`,
        permission: 'payments:view',
        isWatching: true,
        answer: (visit) => newerEvents(visit, shape),
      },
      {
        path: `${path}/:id`,
        permission: 'payments:view',
        answer: (visit) => detailPage(visit, kind),
      },
      {
        path: `${path}/:id/cancel`,
        permission: 'payments:refund',
        answer: (visit) => cancelPage(visit, kind),
      },
      {
        path: `${path}/:id/cancel`,
        method: 'POST',
        permission: 'payments:refund',
        answer: (visit) => cancelPayment(visit, kind),
      },
      {
        path: `${path}/:id/resend`,
        method: 'POST',
        permission: 'callbacks:view',
        answer: (visit) => resendPayment(visit, kind),
      },
      {
        path: `${path}/:id/reveal`,
        method: 'POST',
        permission: 'pii:reveal',
        isSensitive: true,
        answer: (visit) => revealPayment(visit, kind),
      },
    ]
  }),
  { path: '/dashboard/deposits/:id/refund', permission: 'payments:refund', answer: refundPage },
  {
    path: '/dashboard/deposits/:id/customer/:screen',
    permission: 'payments:view',
    answer: customerPage,
  },
  {
    path: '/dashboard/deposits/:id/refund',
    method: 'POST',
    permission: 'payments:refund',
    answer: refundPayment,
  },
]
