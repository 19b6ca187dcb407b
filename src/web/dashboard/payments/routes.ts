import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import type { DashboardRoute } from '../visit.ts'
import { cancelPayment, refundPayment, resendPayment, revealPayment } from './acts.ts'
import { csvPage } from './csv.ts'
import { detailPage } from './detail.tsx'
import { listPage, newerCount } from './list.tsx'
import { PLACE_OF } from './parts.tsx'
import { removeViewAct, saveViewAct } from './views.tsx'

export const PAYMENT_ROUTES: readonly DashboardRoute[] = [
  ...PAYMENT_KINDS.flatMap((kind): readonly DashboardRoute[] => {
    const path = `/dashboard/${PLACE_OF[kind]}`
    return [
      { path, permission: 'payments:view', answer: (visit) => listPage(visit, kind) },
      { path: `${path}.csv`, permission: 'money:view', answer: (visit) => csvPage(visit, kind) },
      {
        path: `${path}/newer`,
        permission: 'payments:view',
        answer: (visit) => newerCount(visit, kind),
      },
      {
        path: `${path}/views`,
        method: 'POST',
        permission: 'payments:view',
        answer: (visit) => saveViewAct(visit, kind),
      },
      {
        path: `${path}/views/remove`,
        method: 'POST',
        permission: 'payments:view',
        answer: (visit) => removeViewAct(visit, kind),
      },
      {
        path: `${path}/:id`,
        permission: 'payments:view',
        answer: (visit) => detailPage(visit, kind),
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
        answer: (visit) => revealPayment(visit, kind),
      },
    ]
  }),
  {
    path: '/dashboard/deposits/:id/refund',
    method: 'POST',
    permission: 'payments:refund',
    answer: refundPayment,
  },
]
