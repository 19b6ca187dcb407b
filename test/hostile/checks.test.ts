import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storedFaults } from '../../proof/fuzz/aftermath.ts'
import { coverageGaps } from '../../proof/fuzz/coverage.ts'
import { acceptedIn, faultOf } from '../../proof/fuzz/judge.ts'
import { growthOf, MEASURES, memoryFaults, samplesOf } from '../../proof/fuzz/memory.ts'
import type { FuzzRequest } from '../../proof/fuzz/requests.ts'
import {
  countOperation,
  doubt,
  idsIn,
  newTally,
  note,
  type OperationCount,
} from '../../proof/fuzz/tally.ts'
import { askedWith } from '../../proof/fuzz/targets.ts'
import type { WireAnswer } from '../../proof/fuzz/wire.ts'
import { diceOf, idFor, idOf, type World } from '../../proof/fuzz/world.ts'
import { answer, REFUSAL, request, target } from './forged.ts'

const PAGE = { address: '/pay/x', target: target({ path: '/pay/{link}', generation: 'page' }) }

describe('an answer', () => {
  const cases: readonly (readonly [string, FuzzRequest, WireAnswer, RegExp | undefined])[] = [
    ['that fails', request(), answer(500, REFUSAL), /^status 500$/],
    ['that sheds', request(), answer(503, REFUSAL, { 'retry-after': '1' }), /^content type/],
    ['405 without Allow', request(), answer(405, REFUSAL), /^no Allow header$/],
    [
      '405 with Allow',
      request(),
      answer(405, REFUSAL, { 'content-type': 'application/json', allow: 'GET' }),
      undefined,
    ],
    ['of a page without a type', request(PAGE), answer(200, '<p>', {}), /^content type undefined$/],
    ['of a page', request(PAGE), answer(200, '<p>', { 'content-type': 'text/html' }), undefined],
    ['303 to nowhere', request(PAGE), answer(303, '', {}), /^no Location header$/],
    ['with a stack', request(), answer(400, '{"at":"at f (/x)"}'), /^it leaks internals$/],
    ['of the wrong generation', request(), answer(400, '{"errorId":1}'), /^not the error/],
  ]
  for (const [name, sent, came, expected] of cases) {
    it(`${name} is ${expected === undefined ? 'fine' : 'found'}`, () => {
      const fault = faultOf(sent, came)
      if (expected === undefined) assert.equal(fault, undefined)
      else assert.match(fault ?? '', expected)
    })
  }
})

