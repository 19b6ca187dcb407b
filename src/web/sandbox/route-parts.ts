import type { Page, PageRequest, PageRoute } from '../../http/pages.ts'
import type { Caller } from '../../usecases/accounts/merchant-directory.ts'
import type { Log } from '../../usecases/context.ts'
import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import type { SandboxSessions } from '../../usecases/sandbox/sessions.ts'

/** What the pages of the sandbox are served with. */
export type SandboxParts = {
  readonly ctx: SandboxContext
  readonly log: Log
  readonly sandboxSessions: SandboxSessions
  readonly publicUrl: () => string
}

/** Answers a visitor who is signed in. Any other signs in first, and is then led to `to`. */
export type ForVisitor = (
  answer: (caller: Caller, request: PageRequest) => Promise<Page>,
  to?: string,
) => PageRoute['render']
