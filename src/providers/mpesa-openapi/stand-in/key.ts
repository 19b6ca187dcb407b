import { createStandInKey, opened } from '../../stand-in/rsa.ts'

const KEY = createStandInKey()

/** For `secrets.publicKey` of an account, as the portal of the platform shows it. */
export const standInPublicKey = KEY.publicKey

/** What somebody sealed for the stand-in; undefined where nobody did. */
export const openedBearer = (header: string | undefined): string | undefined =>
  header?.startsWith('Bearer ') ? opened(KEY.get(), header.slice(7)) : undefined
