import { hash } from 'node:crypto'
import { LIFETIMES } from '../../domain/timing.ts'
import { createLinkTokens } from '../../signing/link-token.ts'
import type { User } from '../../store/people/users.ts'

/** Browsers in which a person signed in before; what they keep names the person and is signed. */
export type Devices = {
  /** For the browser to keep. */
  nameFor(email: string): string
  /** Under which name failures of this browser count; undefined where it is not one of the person. */
  subjectOf(kept: string | undefined, email: string): string | undefined
  /** For a browser in which the person does not want to give the second factor every time. */
  trustFor(user: User): string
  /** Not any more once the password or the authenticator is another one. */
  isTrusted(kept: string | undefined, user: User): boolean
}

const TIME_BYTES = 6

export function createDevices(secretKey: string, random: () => Buffer, now: () => number): Devices {
  const tokens = createLinkTokens(secretKey, 'device v1')
  const trusted = createLinkTokens(secretKey, 'trusted device v1')
  const trustedAs = ({ userId, passwordHash, sealedCodeKey }: User): string =>
    `${userId} ${hash('sha256', `${passwordHash} ${sealedCodeKey}`)}`
  return {
    nameFor: (email) => tokens.write(email, random()),
    subjectOf: (kept, email) => {
      if (kept === undefined || tokens.read(email, kept) === undefined) return undefined
      return hash('sha256', kept, 'hex').slice(0, 32)
    },
    trustFor: (user) => {
      const time = Buffer.alloc(TIME_BYTES)
      time.writeUIntBE(now(), 0, TIME_BYTES)
      return trusted.write(trustedAs(user), time)
    },
    isTrusted: (kept, user) => {
      const since = kept && trusted.read(trustedAs(user), kept)?.readUIntBE(0, TIME_BYTES)
      return typeof since === 'number' && now() - since < LIFETIMES.trustedDeviceMs
    },
  }
}
