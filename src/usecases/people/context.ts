import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Role } from '../../domain/people/roles.ts'
import type { Session } from '../../store/people/sessions.ts'
import type { Membership, User } from '../../store/people/users.ts'
import type { Context } from '../context.ts'
import type { Arrivals } from '../payments/arrivals.ts'
import type { Challenges } from './challenges.ts'
import type { CompanyProviders } from './company-providers.ts'
import type { Devices } from './devices.ts'
import type { StatusNotice } from './status-notice.ts'

/** What signing in and the accounts of people need. */
export type PeopleContext = Context & {
  /** For lists that somebody looks at. */
  readonly arrivals: Arrivals
  readonly people: {
    /** Seals the keys of authenticators. */
    readonly secretKey: string
    readonly devices: Devices
    /** What passkeys sign. */
    readonly challenges: Challenges
    readonly companies: CompanyProviders
    readonly mailer: Mailer
    readonly statusMail: (notice: StatusNotice) => Mail
    /** Writes behind the answer, for what must not reveal by its time who exists. */
    readonly behind: { run(work: () => Promise<void>): void; close(): Promise<void> }
    /** The words that most passwords are made of, in lower case. */
    readonly commonPasswords: () => readonly string[]
  }
}

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
  /** The same for the same mail: programs that get it twice can tell. */
  readonly messageId?: string
}

export type Mailer = {
  /** `KEPT`: in the sandbox, to be read there. `NONE`: links are shown to the person who asks for them. */
  readonly way: 'SMTP' | 'KEPT' | 'NONE'
  /** Behind the answer and outside every transaction: it fails nothing and holds up nobody. */
  send(write: () => Mail | undefined | Promise<Mail | undefined>): void
  /** At once and tried once; throws where it cannot be sent now. */
  deliver(mail: Mail): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Where a request of a person came from. */
export type Origin = { readonly address: string; readonly agent: string }

/** Somebody who is signed in, and the merchant they look at. */
export type Person = {
  readonly user: User
  readonly merchant: Merchant
  readonly role: Role
  /** None: all countries. */
  readonly countries: readonly string[]
  readonly memberships: readonly Membership[]
  readonly session: Session
  readonly origin: Origin
}
