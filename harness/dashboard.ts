import { request } from 'undici'
import type { MerchantId } from '../src/domain/ids.ts'
import type { Role } from '../src/domain/people/roles.ts'
import { putMembership, putUser } from '../src/store/people/users.ts'
import { newLink } from '../src/usecases/people/manage-users.ts'
import { headersOf, type Service } from './service.ts'

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
  const entered = await show(`${service.url}/sign-in/${code}`)
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const get: Visitor['get'] = (path, headers = {}) =>
    show(service.url + path, { headers: { cookie, ...headers } })
  /** A session has one for all its forms. */
  let form: string | undefined
  const post: Visitor['post'] = async (path, fields = {}) => {
    const body = new URLSearchParams(fields)
    if (!body.has('form')) {
      form ??= /name="form" value="([^"]+)"/.exec((await get('/dashboard')).text)?.[1]
      body.set('form', form ?? '')
    }
    const headers = { cookie, origin: service.url, 'content-type': FORM }
    return show(service.url + path, { method: 'POST', headers, body: body.toString() })
  }
  return { email, userId, cookie, get, post }
}

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'

/** Not `fetch`, which takes several times as long, for thousands of pages. */
async function show(
  url: string,
  options: { method?: 'POST'; headers?: Readonly<Record<string, string>>; body?: string } = {},
): Promise<Shown> {
  const answer = await request(url, options)
  const headers = headersOf(answer)
  const text = await answer.body.text()
  return { status: answer.statusCode, headers, text, location: headers.get('location') }
}
