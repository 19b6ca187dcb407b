import { join } from 'node:path'
import type { PageRoute, StrayPage } from '../http/pages.ts'
import { PACKAGE_ROOT, VERSION } from '../package-root.ts'
import { createReference, type ReferenceParts } from '../web/reference/routes.ts'
import { type SiteParts, siteRoutes } from '../web/site/routes.ts'
import type { Workers } from '../workers/workers.ts'

type Parts = Omit<
  SiteParts & ReferenceParts,
  'version' | 'catalogFolder' | 'guidesFolder' | 'waiting'
> & {
  readonly workers: Pick<Workers, 'payments' | 'callbacks'>
}

type SitePages = { readonly routes: readonly PageRoute[]; readonly strayPage: StrayPage }

/** The pages about this service, with what they show of the node and its package. */
export function sitePages({ workers, ...parts }: Parts): SitePages {
  const site = siteRoutes({
    ...parts,
    version: VERSION,
    catalogFolder: join(PACKAGE_ROOT, 'catalog'),
    waiting: () => ({
      payments: workers.payments.waiting(),
      callbacks: workers.callbacks.waiting(),
    }),
  })
  const guidesFolder = join(PACKAGE_ROOT, 'docs')
  const { routes, strayPage } = createReference({ ...parts, version: VERSION, guidesFolder })
  return { routes: [...site, ...routes], strayPage }
}
