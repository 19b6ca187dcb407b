import { LIFETIMES } from '../../domain/timing.ts'
import { createLinkTokens } from '../../signing/link-token.ts'

/**
 * What a passkey is asked to sign. A challenge proves by itself that it was made here, for what and
 * when, so that none has to be stored before it is answered.
 */
export type Challenges = {
  /** `purpose` names what the signature is good for, and for whom. */
  make(purpose: string): Uint8Array<ArrayBuffer>
  /** When it ends; undefined where it was made for something else, or is too old. */
  endOf(purpose: string, challenge: string): number | undefined
}

const TIME_BYTES = 6

export function createChallenges(
  secretKey: string,
  random: () => Buffer,
  now: () => number,
): Challenges {
  const tokens = createLinkTokens(secretKey, 'passkey v1')
  return {
    make: (purpose) => {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeUIntBE(now(), 0, TIME_BYTES)
      const token = tokens.write(purpose, Buffer.concat([time, random()]))
      return Uint8Array.from(Buffer.from(token, 'base64url'))
    },
    endOf: (purpose, challenge) => {
      const end = tokens.read(purpose, challenge)?.readUIntBE(0, TIME_BYTES)
      if (end === undefined || now() > end + LIFETIMES.challengeMs) return undefined
      return end + LIFETIMES.challengeMs
    },
  }
}
