import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Answer, eventually, payer, type Service } from './service.ts'

/** A customer whose deposit completes, and to whom a refund fails. */
export const REFUND_FAILS = '260763456119'

export function refundBody(depositId: string, changes: Record<string, unknown> = {}) {
  return { refundId: randomUUID() as string, depositId, ...changes }
}

export async function refund(
  service: Service,
  depositId: string,
  changes: Record<string, unknown> = {},
): Promise<Answer & { id: string }> {
  const body = refundBody(depositId, changes)
  return { ...(await service.post('/v2/refunds', body)), id: body.refundId }
}

/** A completed deposit that can be refunded. */
export async function completedDeposit(
  service: Service,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const { id } = await service.deposit({ amount: '100', ...changes })
  await service.reaches(id, 'COMPLETED')
  return id
}

/** Waits until the refund is in the state; returns its record. */
export function refundReaches(
  service: Service,
  refundId: string,
  status: string,
): Promise<Record<string, unknown>> {
  return eventually(async () => {
    const { body } = await service.get(`/v2/refunds/${refundId}`)
    assert.equal(body.data?.status, status)
    return body.data
  })
}

/** Refunds a part, or all, and waits for the final state. */
export async function refunded(
  service: Service,
  depositId: string,
  changes: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { id, body } = await refund(service, depositId, changes)
  assert.equal(body.status, 'ACCEPTED')
  return refundReaches(service, id, 'COMPLETED')
}

/** A completed deposit of a customer whose operator leaves all later orders open. */
export async function depositThatHangs(
  service: Service,
  phoneNumber: string,
  changes: Record<string, unknown> = {},
): Promise<string> {
  const id = await completedDeposit(service, {
    payer: payer(phoneNumber, 'MTN_MOMO_ZMB'),
    ...changes,
  })
  await answersOf(service, phoneNumber, [{ afterSeconds: 0, answer: 'pending' }])
  return id
}

export async function answersOf(
  service: Service,
  phoneNumber: string,
  script: readonly object[],
): Promise<void> {
  const { status } = await service.put(`/sandbox/phones/${phoneNumber}`, { script })
  assert.ok(status === 200 || status === 204, `the script was set: ${status}`)
}

export async function setAvailability(
  service: Service,
  operationType: string,
  status: string,
  provider = 'MTN_MOMO_ZMB',
): Promise<void> {
  await service.put('/sandbox/availability', { provider, operationType, status })
}
