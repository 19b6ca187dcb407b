import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { type Receiver, startReceiver } from '../../harness/receiver.ts'
import { recipient, remittanceBody } from '../../harness/remittances.ts'
import { eventually, payer, type Service, startService } from '../../harness/service.ts'
import type { Rule } from '../../src/providers/stand-in/faults.ts'
import type { StandInOperator } from '../../src/providers/stand-in/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { acceptDifference } from '../../src/store/operators/balances.ts'
import { callbackUrlOf } from '../../src/usecases/operators/open-account.ts'
import { assertRecorded } from './recorded-run.ts'

/** A connector with its stand-in, and what the rows below have to know of it. */
export type Subject = {
  readonly standIn: StandInOperator
  /** The file of the account at this address. */
  account(baseUrl: string): { readonly name: string } & Record<string, unknown>
  /** Where the address for callbacks is entered in a portal that belongs to the wire. */
  enterCallbackUrl?(baseUrl: string, callbackUrl: string): Promise<void>
  readonly provider: string
  readonly currency: string
  readonly amount: string
  /** The beginning of numbers of that provider; five digits follow. */
  readonly numbers: string
  readonly kinds: readonly Kind[]
  /** Members that a deposit needs besides, such as a one-time code or addresses to return to. */
  readonly depositMembers?: Members | ((phoneNumber: string) => Members)
  /** In seconds: when the first look-up is due, and when doubt is reported. */
  readonly firstLookUp: number
  readonly reconciliation: number
  /** A reason of the operator for a customer who declines. */
  readonly declined: string
  /** Reasons of the operator for the run that the documents show; without them there is none. */
  readonly failures?: readonly Failure[]
  /** Secrets of the account, which nothing may show. */
  readonly secrets: readonly string[]
  /** What the operator does, where it is not what most do. */
  readonly traits: Traits
}

type Members = Readonly<Record<string, unknown>>

type Failure = {
  readonly kind: 'deposit' | 'payout'
  readonly reason: string
  readonly means: string
}

type Traits = {
  /** It refuses a reference that it knows, so that an order that never arrived is sent again. */
  readonly refusesKnownReferences: boolean
  /** It can be asked about an order whose answer was lost. */
  readonly isFoundByOurReference: boolean
  /** Its answer to a new deposit is its last word: no look-up and no callback follows. */
  readonly isFinalAtOnce?: true
  /** So is its answer to a refund. */
  readonly isRefundFinalAtOnce?: true
  /** Its look-up names the transaction, and the amount. */
  readonly namesTransaction: boolean
  readonly namesAmount: boolean
  readonly hasTokens: boolean
  readonly hasCallbacks: boolean
  /** Of these, only a callback says how they ended. */
  readonly endedByCallback?: readonly Kind[]
}

export type Kind = 'deposit' | 'payout' | 'refund' | 'remittance'

type World = {
  readonly service: Service
  readonly operator: RunningStandIn
  readonly receiver: Receiver
}

