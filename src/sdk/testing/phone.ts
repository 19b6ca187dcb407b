/** A phone of the sandbox in the hand of a test. */
import { ask, call, type Place, pause } from './http.ts'

export type PhoneMessage = { readonly at: string; readonly text: string }

export type Phone = {
  /**
   * Waits for the payment request and approves it; resolves to what the phone says then. Any PIN
   * is right but 0000; the third wrong one declines.
   */
  approve(pin?: string): Promise<string>
  /** Waits for the payment request and declines it: FAILED with PAYMENT_NOT_APPROVED. */
  decline(): Promise<string>
  /** The receipts of the phone, oldest first. */
  messages(): Promise<readonly PhoneMessage[]>
}

type PhoneState = {
  readonly prompts: readonly object[]
  readonly offScreen?: { readonly codes: readonly string[] }
  readonly messages: readonly PhoneMessage[]
}

type Hand = {
  readonly place: Place
  readonly waitMs: number
  /** The reason why there will be no answer any more. */
  readonly failure: () => Error | undefined
}

const LOOK_AGAIN_MS = 25

export function phoneOf({ place, waitMs, failure }: Hand, number: string): Phone {
  const path = `/sandbox/phones/${number}`
  const look = async (): Promise<PhoneState> => {
    const ended = failure()
    if (ended !== undefined) throw ended
    return (await ask(place, 'GET', path)) as PhoneState
  }
  const press = (body: object) => call(place, 'POST', `${path}/actions`, body)

  const answer = async (body: { readonly action: string; readonly pin?: string }) => {
    const deadline = performance.now() + waitMs
    for (;;) {
      const { prompts, offScreen } = await look()
      const [code] = offScreen?.codes ?? []
      // Some operators show the request only to customers who dial their code.
      if (prompts.length === 0 && code !== undefined) await press({ action: 'dial', code })
      if (prompts.length > 0) {
        const { status, body: reply } = await press(body)
        if (status === 200) return (reply as { readonly message: string }).message
        // Not found: its time was up meanwhile.
        if (status !== 404) throw new Error(`${body.action}: ${JSON.stringify(reply)}`)
      }
      if (performance.now() > deadline) throw noRequest(number, waitMs)
      await pause(LOOK_AGAIN_MS)
    }
  }

  return {
    approve: (pin) =>
      answer(pin === undefined ? { action: 'approve' } : { action: 'approve', pin }),
    decline: () => answer({ action: 'decline' }),
    messages: async () => (await look()).messages,
  }
}

const noRequest = (number: string, waitMs: number): Error =>
  new Error(
    `No payment request came to ${number} within ${waitMs} ms. A number answers by itself until ` +
      'phone() was called: call it before the payment is started.',
  )
