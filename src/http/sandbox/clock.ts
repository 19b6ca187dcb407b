import { advanceClock, resetClock } from '../../usecases/sandbox/clock.ts'
import type { SandboxContext } from '../../usecases/sandbox/context.ts'
import { RequestFault } from '../../wire/fault.ts'
import {
  ClockAdvance,
  ClockState,
  fromClock,
  readClockAdvance,
} from '../../wire/sandbox/controls.ts'
import type { Endpoint } from '../endpoint.ts'
import { control } from './control.ts'

/** The test clock. */
export const clockEndpoints = (ctx: SandboxContext): readonly Endpoint[] => [
  readClock(ctx),
  moveClock(ctx),
  clockReset(ctx),
]

const clockState = (ctx: SandboxContext): object => fromClock(ctx.clock.now(), ctx.clock.offsetMs())

const readClock = (ctx: SandboxContext): Endpoint => ({
  ...control('read'),
  method: 'GET',
  path: '/sandbox/clock',
  operationId: 'getClock',
  summary: 'Read the test clock',
  description: 'Everything that waits for a time follows this clock.',
  answer: ClockState,
  handle: async () => clockState(ctx),
})

const moveClock = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'POST',
  path: '/sandbox/clock/advance',
  operationId: 'advanceClock',
  summary: 'Move the test clock on',
  description:
    'Operator delays, callback retries, windows and expiries that fall into the time skipped ' +
    'happen now. The clock belongs to the whole sandbox, not to one merchant.',
  body: ClockAdvance,
  answer: ClockState,
  handle: async ({ body }) => {
    const { seconds } = readClockAdvance(body())
    await advanceClock(ctx, Math.round(seconds * 1000))
    return clockState(ctx)
  },
})

const clockReset = (ctx: SandboxContext): Endpoint => ({
  ...control('write'),
  method: 'POST',
  path: '/sandbox/clock/reset',
  operationId: 'resetClock',
  summary: 'Put the test clock back on real time',
  description:
    'Starts over as `POST /sandbox/reset` does, so that time never runs backwards for a payment. ' +
    'The clock is one for the whole sandbox: while another merchant has payments, pages or ' +
    'callbacks under way, it is refused. Move the clock on until they are over, or reset that ' +
    'merchant.',
  answer: ClockState,
  handle: async ({ caller }) => {
    const refusal = await resetClock(ctx, caller.merchant)
    if (refusal !== undefined) {
      throw new RequestFault('INVALID_STATE', `The clock was not put back: ${refusal.problem}.`)
    }
    return clockState(ctx)
  },
})
