import type { MerchantId } from '../src/domain/ids.ts'
import type { Role } from '../src/domain/people/roles.ts'
import { putMembership, putUser } from '../src/store/people/users.ts'
import { newLink } from '../src/usecases/people/manage-users.ts'
import type { Service } from './service.ts'

/** Somebody at the dashboard, without a browser. */
export type Visitor = {
  readonly email: string
  readonly userId: number
  /** What the browser keeps, as the Cookie header. */
  readonly cookie: string
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>
  /** Sends a form as a page of the dashboard would. */
  post(path: string, fields?: Readonly<Record<string, string>> | URLSearchParams): Promise<Shown>
}

export type Shown = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Where a redirect leads. */
  readonly location: string | null
}

let count = 0

/** A person of the merchant with this role, signed in with a link that works once. */
export async function signedIn(
  service: Pick<Service, 'url' | 'database'>,
  role: Role = 'owner',
  options: { readonly countries?: readonly string[]; readonly merchantId?: number } = {},
): Promise<Visitor> {
  const { countries = [], merchantId = 1 } = options
  count += 1
  const email = `${role}-${process.pid}-${count}@example.com`
  const now = Date.now()
  const { userId, code } = await service.database.inTransaction(async (tx) => {
    const user = await putUser(tx, { email, isStaff: false, now })
    if (user === undefined) throw new Error('there is no such user')
    const member = { merchantId: merchantId as MerchantId, userId: user.userId, role, countries }
    await putMembership(tx, { ...member, now })
    return { userId: user.userId, code: await newLink(tx, user.userId, 'SIGN_IN', now) }
  })
  const entered = await fetch(`${service.url}/sign-in/${code}`, { redirect: 'manual' })
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const send = async (path: string, init: RequestInit): Promise<Shown> => {
    const answer = await fetch(service.url + path, { ...init, redirect: 'manual' })
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), location: headers.get('location') }
  }
  const get: Visitor['get'] = (path, headers = {}) =>
    send(path, { headers: { cookie, ...headers } })
  const post: Visitor['post'] = async (path, fields = {}) => {
    const form = /name="form" value="([^"]+)"/.exec((await get('/dashboard')).text)?.[1] ?? ''
    const body = new URLSearchParams(fields)
    if (!body.has('form')) body.set('form', form)
    return send(path, { method: 'POST', headers: { cookie, origin: service.url }, body })
  }
  return { email, userId, cookie, get, post }
}
