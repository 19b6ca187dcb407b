/** The process of the sandbox: its start, its end, and what it wrote. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { clearTimeout as cancel, setTimeout as later } from 'node:timers'
import { fileURLToPath } from 'node:url'
import type { Place } from './http.ts'

const PROGRAM = fileURLToPath(new URL('../../../../bin/malipo.mjs', import.meta.url))
/** Test runners have limits of their own; this is for machines that are very busy. */
const READY_WITHIN_MS = 600_000
const STOP_WITHIN_MS = 5000
const OUTPUT_MAX = 20_000

/**
 * Settings and options that the test suite has for itself, or for the service that its program
 * calls elsewhere.
 */
const NOT_PASSED_ON = /^(?:MALIPO_.*|PORT|DATABASE_URL|NODE_OPTIONS|NODE_TEST_CONTEXT)$/i

/** What it prints when it is ready. */
type Ready = Place & { readonly pid: number }

type Child = Ready & {
  /** Resolves with the reason when the process ends without having been asked to. */
  readonly lost: Promise<Error>
  stop(): Promise<void>
}

type Launch = {
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

export async function startChild({ port, settings }: Launch): Promise<Child> {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name))
  const child = spawn(
    process.execPath,
    // Every variable of ours comes from the settings, so one that is none is a typing error.
    [PROGRAM, 'sandbox', '--ephemeral', '--strict', '--json', '--port', String(port)],
    {
      env: { ...Object.fromEntries(inherited), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    },
  )
  const output = collect(child)
  endWithThisProcess(child)
  try {
    const place = await ready(child, output)
    release(child)
    return { ...place, lost: lossOf(child, output), stop: () => stop(child) }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** The end of what it wrote to standard error. */
function collect(child: ChildProcess): () => string {
  let output = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_MAX)
  })
  return () => output.trim()
}

function ready(child: ChildProcess, output: () => string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      cancel(timer)
      reject(new Error(`The sandbox did not start: ${why}`))
    }
    const timer = later(() => fail(`it was not ready in time. ${output()}`), READY_WITHIN_MS)
    let line = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      line += text
      if (!line.endsWith('\n')) return
      cancel(timer)
      resolve(JSON.parse(line) as Ready)
    })
    child.once('error', ({ message }) => fail(message))
    child.once('close', () => fail(reasonIn(output())))
  })
}

/** An error of a command with --json is a line of JSON; before it there may be lines of the log. */
function reasonIn(output: string): string {
  try {
    const { error } = JSON.parse(output.split('\n').at(-1) ?? '') as { readonly error?: unknown }
    return typeof error === 'string' ? error : output
  } catch {
    return output || 'it ended without a word.'
  }
}

/** A test suite that is done must not wait for it. */
function release(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
}

const running = new Set<ChildProcess>()

/** It would notice by itself, a little later. */
function endWithThisProcess(child: ChildProcess): void {
  if (!isWatching) process.once('exit', endAll)
  isWatching = true
  running.add(child)
  child.once('exit', () => running.delete(child))
}

let isWatching = false

function endAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

async function lossOf(child: ChildProcess, output: () => string): Promise<Error> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  const how = child.signalCode ?? `code ${child.exitCode}`
  return new Error(`The sandbox has ended (${how}). ${output()}`.trim())
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = later(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  await ended
  cancel(timer)
}
