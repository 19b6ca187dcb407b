/** A call for Node 20 and newer, without a package. */
import { type Call, type Notation, write } from './call.ts'

const LITERAL: Notation = {
  indent: '  ',
  brackets: { object: '{}', array: '[]' },
  pair: (name, value) => `${name}: ${value}`,
  text: (text) => JSON.stringify(text),
  plain: (value) => JSON.stringify(value),
  emptyObject: '{}',
  freshId: 'crypto.randomUUID()',
  hasLastComma: true,
}

export function nodeOf({ method, url, needsToken, contentType, body }: Call): string {
  const headers = [
    ...(needsToken ? ['Authorization: "Bearer " + process.env.MALIPO_TOKEN'] : []),
    ...(contentType === undefined ? [] : [`"Content-Type": ${JSON.stringify(contentType)}`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: {\n    ${headers.join(',\n    ')},\n  }`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${write(body, LITERAL, '  ')})`]),
  ]
  const given = options.length === 0 ? '' : `, {\n  ${options.join(',\n  ')},\n}`
  return [
    `const response = await fetch(${JSON.stringify(url)}${given});`,
    'console.log(response.status, await response.text());',
  ].join('\n')
}