/** What every connector has to show, each row over the public API with real HTTP on both sides. */
export function contractOf(subject: Subject): void {
  const { name: account } = subject.account('')
  const ACCEPTED = { account, by: 'the contract', note: 'payments that are in doubt' }
  describe(`the contract of ${subject.standIn.name}`, { timeout: 540_000 }, () => {
    let world: World
    let count = 0

    before(async () => {
      const [service, receiver] = await Promise.all([startService(), startReceiver()])
      const operator = await startStandIn(subject.standIn)
      world = { service, receiver, operator }
      const { url } = receiver
      const urls = { deposit: url, payout: url, refund: url, remittance: url }
      await service.put('/sandbox/callbacks', urls)
      const file = subject.account(operator.url)
      await addOperatorAccount(service, file)
      const opened = service.node.ctx.operators.named(file.name)
      assert.ok(opened !== undefined)
      const callbackUrl = callbackUrlOf(opened.account, service.url)
      if (subject.enterCallbackUrl === undefined) operator.setCallbackUrl(callbackUrl)
      else await subject.enterCallbackUrl(operator.url, callbackUrl)
    })
    after(async () => {
      // What listens goes first: a book that does not add up must not keep the process from ending.
      await world.operator.close()
      await world.receiver.close()
      // Rows above leave payments that the operator made and nobody may book.
      await acceptDifference(world.service.database, ACCEPTED, Date.now())
      await world.service.stop()
    })

    /** A number that no other row uses. */
    const number = (): string => {
      count += 1
      return subject.numbers + padded(count)
    }
    const faults = (...rules: readonly Rule[]): void => world.operator.faults.set(rules)
    const entriesOf = (party: string) =>
      world.operator.book.all().filter((one) => party.endsWith(one.party.replace(/^\+/, '')))

    const bodyOf = (kind: Kind, id: string, phoneNumber: string): object => {
      const account = payer(phoneNumber, subject.provider)
      const money = { amount: subject.amount, currency: subject.currency }
      if (kind === 'deposit') {
        const { depositMembers } = subject
        const members =
          typeof depositMembers === 'function' ? depositMembers(phoneNumber) : depositMembers
        return { depositId: id, ...money, payer: account, ...members }
      }
      if (kind === 'payout') return { payoutId: id, ...money, recipient: account }
      const to = recipient(phoneNumber, subject.provider)
      return remittanceBody({ remittanceId: id, ...money, recipient: to })
    }
    const requestsFor = (target: string): number =>
      world.operator.requests.filter((one) => subject.standIn.targetOf(one) === target).length
    /** Accepted, and on its way: a clock that is moved before would give up what has not left. */
    const start = async (kind: Kind, phoneNumber: string): Promise<string> => {
      const before = requestsFor('create')
      const id = randomUUID()
      const { body } = await world.service.post(`/v2/${kind}s`, bodyOf(kind, id, phoneNumber))
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      await eventually(() => assert.ok(requestsFor('create') > before, 'no order has arrived'))
      return id
    }
    const recordOf = async (kind: Kind, id: string) =>
      (await world.service.get(`/v2/${kind}s/${id}`)).body.data
    const reaches = (kind: Kind, id: string, status: string) =>
      eventually(async () => {
        const record = await recordOf(kind, id)
        assert.equal(record?.status, status, JSON.stringify(record))
        return record
      })
    /** Open doubt takes many look-ups; a step for each of them would take most of the time here. */
    const stepTo = (status: string): number =>
      status === 'IN_RECONCILIATION' ? subject.reconciliation / 4 : subject.firstLookUp
    /** Moves the test clock in steps, as long as it is not there. */
    const reachesInTime = (kind: Kind, id: string, status: string, step = stepTo(status)) =>
      eventually(async () => {
        await world.service.advance(step)
        const record = await recordOf(kind, id)
        assert.equal(record?.status, status, JSON.stringify(record))
        return record
      })
    const statusCalls = (): number => requestsFor('status')
    const callbacksOf = (id: string) =>
      world.receiver.received
        .map(({ body }) => JSON.parse(body))
        .filter((one) => JSON.stringify(one).includes(id))
    const isSent = (party: string) => eventually(() => assert.equal(entriesOf(party).length, 1))
    const logged = (words: string): boolean =>
      world.service.logLines.some((line) => line.includes(words))

    const { traits } = subject
    const byLookUp = (kind: Kind): boolean =>
      kind !== 'refund' && traits.endedByCallback?.includes(kind) !== true
    /** A refund is a payout where there is nothing better. */
    const endsByCallback = (kind: Kind): boolean => byCallback(kind === 'refund' ? 'payout' : kind)
    const byCallback = (kind: Kind): boolean => traits.endedByCallback?.includes(kind) === true
    /** A row that makes no sense with this operator is not there, instead of passing. */
    const row = (isThere: boolean, name: string, work: () => Promise<void>): void => {
      if (isThere) it(name, work)
    }
    const isSlow = traits.isFinalAtOnce !== true

    for (const kind of subject.kinds.filter(byLookUp)) {
      it(`1 ${kind}: accepted, then success by look-up`, async () => {
        faults(NO_CALLBACK)
        const party = number()
        const id = await start(kind, party)
        await isSent(party)
        const isOver = kind === 'deposit' && !isSlow
        if (!isOver) assert.equal((await recordOf(kind, id)).status, 'PROCESSING')
        const record = await reachesInTime(kind, id, 'COMPLETED')
        const [entry, ...others] = entriesOf(party)
        if (traits.namesTransaction)
          assert.equal(record.providerTransactionId, entry?.transactionId)
        assert.deepEqual(others, [])
      })
    }

    for (const kind of subject.kinds.filter(byCallback)) {
      it(`1 ${kind}: accepted, then success by the callback that decides`, async () => {
        faults()
        const party = number()
        const id = await start(kind, party)
        await reaches(kind, id, 'COMPLETED')
        assert.equal(entriesOf(party).length, 1)
      })
    }

    row(
      traits.hasCallbacks && isSlow,
      '2 success by callback: the operator is asked first',
      async () => {
        faults()
        const before = statusCalls()
        const id = await start('deposit', number())
        await reaches('deposit', id, 'COMPLETED')
        assert.ok(statusCalls() > before)
      },
    )

    row(
      traits.hasCallbacks && isSlow,
      '3 a forged callback changes nothing; the operator is asked',
      async () => {
        faults({ on: 'callback', fault: 'callback-forged' })
        const party = number()
        world.operator.setEnding(party, { says: 'pending' })
        const before = statusCalls()
        const id = await start('deposit', party)
        // It may come before the operator can be asked: then it is asked when it is time.
        await eventually(async () => {
          await world.service.advance(1)
          assert.ok(statusCalls() > before)
        })
        assert.equal((await recordOf('deposit', id)).status, 'PROCESSING')
      },
    )

    row(
      traits.hasCallbacks,
      '4 the same callback three times: one end, one callback to the merchant',
      async () => {
        faults({ on: 'callback', fault: 'callback-thrice' })
        const id = await start('deposit', number())
        await reaches('deposit', id, 'COMPLETED')
        await eventually(() => {
          const ends = callbacksOf(id).filter(({ status }) => status === 'COMPLETED')
          assert.equal(ends.length, 1)
        })
      },
    )

    row(traits.hasCallbacks && isSlow, '5 a callback before the answer is matched', async () => {
      faults({ on: 'callback', fault: 'callback-early' }, { on: 'create', fault: 'delay', ms: 300 })
      const party = number()
      const id = await start('deposit', party)
      await reachesInTime('deposit', id, 'COMPLETED')
      assert.equal(entriesOf(party).length, 1)
      assert.ok(!logged('called back about an unknown payment'))
    })

    it('6 a connection that breaks after the order: looked up, one order', async () => {
      faults({ on: 'create', fault: 'drop-after', times: 1 }, NO_CALLBACK)
      const party = number()
      const id = await start('deposit', party)
      const end = traits.isFoundByOurReference ? 'COMPLETED' : 'IN_RECONCILIATION'
      await reachesInTime('deposit', id, end)
      assert.equal(entriesOf(party).length, 1)
    })

    it('6 a connection that breaks before the order: one order in the end, or open doubt', async () => {
      faults({ on: 'create', fault: 'drop-before', times: 1 }, NO_CALLBACK)
      const party = number()
      const id = await start('deposit', party)
      const { refusesKnownReferences } = traits
      await reachesInTime('deposit', id, refusesKnownReferences ? 'COMPLETED' : 'IN_RECONCILIATION')
      assert.equal(entriesOf(party).length, refusesKnownReferences ? 1 : 0)
    })

    row(
      traits.refusesKnownReferences,
      '8 a duplicate answer to our reference: looked up, not failed',
      async () => {
        faults(
          { on: 'create', fault: 'drop-after', times: 1 },
          { on: 'status', fault: 'not-found', times: 2 },
          NO_CALLBACK,
        )
        const party = number()
        const id = await start('deposit', party)
        await reachesInTime('deposit', id, 'COMPLETED')
        assert.equal(entriesOf(party).length, 1)
      },
    )

    row(
      isSlow,
      '9 not found: nothing inside the time for it, then open doubt, and never failed',
      async () => {
        faults({ on: 'status', fault: 'not-found' }, NO_CALLBACK)
        const party = number()
        const id = await start('deposit', party)
        await isSent(party)
        await world.service.advance(subject.reconciliation / 4)
        assert.equal((await recordOf('deposit', id)).status, 'PROCESSING')
        await reachesInTime('deposit', id, 'IN_RECONCILIATION')
        faults(NO_CALLBACK)
        await reachesInTime('deposit', id, 'COMPLETED', 600)
      },
    )

    row(isSlow, '10 pending for ever: open doubt at the deadline, never failed', async () => {
      faults()
      const party = number()
      world.operator.setEnding(party, { says: 'pending' })
      const id = await start('deposit', party)
      await isSent(party)
      await world.service.advance(subject.reconciliation / 2)
      assert.equal((await recordOf('deposit', id)).status, 'PROCESSING')
      await reachesInTime('deposit', id, 'IN_RECONCILIATION')
      await world.service.advance(86_400)
      assert.equal((await recordOf('deposit', id)).status, 'IN_RECONCILIATION')
      world.operator.end(entriesOf(party)[0]?.reference ?? '', { says: 'success' })
      await reachesInTime('deposit', id, 'COMPLETED', 600)
    })

    row(traits.hasCallbacks, '11 failed, then success after all: a case for a person', async () => {
      faults()
      const party = number()
      world.operator.setEnding(party, { says: 'failure', reason: subject.declined })
      const id = await start('deposit', party)
      const { failureReason } = await reaches('deposit', id, 'FAILED')
      assert.equal(failureReason.failureCode, 'PAYMENT_NOT_APPROVED')
      await eventually(async () => {
        world.operator.end(entriesOf(party)[0]?.reference ?? '', { says: 'success' })
        const cases = await world.service.database.query(
          `select reported from cases where payment_id = $1 and cause = 'CONTRADICTION'`,
          [id],
        )
        assert.deepEqual(cases, [{ reported: 'COMPLETED' }])
      })
      assert.equal((await recordOf('deposit', id)).status, 'FAILED')
    })

    row(
      traits.hasTokens,
      '12 a token that expires on the way: renewed once, the same order again',
      async () => {
        faults({ on: 'create', fault: 'token-expired', times: 1 })
        const party = number()
        const id = await start('deposit', party)
        await isSent(party)
        await reachesInTime('deposit', id, 'COMPLETED')
        assert.equal(entriesOf(party).length, 1)
      },
    )

    for (const fault of ['html', 'huge', 'redirect', 'truncated'] as const) {
      it(`13 an answer that cannot be read (${fault}): looked up, one order`, async () => {
        faults({ on: 'create', fault, times: 1 }, NO_CALLBACK)
        const party = number()
        const id = await start('deposit', party)
        const end = traits.isFoundByOurReference ? 'COMPLETED' : 'IN_RECONCILIATION'
        await reachesInTime('deposit', id, end)
        assert.equal(entriesOf(party).length, 1)
      })
    }

    row(
      traits.namesAmount && isSlow,
      '15 another amount than was asked for: open doubt and an alert',
      async () => {
        faults({ on: 'status', fault: 'other-amount' })
        const id = await start('deposit', number())
        await reachesInTime('deposit', id, 'IN_RECONCILIATION')
        assert.ok(logged('the operator says it moved 1'))
      },
    )

    row(isSlow, '16 a word that no table knows: still processing, and an alert', async () => {
      faults({ on: 'status', fault: 'unknown-word' }, NO_CALLBACK)
      const party = number()
      const id = await start('deposit', party)
      await isSent(party)
      await eventually(async () => {
        await world.service.advance(subject.firstLookUp)
        assert.ok(logged('which is not a known status'))
      })
      assert.notEqual((await recordOf('deposit', id)).status, 'FAILED')
    })

    row(subject.failures !== undefined, 'the run that the documents show', async () => {
      await assertRecorded({
        ...{ subject, service: world.service, operator: world.operator, number, start },
        reaches: (kind, id, status) =>
          endsByCallback(kind) ? reaches(kind, id, status) : reachesInTime(kind, id, status),
        quiet: (kind) => (endsByCallback(kind) ? faults() : faults(NO_CALLBACK)),
        loseAnswer: () => faults({ on: 'create', fault: 'drop-after', times: 1 }, NO_CALLBACK),
      })
    })

    it('17 secrets and whole numbers are in no log line and in no stored exchange', async () => {
      const exchanges = await world.service.database.query<{ text: string }>(
        `select concat_ws(' ', request, answer, reason) as text from operator_exchanges`,
      )
      assert.ok(exchanges.length > 10)
      const kept = exchanges.map(({ text }) => text).join('\n')
      for (const secret of subject.secrets) {
        assert.ok(!kept.includes(secret), `an exchange shows ${secret}`)
        assert.ok(!logged(secret), `a log line shows ${secret}`)
      }
      const used = Array.from({ length: count }, (_, at) => subject.numbers + padded(at + 1))
      for (const one of used) assert.ok(!kept.includes(one.slice(-8)), `an exchange shows ${one}`)
      assert.doesNotMatch(kept, /bearer /i)
    })

    row(
      subject.kinds.includes('refund'),
      '18 one refund asked for twice: one order of it',
      async () => {
        faults()
        const depositId = await start('deposit', number())
        await reachesInTime('deposit', depositId, 'COMPLETED')
        const before = movesIn(world.operator)
        const refundId = randomUUID()
        const money = { amount: subject.amount, currency: subject.currency }
        const body = { refundId, depositId, ...money }
        const answers = await Promise.all([
          world.service.post('/v2/refunds', body),
          world.service.post('/v2/refunds', body),
        ])
        assert.deepEqual(answers.map((one) => one.body.status).toSorted(), [
          'ACCEPTED',
          'DUPLICATE_IGNORED',
        ])
        await eventually(() => assert.equal(movesIn(world.operator), before + 1))
        await reachesInTime('refund', refundId, 'COMPLETED')
        assert.equal(movesIn(world.operator), before + 1)
      },
    )
  })
}

const NO_CALLBACK: Rule = { on: 'callback', fault: 'no-callback' }

const padded = (count: number): string => String(count).padStart(5, '0')

/** Orders, and refunds that are written beside the order that they give back. */
const movesIn = ({ book }: RunningStandIn): number => book.all().length
