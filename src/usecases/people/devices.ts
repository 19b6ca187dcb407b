import { hash } from 'node:crypto'
import { createLinkTokens } from '../../signing/link-token.ts'

/** Browsers in which a person signed in before; what they keep names the person and is signed. */
export type Devices = {
  /** For the browser to keep. */
  nameFor(email: string): string
  /** Under which name failures of this browser count; undefined where it is not one of the person. */
  subjectOf(kept: string | undefined, email: string): string | undefined
}

export function createDevices(secretKey: string, random: () => Buffer): Devices {
  const tokens = createLinkTokens(secretKey, 'device v1')
  return {
    nameFor: (email) => tokens.write(email, random()),
    subjectOf: (kept, email) => {
      if (kept === undefined || tokens.read(email, kept) === undefined) return undefined
      return hash('sha256', kept, 'hex').slice(0, 32)
    },
  }
}
