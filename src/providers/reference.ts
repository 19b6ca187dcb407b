import { createHmac, createSecretKey } from 'node:crypto'
import type { ProviderOrder } from './connector.ts'

/** What an order is known by at its operator, written as a UUID. */
export type ReferenceOf = (
  order: Pick<ProviderOrder, 'merchantId' | 'operation' | 'paymentId' | 'ids'>,
) => string

/**
 * References follow from the merchant, the operation and the merchant's identifier. A payment that
 * went with lost rows and is requested again is therefore the same order to its operator, and is
 * refused where known references are. The key keeps others from computing them: operators show
 * references to customers. It must be the same on all nodes and last as long as the data. An order
 * that its operator took and ended for a reason of ours is tried again under another one.
 */
export function createReferences(bytes: Buffer): ReferenceOf {
  const key = createSecretKey(bytes)
  return ({ merchantId, operation, paymentId, ids }) => {
    const { tries = '1' } = ids ?? {}
    const again = tries === '1' ? '' : ` ${tries}`
    const hex = createHmac('sha256', key)
      .update(`${merchantId} ${operation} ${paymentId}${again}`)
      .digest('hex')
    // Some operators take UUIDs of version 4 only.
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
    const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`]
    return `${a}-${b}-${c}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
