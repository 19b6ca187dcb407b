import { join } from 'node:path'
import type { PageRoute } from '../http/app.ts'
import { PACKAGE_ROOT, VERSION } from '../package-root.ts'
import { type ReferenceParts, referenceRoutes } from '../web/reference/routes.ts'
import { type SiteParts, siteRoutes } from '../web/site/routes.ts'
import type { Workers } from '../workers/workers.ts'

type Parts = Omit<SiteParts & ReferenceParts, 'version' | 'catalogFolder' | 'waiting'> & {
  readonly workers: Pick<Workers, 'payments' | 'callbacks'>
}

/** The pages about this service, with what they show of the node and its package. */
export const sitePages = ({ workers, ...parts }: Parts): PageRoute[] => [
  ...siteRoutes({
    ...parts,
    version: VERSION,
    catalogFolder: join(PACKAGE_ROOT, 'catalog'),
    waiting: () => ({
      payments: workers.payments.waiting(),
      callbacks: workers.callbacks.waiting(),
    }),
  }),
  ...referenceRoutes({ ...parts, version: VERSION }),
]
