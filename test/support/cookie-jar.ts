/** A browser without script: it keeps cookies and follows nothing by itself. */
export type Jar = {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Got>
  /** A form, with the origin of the site unless `headers` says otherwise. */
  post(
    path: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Got>
}

export type Got = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly location: string | null
}

export function openJar(url: string, agent = 'Mozilla/5.0 (X11; Linux) Firefox/140.0'): Jar {
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit & { headers: Record<string, string> }) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const target = path.startsWith('http') ? path : url + path
    const answer = await fetch(target, {
      ...init,
      headers: { 'user-agent': agent, ...(cookie === '' ? {} : { cookie }), ...init.headers },
      redirect: 'manual',
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const [name = '', value = ''] = pair.split('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(name)
      else cookies.set(name, value)
    }
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), location: headers.get('location') }
  }
  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { ...headers } }),
    post: (path, fields, headers = { origin: url }) =>
      send(path, { method: 'POST', headers: { ...headers }, body: new URLSearchParams(fields) }),
  }
}

/** The token that every form of a page carries. */
export const formIn = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ''