describe('what is stored', () => {
  const link = { token: 'T', id: 'c0ffee00-0000-4000-8000-000000000000' }
  const at = (path: string): FuzzRequest => request({ target: target({ path }), link })
  const faults = (tally: ReturnType<typeof newTally>, stored: readonly string[]): string =>
    storedFaults(tally, new Set(['deposit/known']), new Map(stored.map((name) => [name, name])))
      .map(({ what }) => what)
      .join()

  it('and was never accepted is found', () => {
    assert.match(
      faults(newTally(), ['deposit/new']),
      /^deposit\/new is stored, but was answered with nothing/,
    )
    assert.equal(faults(newTally(), ['deposit/known']), '')
  })

  it('not, but was accepted, is found', () => {
    const tally = newTally()
    note(request(), answer(200, '{"depositId":"A","status":"ACCEPTED"}'), tally)
    assert.equal(faults(tally, []), 'deposit/a was accepted, but does not exist')
    assert.equal(faults(tally, ['deposit/a']), '')
  })

  it('of a customer, is found unless the form was answered with 303', () => {
    const tally = newTally()
    note(at('/pay/{link}'), answer(200, '<p>', { 'content-type': 'text/html' }), tally)
    assert.match(faults(tally, [`pageDeposit/${link.id}`]), /is stored, but was answered with/)
    note(at('/pay/{link}'), answer(303, '', { location: '/' }), tally)
    assert.equal(faults(tally, [`pageDeposit/${link.id}`]), '')
  })

  it('of a checkout, is found when there are more attempts than forms answered with 303', () => {
    const tally = newTally()
    for (const status of [303, 200, 303]) note(at('/checkout/{link}'), answer(status, ''), tally)
    const attempts = [1, 2, 3].map((one) => `attempt/${link.id}/${one}`)
    assert.equal(faults(tally, attempts.slice(0, 2)), '')
    assert.match(faults(tally, attempts), /^attempt\/c0ffee\S+\/3 is stored/)
  })

  it('of a checkout that had attempts before this run, continues the count', () => {
    const before = `attempt/${link.id}/1`
    const tally = newTally([before])
    assert.match(faults(tally, [before, `attempt/${link.id}/2`]), /\/2 is stored/)
    note(at('/checkout/{link}'), answer(303, ''), tally)
    assert.equal(faults(tally, [before, `attempt/${link.id}/2`]), '')
  })

  it('of a payment page, is known by the hash of its link, in both generations', () => {
    const accepted = acceptedIn(request(), answer(201, '{"redirectUrl":"http://x/pay/abc"}'))
    assert.deepEqual(accepted, [
      'page/ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    ])
    const tally = newTally()
    assert.match(faults(tally, [...accepted]), /^page\/\S+ is stored/)
    note(request(), answer(201, '{"redirectUrl":"http://x/pay/abc"}'), tally)
    assert.equal(faults(tally, [...accepted]), '')
    assert.match(faults(tally, []), /^page\/\S+ was accepted, but does not exist/)
  })

  it('is in doubt if there was no answer, but no more of it than was sent', () => {
    assert.deepEqual(idsIn(at('/pay/{link}')), [link.id])
    const tally = newTally()
    assert.match(faults(tally, ['statement/1']), /^statement\/1 is stored/)
    doubt(request({ target: target({ path: '/v2/statements' }) }), tally)
    const statements = ['statement/1', 'statement/2', 'statement/3', 'statement/4']
    assert.match(faults(tally, statements), /^statement\/4 is stored/)
  })
})

describe('a run', () => {
  const targets = [target(), target({ method: 'GET', path: '/' })]
  const count = (good: number, done: number): OperationCount => ({
    calls: good,
    good,
    done,
    statuses: new Map([[404, good]]),
  })
  const gaps = (requests: number, ...counts: readonly OperationCount[]): string =>
    coverageGaps(
      targets,
      new Map(counts.map((one, which) => [['POST /v2/deposits', 'GET /'][which] ?? '', one])),
      requests,
    ).join()

  it('of some length that left out a target is found', () => {
    assert.equal(gaps(1000, count(9, 9)), '')
    assert.equal(gaps(10_000, count(9, 9)), 'GET / was never called')
  })

  it('in which no good call of a target was done is found', () => {
    assert.equal(gaps(10_000, count(9, 9), count(9, 0)), '')
    assert.equal(gaps(20_000, count(9, 9), count(9, 0)), 'GET / never succeeded: 404 × 9')
  })

  it('counts a refusal in a good answer as not done', () => {
    const tally = newTally()
    for (const status of ['REJECTED', 'NOT_FOUND', 'ACCEPTED']) {
      countOperation(request(), answer(200, JSON.stringify({ status })), tally)
    }
    countOperation(request({ isMutated: true, arrives: false }), answer(200, '{}'), tally)
    const { calls, good, done } = tally.operations.get('POST /v2/deposits') ?? count(0, 0)
    assert.deepEqual([calls, good, done], [4, 3, 1])
  })

  it('changes settings as the merchant for that alone, also where a method makes it so', () => {
    const phone = target({ method: 'GET', path: '/sandbox/phones/{msisdn}' })
    assert.equal(askedWith(phone, 'GET').isControl, false)
    assert.equal(askedWith(phone, 'PUT').isControl, true)
    assert.equal(askedWith(target(), 'PUT').isControl, false)
  })

  it('repeats identifiers of earlier requests, and those of payments that are over', () => {
    const finished = { deposit: ['D'], payout: [], refund: [], remittance: [], splitPayment: [] }
    const world = { seed: 7, finished } as unknown as World
    const earlier = new Set(Array.from({ length: 1000 }, (_, number) => idOf(world, number)))
    const drawn = Array.from({ length: 1000 }, (_, more) =>
      idFor(world, 1000 + more, 0, diceOf(world, 1000 + more)),
    )
    assert.ok(drawn.filter((id) => earlier.has(id)).length > 30)
    assert.ok(drawn.includes('D'))
    assert.ok(new Set(drawn).size > 700)
  })
})

describe('memory', () => {
  /** Waves of garbage over a line. */
  const readings = (rise: number) =>
    Array.from({ length: 200 }, (_, at) => {
      const level = 150 + (60 * ((at * 7) % 13)) / 13 + (rise * at) / 200
      return { at: at / 200, live: 60, node: level, server: 90 }
    })

  it('that only fluctuates is flat', () => {
    const samples = samplesOf(readings(0))
    assert.equal(samples.length, 10)
    assert.ok(Math.abs(growthOf(samples, 'node')) < 5)
    assert.deepEqual(memoryFaults(samples, 1e6), [])
  })

  it('that rises slowly despite fluctuation is found', () => {
    const [fault] = memoryFaults(samplesOf(readings(2 * MEASURES.node.maxMb)), 1e6)
    assert.match(fault ?? '', /^memory of the node grew by 3\d MB, more than 30 MB$/)
  })

  it('that stays live is found sooner than resident memory', () => {
    const kept = readings(0).map((one) => ({ ...one, live: 60 + 20 * one.at }))
    assert.deepEqual(memoryFaults(samplesOf(kept), 1e6), [
      'live memory of the node grew by 11 MB, more than 10 MB',
    ])
  })

  it('of the first two fifths does not count', () => {
    const warming = readings(0).map((one) => (one.at < 0.4 ? { ...one, node: 10 } : one))
    assert.deepEqual(memoryFaults(samplesOf(warming), 1e6), [])
  })
})
