import { COMMAND_TIMING } from '../../domain/client-timing.ts'
import type { Config } from '../../node/config.ts'
import { bad, type Check, good } from './check.ts'

/** Signs in where mail is sent from, and sends none. */
export async function mailCheck({ smtpUrl, environment }: Config): Promise<Check> {
  if (smtpUrl === undefined) {
    return environment === 'sandbox'
      ? good('mail', 'kept in the sandbox, see /sandbox/mail')
      : good('mail', 'none is sent: links are shown to the person who makes them (MALIPO_SMTP_URL)')
  }
  const { host } = new URL(smtpUrl)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: COMMAND_TIMING.mailWithinMs,
    greetingTimeout: COMMAND_TIMING.mailWithinMs,
    socketTimeout: COMMAND_TIMING.mailWithinMs,
  })
  try {
    await transport.verify()
    return good('mail', `${host} takes mail from us`)
  } catch (error) {
    // Not the message, which may repeat the user.
    const { code, responseCode } = error as {
      readonly code?: string
      readonly responseCode?: number
    }
    const reason = [code, responseCode].filter((one) => one !== undefined).join(' ')
    return bad('mail', `${host} does not take mail from us (${reason}). Check MALIPO_SMTP_URL.`)
  } finally {
    transport.close()
  }
}
