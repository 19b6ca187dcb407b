import type { Service } from './service.ts'

/** The session of a developer who signed in to the sandbox, as a browser sends it. */
export async function cookieOf({ url, token }: Service): Promise<string> {
  const body = new URLSearchParams({ token })
  const answer = await fetch(`${url}/sandbox/sign-in`, { method: 'POST', body, redirect: 'manual' })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return cookie
}

/** The pages of the sandbox as a browser without script gets them. */
type Visitor = {
  html(path: string): Promise<string>
  /** What people read. */
  text(path: string): Promise<string>
  /** Presses a button, and returns the text of the next page. */
  act(form: Readonly<Record<string, string>>, lang?: 'en' | 'fr'): Promise<string>
}

export async function visitorOf(service: Service): Promise<Visitor> {
  const session = await cookieOf(service)
  const html = async (path: string, cookie = session): Promise<string> =>
    (await fetch(`${service.url}${path}`, { headers: { cookie } })).text()
  return {
    html: (path) => html(path),
    text: async (path) => textOf(await html(path)),
    act: async (form, lang = 'en') => {
      const { headers } = await fetch(`${service.url}/sandbox/acts?lang=${lang}`, {
        method: 'POST',
        headers: { cookie: session },
        body: new URLSearchParams(form),
        redirect: 'manual',
      })
      const [flash = ''] = (headers.get('set-cookie') ?? '').split(';')
      return textOf(await html(headers.get('location') ?? '', `${session}; ${flash}`))
    },
  }
}

const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
}

export const textOf = (html: string): string =>
  html
    .replace(/<(style|script|title)\b.*?<\/\1>/gs, '')
    .replaceAll(/<(?:bdi|strong|span|small|code)\b[^>]*>|<\/(?:bdi|strong|span|small|code)>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&(?:lt|gt|quot|amp);/g, (sign) => SIGNS[sign] ?? sign)
    .replaceAll(/\s*\n\s*/g, '\n')
