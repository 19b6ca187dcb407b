import { present } from '../domain/present.ts'
import { LIMITS } from '../domain/timing.ts'
import { createSender, type SenderOptions } from '../outbound/request.ts'
import type { AccountWorld } from '../usecases/operators/open-account.ts'

/** How operators are reached. */
export type OperatorClient = {
  readonly send: AccountWorld['send']
  /** Waits for what is under way. */
  close(): Promise<void>
  /** Waits for nothing. */
  cutOff(): Promise<void>
}

/**
 * Certificates are always checked and redirects never followed. Private addresses are allowed: many
 * operators are reached through a tunnel, and who adds an account runs the service.
 */
export function createOperatorClient({
  resolve,
  ca,
}: Pick<SenderOptions, 'resolve' | 'ca'>): OperatorClient {
  const sender = createSender({
    policy: { allowPrivate: true, httpsOnly: false },
    connectTimeoutMs: LIMITS.operatorConnectMs,
    maxBodyBytes: ANSWER_MAX,
    ...present({ resolve, ca }),
  })
  let isEnding = false
  return {
    send: async (url, request, withinMs) => {
      const sent = await sender.send(url, request, withinMs)
      if (sent.kind === 'failed') return isEnding ? { ...sent, isEnding } : sent
      return { kind: 'answered', status: sent.status, body: sent.body, isWhole: !sent.isCut }
    },
    close: () => {
      isEnding = true
      return sender.close()
    },
    cutOff: () => {
      isEnding = true
      return sender.cutOff()
    },
  }
}

const ANSWER_MAX = 256 * 1024
