/** A call as a command that can be pasted into a shell. The token is always a variable. */
import { type Call, type Notation, write } from './call.ts'

/** Inside single quotes, which the fresh identifier leaves for a moment. */
const JSON_IN_QUOTES: Notation = {
  indent: '  ',
  brackets: { object: '{}', array: '[]' },
  pair: (name, value) => `${name}: ${value}`,
  text: (text) => inQuotes(JSON.stringify(text)),
  plain: (value) => JSON.stringify(value),
  emptyObject: '{}',
  freshId: `"'"$(uuidgen)"'"`,
  hasLastComma: false,
}

export function curlOf({ method, url, needsToken, contentType, body }: Call): string {
  const isUsual = method === 'GET' || (method === 'POST' && body !== undefined)
  const words = [
    `curl -sS${isUsual ? '' : ` -X ${method}`} ${quote(url)}`,
    ...(needsToken ? ['-H "Authorization: Bearer $MALIPO_TOKEN"'] : []),
    ...(contentType === undefined ? [] : [`-H ${quote(`Content-Type: ${contentType}`)}`]),
    ...(body === undefined ? [] : [`-d '${write(body, JSON_IN_QUOTES)}'`]),
  ]
  return words.join(' \\\n  ')
}

function quote(text: string): string {
  return /^[\w./:@%=-]+$/.test(text) ? text : `'${inQuotes(text)}'`
}

const inQuotes = (text: string): string => text.replaceAll("'", "'\\''")
