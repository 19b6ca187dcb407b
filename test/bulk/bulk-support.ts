import assert from 'node:assert/strict'
import type { Shown, Visitor } from '../../harness/dashboard.ts'
import type { Service } from '../../harness/service.ts'

export const PATH = '/dashboard/bulk-payouts'
export const HEADER = 'amount,currency,phoneNumber'

/** Uploads rows as a page of the dashboard would, and answers where the draft is. */
export async function uploaded(visitor: Visitor, text: string): Promise<string> {
  const answer = await visitor.post(PATH, { paste: text })
  assert.equal(answer.status, 303, answer.text)
  return answer.location ?? ''
}

/** So many rows that are right. */
export const rowsOf = (count: number, amount = '2'): string =>
  [HEADER, ...Array.from({ length: count }, () => `${amount},ZMW,260763456789`)].join('\r\n')

export const versionOf = (html: string): string =>
  /name="version" value="(\d+)"/.exec(html)?.[1] ?? ''

/** Submits a draft and approves it as somebody else. */
export async function approved(maker: Visitor, checker: Visitor, path: string): Promise<void> {
  await maker.post(`${path}/submit`)
  const version = versionOf((await checker.get(path)).text)
  const answer = await checker.post(`${path}/approve`, { version })
  assert.equal(answer.status, 303, answer.text)
}

export const stateOf = (html: string): string =>
  /<h1>[^<]*<\/h1><span class="state [^"]*">([^<]+)</.exec(html)?.[1] ?? ''

/** Everything of the audit log about an object, oldest first. */
export async function actionsOn(
  service: Pick<Service, 'database'>,
  object: string,
): Promise<readonly string[]> {
  const rows = await service.database.query<{ action: string }>(
    'select action from audit_entries where object = $1 order by number',
    [object],
  )
  return rows.map(({ action }) => action)
}

/** What the next page says once, and whether it is a problem. */
export const flashOf = ({ headers }: Pick<Shown, 'headers'>): string =>
  Buffer.from(/=([^;]*)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? '', 'base64url').toString()

export const idIn = (path: string): string => path.split('/').at(-1) ?? ''
