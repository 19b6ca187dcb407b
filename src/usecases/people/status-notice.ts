import type { Localised } from '../../domain/hosted/instructions.ts'
import type { ListedProvider } from '../../domain/provider.ts'
import type { ShownChange } from '../../store/operators/health.ts'
import type { User } from '../../store/people/users.ts'

/** What a mail says; the pages know the words. */
export type StatusNotice = {
  readonly user: User
  readonly language: 'en' | 'fr'
  readonly merchant: string
  /** Oldest first. */
  readonly changes: readonly NoticedChange[]
  /** In the link with which the person wants no more of them. */
  readonly unsubscribe: string
  /** Names this mail. */
  readonly id: string
}

type NoticedChange = ShownChange & {
  readonly country: Localised
  readonly of: ListedProvider
}
