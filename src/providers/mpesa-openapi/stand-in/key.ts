import { createPublicKey } from 'node:crypto'
import { newStandInKey, opened } from '../../stand-in/rsa.ts'

const PRIVATE_KEY = newStandInKey()

/** For `secrets.publicKey` of an account, as the portal of the platform shows it. */
export const STAND_IN_PUBLIC_KEY = createPublicKey(PRIVATE_KEY)
  .export({ type: 'spki', format: 'der' })
  .toString('base64')

/** What somebody sealed for the stand-in; undefined where nobody did. */
export const openedBearer = (header: string | undefined): string | undefined =>
  header?.startsWith('Bearer ') ? opened(PRIVATE_KEY, header.slice(7)) : undefined
