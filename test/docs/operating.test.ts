import assert from 'node:assert/strict'
import { it } from 'node:test'
import { SETTINGS } from '../../src/store/embedded/process.ts'
import { OF_NODES } from '../../src/store/engine/session-settings.ts'
import { chapter, plain, read, rowsOf } from './documents.ts'

const database = read('docs/operating/database.md')
const sharding = read('docs/operating/sharding.md')

it('the database page names the settings of the embedded server as they are', () => {
  const rows = rowsOf(chapter(database, 'A PostgreSQL server of your own'))
  assert.ok(rows.length >= 8)
  const settings = new Map(SETTINGS.map(([name, value]) => [name, value]))
  for (const [name, value] of rows) assert.equal(settings.get(plain(name)), plain(value), name)
})

it('the database page gives a role what nodes ask for when they connect', () => {
  const given = [...database.matchAll(/^alter role malipo set (\w+) = '?(\w+)'?;$/gm)]
  assert.deepEqual(
    given.map(([, name, value]) => [name, value]),
    Object.entries(OF_NODES),
  )
})

/** The tables listed below each bold line: distributed, reference, local. */
function placements(): readonly (readonly string[])[] {
  const text = chapter(sharding, 'Distribution by merchant').split('\n### Set-up\n')[0] ?? ''
  const [, ...parts] = text.split(/^\*\*.*:\*\*$/m)
  return parts.map((part) => [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

it('the sharding page says of every table where it would be placed', () => {
  const schema = read('schema.sql')
  const keys = [...schema.matchAll(/^create table (\w+) \([^;]*?PRIMARY KEY \((\w+)/gms)]
  const tables = placements()
  assert.equal(tables.length, 3)
  assert.deepEqual(tables.flat().toSorted(), keys.map(([, name]) => name).toSorted())
  const led = new Set(keys.filter(([, , first]) => first === 'merchant_id').map(([, name]) => name))
  for (const name of tables[0] ?? []) assert.ok(led.has(name), `${name} leads with its merchant`)
  const made = [...sharding.matchAll(/^select create_(distributed|reference)_table\('(\w+)'/gm)]
  const sorted = (list: readonly (readonly string[])[]) =>
    list.map((words) => words.join(' ')).toSorted()
  assert.deepEqual(
    sorted(made.map(([, how = '', name = '']) => [how, name])),
    sorted([
      ...(tables[1] ?? []).map((name) => ['reference', name]),
      ...(tables[0] ?? []).map((name) => ['distributed', name]),
    ]),
  )
  assert.equal(
    made.findIndex(([, how]) => how === 'distributed'),
    tables[1]?.length,
  )
})
