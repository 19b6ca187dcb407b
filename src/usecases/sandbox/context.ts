import type { CallbackSender } from '../../callbacks/send.ts'
import type { Turns } from '../../store/engine/turns.ts'
import type { AccountContext } from '../accounts/context.ts'
import type { LinkContext } from '../hosted/context.ts'
import type { PaymentWrites } from '../payments/context.ts'
import type { PhoneWatch } from './phone-watch.ts'
import type { WalletLinks } from './wallet-links.ts'

/** What the controls and the virtual phone of the sandbox need besides. */
export type SandboxContext = AccountContext &
  LinkContext & {
    readonly callbacks: Pick<CallbackSender, 'refusalOf'>
    readonly writes: Pick<PaymentWrites, 'accept'>
    readonly walletLinks: WalletLinks
    /** What happens on phones, for those who wait for it. */
    readonly phones: PhoneWatch
    /** Changes of settings: many at once would take all connections and wait for each other. */
    readonly inTurn: Turns
  }
