import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { SpanKind } from '@opentelemetry/api'
import { eventually } from '../../harness/service.ts'
import { startTraceReceiver } from '../../harness/trace-receiver.ts'
import { createExporting } from '../../src/node/traces/exporting.ts'
import { createSpans } from '../../src/node/traces/spans.ts'
import type { Log } from '../../src/usecases/context.ts'
import { freePorts } from '../support/ports.ts'

const receiver = await startTraceReceiver()
after(() => receiver.close())

/** Longer than a slow machine takes. */
const TIMEOUT_MS = 120_000

function exportTo(url: string, timeoutMs: number) {
  const counts = { sent: 0, lost: 0 }
  const warnings: object[] = []
  const ignore = (): void => {}
  const log: Log = {
    debug: ignore,
    info: ignore,
    warn: (facts) => void warnings.push(facts),
    error: ignore,
  }
  const settings = {
    url: `${url}/v1/traces`,
    headers: {},
    timeoutMs,
    sampling: { ratio: 1, followsSender: false },
    serviceName: 'test',
    attributes: {},
  }
  const exporting = createExporting(settings, log, (result, count) => {
    counts[result] += count
  })
  const spans = createSpans(settings, exporting)
  const end = (count: number): void => {
    for (let at = 0; at < count; at += 1) spans.first('one', SpanKind.INTERNAL)?.end()
  }
  return { counts, warnings, spans, end }
}

const ROOM = 4096
const BATCH = 512

it('what finds no room is lost and counted, and the rest arrives when the receiver is back', async () => {
  receiver.hang(true)
  const { counts, warnings, spans, end } = exportTo(receiver.url, TIMEOUT_MS)
  end(ROOM)
  assert.deepEqual(counts, { sent: 0, lost: 0 })
  end(3000)
  assert.deepEqual(counts, { sent: 0, lost: 3000 })
  assert.equal(warnings.length, 1, 'one line, and not one for each span')
  await eventually(() => assert.ok(receiver.requests.length > 0))
  receiver.hang(false)
  await eventually(() => assert.equal(counts.sent + counts.lost, ROOM + 3000))
  // The batch that was cut off may be lost.
  assert.ok(counts.sent >= ROOM - BATCH, `${counts.sent} sent`)
  assert.equal(receiver.spans.length, counts.sent)
  end(1)
  await spans.close()
  await eventually(() => assert.equal(counts.sent + counts.lost, ROOM + 3001))
})

it('closing does not wait for a receiver that is not there', async () => {
  const { counts, spans, end } = exportTo(`http://127.0.0.1:${await freePorts()}`, 1000)
  end(5)
  await spans.close()
  await eventually(() => assert.deepEqual(counts, { sent: 0, lost: 5 }))
})
