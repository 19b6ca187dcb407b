import assert from 'node:assert/strict'
import { type Answer, eventually, payer, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any

/** A phone of the sandbox, used as a person uses it, through one node. */
export type TestPhone = {
  readonly number: string
  set(body: unknown): Promise<Answer>
  look(): Promise<Json>
  act(body: unknown): Promise<Answer>
  /** A deposit from this phone, accepted; returns its identifier. */
  pays(changes?: Record<string, unknown>): Promise<string>
  /** Waits until something is on the screen. */
  prompt(): Promise<Json>
}

export function phoneOf(service: Service, number: string, provider = 'MTN_MOMO_ZMB'): TestPhone {
  const path = `/sandbox/phones/${number}`
  const look = async (): Promise<Json> => {
    const { status, body } = await service.get(path)
    assert.equal(status, 200)
    return body
  }
  return {
    number,
    set: (body) => service.put(path, body),
    look,
    act: (body) => service.post(`${path}/actions`, body),
    pays: async (changes = {}) => {
      const { id, body } = await service.deposit({ payer: payer(number, provider), ...changes })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      return id
    },
    prompt: () =>
      eventually(async () => {
        const { prompts } = await look()
        assert.equal(prompts.length, 1)
        return prompts[0]
      }),
  }
}

/** A phone that waits for a person. */
export async function takenPhone(
  service: Service,
  number: string,
  provider?: string,
): Promise<TestPhone> {
  const phone = phoneOf(service, number, provider)
  assert.equal((await phone.set({ mode: 'interactive' })).status, 204)
  return phone
}

export const failureCodeOf = (record: Record<string, unknown>): string | undefined =>
  (record.failureReason as { failureCode?: string } | undefined)?.failureCode
