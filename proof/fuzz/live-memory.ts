import { renameSync, writeFileSync } from 'node:fs'

/**
 * Loaded into the node of a run: on a signal it collects all garbage and writes down what is left,
 * which cannot be measured from outside.
 */
const file = process.env.LIVE_MEMORY_FILE
const collect = globalThis.gc
if (file === undefined || collect === undefined) {
  throw new Error('Needs LIVE_MEMORY_FILE, and --expose-gc.')
}

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  // Whole or not at all: it is read by another process.
  writeFileSync(`${file}.new`, JSON.stringify({ live: heapUsed + external, resident: rss }))
  renameSync(`${file}.new`, file)
})
