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

const patroni = read('deploy/patroni/patroni.yml')
const proxy = read('deploy/patroni/haproxy.cfg')

/** A line of the file of Patroni. */
const settingOf = (name: string): string | undefined =>
  new RegExp(`^ +${name}: '?(.*?)'?$`, 'm').exec(patroni)?.[1]

it('servers under Patroni have the settings of the database page', () => {
  for (const [name, value] of rowsOf(chapter(database, 'A PostgreSQL server of your own'))) {
    assert.equal(settingOf(plain(name)), plain(value), name)
  }
  assert.equal(settingOf('synchronous_mode'), 'true')
  assert.equal(settingOf('synchronous_mode_strict'), 'true')
  assert.equal(settingOf('synchronous_commit'), 'on')
})

it('the Patroni page names the times of its files', () => {
  const rows = rowsOf(chapter(read('docs/operating/patroni.md'), 'The times'))
  const known = rows.filter(([name]) => settingOf(plain(name)) !== undefined)
  assert.equal(known.length, 4)
  for (const [name, value = ''] of known) {
    assert.equal(settingOf(plain(name))?.replace(/s$/, ''), value.replace(/ s$/, ''), name)
  }
  assert.match(proxy, / inter 1s .* fall 3 /)
  const [ttl, wait, retry] = ['ttl', 'loop_wait', 'retry_timeout'].map((name) =>
    Number(settingOf(name)),
  )
  assert.ok(Number(wait) + 2 * Number(retry) <= Number(ttl), 'Patroni refuses other times')
})

it('the files for Patroni, etcd and HAProxy name the same three servers', () => {
  const addresses = (text: string, port: number) =>
    [...text.matchAll(new RegExp(`(10\\.0\\.0\\.\\d+):${port}`, 'g'))].map(([, one]) => one)
  const three = ['10.0.0.11', '10.0.0.12', '10.0.0.13']
  assert.deepEqual(addresses(patroni, 2379), three)
  assert.deepEqual(addresses(proxy, 5432), three)
  const [members = ''] = /^ETCD_INITIAL_CLUSTER=.*$/m.exec(read('deploy/patroni/etcd.env')) ?? []
  assert.deepEqual(addresses(members, 2380), three)
})

/** The tables listed below each bold line: distributed, reference, local. */
function placements(): readonly (readonly string[])[] {
  const text = chapter(sharding, 'Distribution by merchant').split('\n### Set-up\n')[0] ?? ''
  const [, ...parts] = text.split(/^\*\*.*:\*\*$/m)
  return parts.map((part) => [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

it('the sharding page says of every table where it would be placed', () => {
  const schema = read('schema.sql')
  const keys = [...schema.matchAll(/^create table (\w+) \([^;]*?PRIMARY KEY \(([\w, ]+)/gms)]
  const tables = placements()
  assert.equal(tables.length, 3)
  assert.deepEqual(tables.flat().toSorted(), keys.map(([, name]) => name).toSorted())
  const ofMerchants = new Set(
    keys
      .filter(([, , columns = '']) => columns.split(', ').includes('merchant_id'))
      .map(([, name]) => name),
  )
  for (const name of tables[0] ?? []) assert.ok(ofMerchants.has(name), `${name} by merchant`)
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
