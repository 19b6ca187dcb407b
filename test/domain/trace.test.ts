import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readTrace, traceFacts } from '../../src/domain/trace.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const SAMPLED = `00-${TRACE}-${SPAN}-01`

describe('traceparent', () => {
  const taken: readonly [string, string, string, boolean][] = [
    ['sampled', SAMPLED, SAMPLED, true],
    ['not sampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`, false],
    ['flags that are not known yet', `00-${TRACE}-${SPAN}-03`, SAMPLED, true],
    ['a later version', `01-${TRACE}-${SPAN}-01`, SAMPLED, true],
    ['a later version with more in it', `cc-${TRACE}-${SPAN}-01-what-follows`, SAMPLED, true],
  ]
  for (const [name, given, traceparent, isSampled] of taken) {
    it(`is read: ${name}`, () => {
      assert.deepEqual(readTrace(given, undefined), { traceparent, isSampled })
    })
  }

  const ignored: readonly [string, string | readonly string[] | undefined][] = [
    ['none', undefined],
    ['empty', ''],
    ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['more behind version 00', `${SAMPLED}-more`],
    ['upper case', SAMPLED.toUpperCase()],
    ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['something behind the flags', `01-${TRACE}-${SPAN}-01x`],
    ['spaces', ` ${SAMPLED}`],
    ['two headers, as Node joins them', `${SAMPLED}, ${SAMPLED}`],
    ['two headers', [SAMPLED, SAMPLED]],
    ['a line break', `${SAMPLED}\r\nx: y`],
    ['far too long', `01-${TRACE}-${SPAN}-01-${'a'.repeat(10_000)}`],
    ['text', 'Robert); drop table payments;--'],
  ]
  for (const [name, given] of ignored) {
    it(`is ignored: ${name}`, () => assert.equal(readTrace(given, 'a=b'), undefined))
  }
})

describe('tracestate', () => {
  const of = (state: string | readonly string[]) => readTrace(SAMPLED, state)?.tracestate
  for (const state of [
    'a=b',
    'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7',
    'tenant@system=x y',
    'a=b, c=d',
  ]) {
    it(`is kept: ${state}`, () => assert.equal(of(state), state))
  }
  it('is one where it came as several headers', () => assert.equal(of(['a=b', 'c=d']), 'a=b,c=d'))

  const dropped: readonly [string, string][] = [
    ['empty', ''],
    ['no value', 'a='],
    ['no name', '=b'],
    ['upper case', 'A=b'],
    ['an equals sign in the value', 'a=b=c'],
    ['a line break', 'a=b\r\nx-injected: 1'],
    ['a letter that is not ASCII', 'a=é'],
    ['the same name twice', 'a=b,a=c'],
    ['more than 512 characters', `a=${'b'.repeat(511)}`],
    ['more than 32 members', Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(',')],
  ]
  for (const [name, state] of dropped) {
    it(`is dropped, and the trace goes on: ${name}`, () => {
      assert.deepEqual(readTrace(SAMPLED, state), { traceparent: SAMPLED, isSampled: true })
    })
  }
})

it('log lines name a trace as tools look for it', () => {
  assert.deepEqual(traceFacts(SAMPLED), { trace_id: TRACE, span_id: SPAN })
  assert.equal(traceFacts(undefined), undefined)
})
