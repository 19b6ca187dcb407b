import type { ServerResponse } from 'node:http'
import type { Rule } from './faults.ts'
import type { StandInAnswer, StandInOperator } from './operator.ts'
import type { Orders } from './orders.ts'

/** An answer that a fault puts in place of the usual one; nothing is done then. */
export function answerInstead(
  operator: StandInOperator,
  rule: Rule | undefined,
): StandInAnswer | undefined {
  switch (rule?.fault) {
    case 'error':
      return { status: rule.status ?? 500, body: {} }
    case 'token-expired':
      return operator.faulty.tokenExpired()
    case 'not-found':
      return operator.faulty.notFound()
    default:
      return undefined
  }
}

/** An answer as a fault changes it; what was asked for has been done. */
function changed(
  operator: StandInOperator,
  answer: StandInAnswer,
  rule: Rule | undefined,
): StandInAnswer {
  switch (rule?.fault) {
    case 'unknown-word':
      return operator.faulty.unknownWord(answer)
    case 'other-amount':
      return operator.faulty.otherAmount(answer)
    case 'error-after':
      return { status: rule.status ?? 500, body: {} }
    default:
      return answer
  }
}

/** Answers as the fault wants it. */
export function respond(
  operator: StandInOperator,
  response: ServerResponse,
  given: StandInAnswer,
  rule: Rule | undefined,
  later: Orders['later'],
): void {
  const answer = changed(operator, given, rule)
  const body = answer.body === undefined ? '' : JSON.stringify(answer.body)
  const headers = { ...(body === '' ? {} : JSON_TYPE), ...answer.headers }
  switch (rule?.fault) {
    case 'drop-after':
      response.destroy()
      return
    case 'hang':
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Request Rejected</html>')
      return
    case 'huge':
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) }))
      return
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    case 'drip':
      response.writeHead(answer.status, headers)
      drip(response, later)
      return
    case 'truncated':
      response.writeHead(answer.status, { ...headers, 'content-length': body.length + 40 })
      response.write(body.slice(0, body.length / 2) || ' ')
      later(20, () => response.destroy())
      return
    default:
      response.writeHead(answer.status, headers).end(body)
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function drip(response: ServerResponse, later: Orders['later']): void {
  if (response.destroyed) return
  response.write(' ')
  later(200, () => drip(response, later))
}
