import type { Transporter } from 'nodemailer'
import { UPKEEP } from '../domain/upkeep-timing.ts'
import type { Database } from '../store/engine/database.ts'
import { insertMail } from '../store/sandbox/mails.ts'
import type { Log } from '../usecases/context.ts'
import type { Mail, Mailer } from '../usecases/people/context.ts'
import { createBehind } from './behind.ts'
import type { Config } from './config.ts'

/** Beyond that a mail is dropped: the server has been away for long, and links grow old. */
const WAITING_MAX = 1000
const AT_ONCE = 2

type Parts = {
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'environment'>
  readonly db: Database
  readonly log: Log
  readonly realNow: () => number
}

/** By SMTP where it is set; in the sandbox mail is kept; else there is none. */
export function createMailer(parts: Parts): Mailer {
  const deliver = deliveryOf(parts)
  const ending = new AbortController()
  const behind = createBehind(parts.log, {
    failed: 'a mail was not sent',
    atOnce: AT_ONCE,
    waitingMax: WAITING_MAX,
  })
  return {
    way: wayOf(parts.config),
    send: (write) =>
      behind.run(async () => {
        const mail = await write()
        if (mail !== undefined) await untilDelivered(() => deliver(mail), ending.signal)
      }),
    deliver: async (mail) => {
      await deliver(mail)
    },
    close: async () => {
      ending.abort()
      await behind.close()
    },
  }
}

const wayOf = ({ smtpUrl, environment }: Parts['config']): Mailer['way'] => {
  if (smtpUrl !== undefined) return 'SMTP'
  return environment === 'sandbox' ? 'KEPT' : 'NONE'
}

function deliveryOf({ config, db, realNow }: Parts): (mail: Mail) => Promise<unknown> {
  const { smtpUrl, mailFrom } = config
  const way = wayOf(config)
  if (smtpUrl === undefined) {
    return async ({ to: recipient, subject, text }) =>
      way === 'KEPT' && insertMail(db, { atMs: realNow(), recipient, subject, text })
  }
  let transport: Transporter | undefined
  return async (mail) => {
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({
      url: smtpUrl,
      connectionTimeout: UPKEEP.mailWithinMs,
      greetingTimeout: UPKEEP.mailWithinMs,
      socketTimeout: UPKEEP.mailWithinMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return transport.sendMail({ from: mailFrom, ...mail })
  }
}

/** A server that is busy gets it again; a person who waits for the mail can ask for another one. */
async function untilDelivered(deliver: () => Promise<unknown>, ending: AbortSignal): Promise<void> {
  for (const pauseMs of UPKEEP.mailAgainMs) {
    try {
      await deliver()
      return
    } catch (error) {
      if (ending.aborted) throw error
      await pause(pauseMs, ending)
    }
  }
  await deliver()
}

const pause = (ms: number, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    ending.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
