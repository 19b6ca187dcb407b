import { present } from '../../domain/present.ts'
import type { StatementContext } from '../../usecases/statements/context.ts'
import { findStatement } from '../../usecases/statements/find-statement.ts'
import { requestStatement } from '../../usecases/statements/request-statement.ts'
import { timestampText } from '../../wire/formats.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import {
  fromStatement,
  readStatementRequest,
  StatementAnswer,
  StatementRequest,
  StatementStatus,
} from '../../wire/v2/statements.ts'
import type { Endpoint } from '../endpoint.ts'
import { pathId } from '../path-id.ts'
import { STATEMENT_EXAMPLES } from './statement-examples.ts'

export function statementEndpoints(ctx: StatementContext): readonly Endpoint[] {
  return [request(ctx), status(ctx)]
}

const request = (ctx: StatementContext): Endpoint => ({
  method: 'POST',
  path: '/v2/statements',
  operationId: 'requestStatement',
  tag: 'finances',
  summary: 'Ask for a statement',
  description:
    'A file with every movement of one wallet from `startDate` up to, and without, `endDate`. It ' +
    'is written in the background; when it is ready, `callbackUrl` receives a callback with a link that works ' +
    'for one day. The movements are those of the moment of writing. REJECTED with ' +
    'INVALID_CALLBACK_URL, INVALID_DATE_RANGE or WALLET_NOT_FOUND. Every request makes a new file. ' +
    'Metadata marked as personal is masked unless the token also has the scope `pii`.',
  access: { group: 'finances', level: 'write' },
  failureShape: { kind: 'resource', rejects: true },
  body: StatementRequest,
  answer: StatementAnswer,
  examples: STATEMENT_EXAMPLES.request,
  refusals: [400, 401, 403],
  handle: async ({ caller, body }) => {
    const showsPii = caller.scopes.has('pii')
    const order = { ...readStatementRequest(body()), showsPii }
    const result = await requestStatement(ctx, caller.merchant, order)
    if (result.status === 'REJECTED') {
      return { status: result.status, failureReason: fromFailure(result.failure) }
    }
    const { id, status, createdAt } = result
    return { statementId: id, status, created: timestampText(createdAt) }
  },
})

const status = (ctx: StatementContext): Endpoint => ({
  method: 'GET',
  path: '/v2/statements/:statementId',
  operationId: 'getStatement',
  tag: 'finances',
  summary: 'Check a statement',
  description:
    'Answers FOUND with the statement in `data`, or NOT_FOUND. The record is the same as in the ' +
    'callback; `downloadUrl` is there once it is COMPLETED. If the statement was requested with the ' +
    'scope `pii`, a token without that scope gets the record without `downloadUrl`.',
  access: { group: 'finances', level: 'read' },
  failureShape: { kind: 'lookup' },
  answer: StatementStatus,
  examples: STATEMENT_EXAMPLES.status,
  refusals: [400, 401, 403],
  handle: async ({ caller, params }) => {
    const statement = await findStatement(ctx, caller.merchant, pathId(params, 'statementId'))
    if (statement === undefined) return { status: 'NOT_FOUND' }
    const { downloadUrl, ...data } = fromStatement(statement)
    // The link opens the file without a token, so it is for those alone who may read what is in it.
    const mayOpen = !statement.showsPii || caller.scopes.has('pii')
    return { status: 'FOUND', data: mayOpen ? { ...data, ...present({ downloadUrl }) } : data }
  },
})
