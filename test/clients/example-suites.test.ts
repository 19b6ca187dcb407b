import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { sandboxCache } from '../../harness/data-folder.ts'
import { itInProofs } from '../../harness/scale.ts'
import { blocks, read } from '../docs/documents.ts'
import { runProgram, runScript } from '../support/run-script.ts'

/** The suites of `examples/testing`; Vitest and Jest are run by the proof of the package. */
const XDG_CACHE_HOME = await sandboxCache()

describe('test suites of integrators', { timeout: 540_000, concurrency: 1 }, () => {
  it('the ten lines of README run as they are, and pay', async () => {
    const [lines = ''] = blocks(read('README.md'), 'js')
    assert.match(lines, /malipo\/testing/)
    assert.equal(lines.trim().split('\n').length, 10)
    const { code, stdout, stderr } = await runScript(lines, { XDG_CACHE_HOME })
    assert.equal(code, 0, stderr)
    assert.match(stdout, /You approved the payment of ZMW 15[\s\S]*status: 'COMPLETED'/)
  })

  itInProofs('that of node:test passes', async () => {
    const args = ['--test', 'examples/testing/node/']
    const { code, stdout, stderr } = await runProgram(process.execPath, args, { XDG_CACHE_HOME })
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^# pass 4$/m)
  })

  const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0
  const skip = hasPytest ? false : 'there is no pytest here'
  itInProofs('that of pytest passes', { skip }, async () => {
    const args = ['-B', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/testing/pytest']
    const MALIPO_COMMAND = `"${process.execPath}" bin/malipo.mjs`
    const settings = { XDG_CACHE_HOME, MALIPO_COMMAND }
    const { code, stdout, stderr } = await runProgram('python3', args, settings)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /^3 passed/m)
  })
})
