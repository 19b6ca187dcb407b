import type { PaymentId } from '../domain/ids.ts'
import type { Initiation } from '../domain/payments/payment.ts'
import { idOf } from '../usecases/payments/new-payment.ts'

/**
 * The entries of a bulk, begun side by side. One that repeats the identifier of another begins when
 * that one is decided, so that it is a duplicate of it whatever it asks for itself.
 */
export function initiateEach<Request extends { readonly idAsSent: string }>(
  requests: readonly Request[],
  initiate: (request: Request) => Promise<Initiation>,
): Promise<readonly Initiation[]> {
  const latest = new Map<PaymentId, Promise<Initiation>>()
  const all = requests.map((request) => {
    const id = idOf(request)
    const earlier = latest.get(id)
    const mine = earlier === undefined ? initiate(request) : earlier.then(() => initiate(request))
    latest.set(id, mine)
    return mine
  })
  return Promise.all(all)
}
