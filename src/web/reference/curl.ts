/** A call as a command that can be pasted into a shell. The token is always a variable. */

import { mediaOf, type OpenApiDocument, type Parameter, resolve } from './openapi.ts'
import type { OperationEntry } from './outline.ts'
import { exampleOf, examplesOf } from './schema-example.ts'
import { securityOf } from './security.ts'

export function curlOf(document: OpenApiDocument, entry: OperationEntry): string {
  const body = resolve(document.components?.requestBodies, entry.operation.requestBody ?? {})
  const found = mediaOf(body.content)
  const example = found === undefined ? undefined : examplesOf(document, found.media)[0]
  const method = entry.method.toUpperCase()
  const isUsual = method === 'GET' || (method === 'POST' && example !== undefined)
  const words = [
    `curl -sS${isUsual ? '' : ` -X ${method}`} ${quote(addressOf(document, entry))}`,
    ...(securityOf(document, entry.operation).isOpen
      ? []
      : ['-H "Authorization: Bearer $MALIPO_TOKEN"']),
    ...(found === undefined ? [] : [`-H ${quote(`Content-Type: ${found.contentType}`)}`]),
    ...(example === undefined ? [] : [`-d ${quote(example.text)}`]),
  ]
  return words.join(' \\\n  ')
}

function addressOf(document: OpenApiDocument, entry: OperationEntry): string {
  const base = document.servers?.[0]?.url.replace(/\/+$/, '') ?? ''
  const encoded = (parameter: Parameter) =>
    encodeURIComponent(parameterExample(document, parameter))
  const path = entry.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, each) => text.replace(`{${each.name}}`, encoded(each)), entry.path)
  const query = entry.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required === true)
    .map((parameter) => `${parameter.name}=${encoded(parameter)}`)
  return `${base}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function parameterExample(document: OpenApiDocument, parameter: Parameter): string {
  return String(parameter.example ?? exampleOf(document, parameter.schema ?? { type: 'string' }))
}

function quote(text: string): string {
  if (/^[\w./:@%=-]+$/.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}
