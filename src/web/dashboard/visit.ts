import type { Permission } from '../../domain/people/roles.ts'
import type { Page, PageRequest, PageRoute } from '../../http/pages.ts'
import type { AccountContext } from '../../usecases/accounts/context.ts'
import type { CallbackContext } from '../../usecases/callbacks/context.ts'
import type { Log } from '../../usecases/context.ts'
import type { HostedContext } from '../../usecases/hosted/context.ts'
import type { PeopleContext, Person } from '../../usecases/people/context.ts'
import type { StatementContext } from '../../usecases/statements/context.ts'
import type { Lang } from '../words.ts'
import type { Flash } from './cookies.ts'

/** What the pages of the dashboard are served with. */
export type DashboardParts = {
  readonly ctx: PeopleContext & HostedContext & CallbackContext & StatementContext & AccountContext
  readonly log: Log
  readonly publicUrl: () => string
  /** Where a request came from, as far as proxies are known. */
  readonly addressOf: (request: PageRequest) => string
}

/** A request of somebody who is signed in and may be here. */
export type Visit = {
  readonly parts: DashboardParts
  readonly ctx: DashboardParts['ctx']
  readonly person: Person
  readonly lang: Lang
  readonly request: PageRequest
  /** Every form carries it: it proves that the form is one of ours. */
  readonly formToken: string
  /** Where this page is opened again in another language; empty: at its own address. */
  readonly reopenedAt: string
  /** What was just done, shown once. */
  readonly flash: Flash | undefined
}

/** A page or a form of the dashboard, and who may use it. */
export type DashboardRoute = {
  readonly path: string
  readonly method?: 'POST'
  /** `anyone`: everybody who is signed in. */
  readonly permission: Permission | 'anyone'
  /** Asks again who it is, where the last proof is some minutes old. */
  readonly isSensitive?: true
  /** A file with personal data, for those who may see them: they are asked again likewise. */
  readonly hasPersonalData?: true
  /** Changes something for all countries: not for people who are limited to some. */
  readonly isForAllCountries?: true
  /** Asked by a page that is open, not by the person. */
  readonly isWatching?: true
  readonly bodyLimit?: PageRoute['bodyLimit']
  readonly answer: (visit: Visit) => Page | Promise<Page>
}
