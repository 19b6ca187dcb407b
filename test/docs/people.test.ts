import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ENVIRONMENTS, SCOPES, type Scope } from '../../src/domain/accounts/token.ts'
import { grantableScopes, neededFor } from '../../src/domain/people/grantable-scopes.ts'
import { may, PERMISSIONS, ROLES } from '../../src/domain/people/roles.ts'
import { LIFETIMES } from '../../src/domain/timing.ts'
import { chapter, plain, read, rowsOf } from './documents.ts'

const text = read('docs/people.md')
const permissionsIn = (cell = ''): string[] => cell.match(/[a-z]+:[a-z]+/g) ?? []

it('the table of roles is the one in the code', () => {
  const part = chapter(text, 'Roles')
  const [head = ''] = part.split('\n').filter((line) => line.startsWith('| Permission'))
  const names = head.split('|').map((cell) => cell.trim())
  assert.deepEqual(names.slice(2, 2 + ROLES.length), [...ROLES])
  assert.deepEqual(
    rowsOf(part).map(([permission, ...cells]) => [
      plain(permission),
      ...cells.slice(0, ROLES.length),
    ]),
    PERMISSIONS.map((permission) => [
      permission,
      ...ROLES.map((role) => (may(role, permission) ? 'yes' : '–')),
    ]),
  )
})

it('the rights of tokens are those of the code', () => {
  const named = [...new Set(SCOPES.map((scope) => scope.replace(':read', '')))] as Scope[]
  const rows = rowsOf(chapter(text, 'Rights of tokens')).flatMap(([scopes, read, write]) =>
    plain(scopes)
      .split(', ')
      .map((scope) => ({ scope, read: permissionsIn(read), write: permissionsIn(write) })),
  )
  assert.deepEqual(rows.map(({ scope }) => scope).toSorted(), named.toSorted())
  for (const { scope, read, write } of rows.filter((row) => row.scope !== '*')) {
    assert.deepEqual(neededFor(scope as Scope, 'production'), [...read, ...write], scope)
    if (scope === 'pii') continue
    assert.deepEqual(neededFor(`${scope}:read` as Scope, 'production'), read, scope)
  }
  for (const environment of ENVIRONMENTS) {
    assert.deepEqual(grantableScopes('admin', environment), SCOPES, environment)
  }
  const developers = ['toolkit', 'sandbox', 'toolkit:read', 'sandbox:read']
  assert.deepEqual(grantableScopes('developer', 'production'), developers)
  const allButPii = SCOPES.filter((scope) => scope !== 'pii')
  assert.deepEqual(grantableScopes('developer', 'sandbox'), allButPii)
})

it('the times are those of the code', () => {
  const part = chapter(text, 'Signing in')
  const minutes = (ms: number): string => `${ms / 60_000} minutes`
  assert.ok(part.includes(`A session ends ${minutes(LIFETIMES.sessionIdleMs)} after the last`))
  assert.ok(part.includes(`${LIFETIMES.sessionMs / 3_600_000} hours after it began`))
  assert.ok(part.includes(`older than ${minutes(LIFETIMES.confirmedMs)}`))
  const codes = chapter(text, 'Second factor')
  assert.ok(codes.includes(`work once, for ${minutes(LIFETIMES.mailedCodeMs)}`))
})
