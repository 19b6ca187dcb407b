import type { AboutCheckout, Act, Offer, Press } from './acts.ts'
import type { CheckoutSeen } from './evidence.ts'
import type { Answer, Rig } from './rig.ts'
import type { Script } from './world.ts'

/** Customers who pay on checkouts, and the merchants who create them. */
type Customers = {
  readonly checkouts: ReadonlyMap<string, CheckoutSeen>
  act(act: CheckoutAct): Promise<void>
}

type CheckoutAct = Offer | Press | AboutCheckout

const CHECKOUT_ACTS: readonly string[] = ['offer', 'press', 'expire', 'leave', 'look']
export const isAboutCheckout = (act: Act): act is CheckoutAct => CHECKOUT_ACTS.includes(act.do)

export function createCustomers(means: {
  readonly rig: Rig
  readonly moment: () => number
  readonly insist: (
    merchant: number,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Answer>
  readonly script: (one: {
    readonly merchant: number
    readonly scripts: readonly Script[]
  }) => Promise<void>
}): Customers {
  const { rig, moment, insist, script } = means
  const checkouts = new Map<string, CheckoutSeen>()

  async function offer({ merchant, id, body }: Offer): Promise<void> {
    const known = checkouts.get(id) ?? newCheckout(merchant, id, body)
    checkouts.set(id, known)
    const { status, body: answer } = await insist(merchant, 'POST', '/v2/checkouts', body)
    known.answers.push(String(status === 200 ? answer.status : status))
    if (answer?.checkoutCode !== undefined) known.codes.push(String(answer.checkoutCode))
  }

  async function look({ node, merchant, id }: AboutCheckout, known: CheckoutSeen): Promise<void> {
    const sent = moment()
    const answer = await rig.call({ node, merchant }, 'GET', `/v2/checkouts/${id}`)
    if (answer === undefined || answer.status >= 500) return
    known.looks.push({ sent, answered: moment(), record: answer.body?.data ?? null })
  }

  /** Whether an answer came does not matter: what was started shows in the end. */
  async function submit(act: Press | AboutCheckout, known: CheckoutSeen): Promise<void> {
    const [code] = known.codes
    if (code === undefined) return
    const { node, merchant } = act
    if (act.do === 'press') {
      await script(act)
      known.pressed.push(act.account.phoneNumber ?? '')
    } else known.wasLeft = true
    const { provider = '' } = act.do === 'press' ? act.account : {}
    const form =
      act.do === 'press' ? { ...act.account, asked: provider, do: 'pay' } : { do: 'cancel' }
    const body = new URLSearchParams(form)
    await rig.call({ node, merchant }, 'POST', `/checkout/${code}`, body)
  }

  return {
    checkouts,
    act: async (act) => {
      if (act.do === 'offer') return offer(act)
      const known = checkouts.get(act.id)
      if (known === undefined) return
      if (act.do === 'look') return look(act, known)
      if (act.do !== 'expire') return submit(act, known)
      await insist(act.merchant, 'POST', `/v2/checkouts/${act.id}/expire`)
    },
  }
}

const newCheckout = (merchant: number, id: string, body: CheckoutSeen['body']): CheckoutSeen => ({
  merchant,
  id,
  body,
  answers: [],
  codes: [],
  pressed: [],
  wasLeft: false,
  looks: [],
  final: null,
})
