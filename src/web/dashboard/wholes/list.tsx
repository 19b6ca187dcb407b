import type { Page } from '../../../http/pages.ts'
import {
  type ListedCheckout,
  type ListedSplit,
  pageOfCheckouts,
  pageOfSplits,
} from '../../../usecases/payments/browse-wholes.ts'
import { fill } from '../../words.ts'
import { amountColumn, type Column, statusColumn } from '../lists/columns.tsx'
import { listPage } from '../lists/page.tsx'
import { LISTS } from '../lists/shape.ts'
import { money } from '../money-text.ts'
import { LIST_WORDS } from '../payments/words.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { WHOLE_WORDS } from './words.ts'

export const splitList = (visit: Visit): Promise<Page> =>
  listPage(visit, LISTS['split-payments'], {
    find: (read) => pageOfSplits(visit.ctx, read.filter, read),
    columns: splitColumns(visit),
    listed: ({ id, key, createdMs }) => ({
      key,
      createdAt: createdMs,
      href: `/dashboard/split-payments/${id}`,
    }),
  })

function splitColumns(visit: Visit): readonly Column<ListedSplit>[] {
  const { lang } = visit
  const words = LIST_WORDS[lang]
  return [
    statusColumn(visit),
    amountColumn(visit),
    {
      id: 'parts',
      name: words.parts,
      cell: ({ parts, failed }) =>
        failed === 0
          ? String(parts)
          : `${parts} (${fill(WHOLE_WORDS[lang].failedParts, { n: failed })})`,
    },
    { id: 'id', name: words.id, class: 'id', cell: ({ id }) => <bdi>{id}</bdi> },
  ]
}

export const checkoutList = (visit: Visit): Promise<Page> =>
  listPage(visit, LISTS.checkouts, {
    find: (read) => pageOfCheckouts(visit.ctx, read.filter, read),
    columns: checkoutColumns(visit),
    listed: ({ id, key, createdMs }) => ({
      key,
      createdAt: createdMs,
      href: `/dashboard/checkouts/${id}`,
    }),
  })

function checkoutColumns(visit: Visit): readonly Column<ListedCheckout>[] {
  const { lang, ctx } = visit
  const words = LIST_WORDS[lang]
  return [
    statusColumn(visit),
    {
      id: 'amount',
      name: words.amount,
      class: 'number',
      cell: ({ amounts }) =>
        amounts?.map(({ amount, currency }) => money(amount, currency, lang)).join(', ') ??
        WHOLE_WORDS[lang].anyAmount,
    },
    {
      id: 'attempts',
      name: words.attempts,
      class: 'number',
      cell: ({ attempts }) => String(attempts),
    },
    {
      id: 'code',
      name: WHOLE_WORDS[lang].code,
      class: 'id',
      cell: (checkout) => <bdi>{ctx.hostedLinks.ofCheckout(checkout).code}</bdi>,
    },
    {
      id: 'expires',
      name: words.expires,
      cell: ({ expiresMs }) => <When visit={visit} ms={expiresMs} />,
    },
    {
      id: 'clientReferenceId',
      name: words.clientReferenceId,
      cell: ({ clientReferenceId }) => clientReferenceId ?? '',
    },
    { id: 'id', name: words.id, class: 'id', cell: ({ idAsSent }) => <bdi>{idAsSent}</bdi> },
    {
      id: 'completed',
      name: words.completed,
      isOptional: true,
      cell: ({ endedMs }) => (endedMs === null ? '' : <When visit={visit} ms={endedMs} />),
    },
  ]
}
