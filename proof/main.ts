/** npm run proof: one proof or several, one after the other, and a table at the end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { helpOf, PROOFS, type Proof } from './proofs.ts'
import { duration, say, table } from './support/report.ts'
import { whyNot } from './support/tools.ts'

const HELP = `npm run proof [-- name … [options]]

Shows what needs luck, minutes or a quiet machine. Without names all proofs run in moderate sizes,
one after the other. Options other than --seed go to a proof that is named alone. The exit code is
0 when everything held, 1 when something did not, 2 when the command was not understood or the
machine lacks what a proof that was named needs.
`

type Outcome = {
  readonly name: string
  readonly seed: string
  readonly ms: number
  readonly checked: string
  readonly result: string
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
const DIST = new URL('../', import.meta.url)
const { proofs, seed, options } = readCommand(process.argv.slice(2))
const isAlone = proofs.length === 1
const outcomes: Outcome[] = []
for (const proof of proofs) {
  const own = isAlone ? options : proof.moderate
  outcomes.push(await run(proof, seed, own))
}
say(`\n${closingTable(outcomes)}`)
process.exit(outcomes.every(({ result }) => result === 'holds') ? 0 : 1)

function readCommand(words: readonly string[]) {
  const named = words.findIndex((word) => word.startsWith('-'))
  const names = named < 0 ? words : words.slice(0, named)
  const [first = '', ...others] = names
  const isPaint = first === 'paint'
  const rest = [...(isPaint ? others : []), ...(named < 0 ? [] : words.slice(named))]
  if (rest.includes('--help')) {
    const wanted = names.length === 0 ? PROOFS.map(({ name }) => name) : names
    say(
      [...(names.length === 0 ? [HELP] : []), wanted.map(known).map(helpFor).join('\n\n')].join(
        '\n',
      ),
    )
    process.exit(0)
  }
  const chosen = isPaint ? ['paint'] : names
  const found = chosen.length === 0 ? PROOFS.filter(canRun) : chosen.map(known)
  const at = rest.indexOf('--seed')
  const given = at < 0 ? undefined : rest[at + 1]
  if (at >= 0 && !/^\d{1,10}$/.test(given ?? '')) refuse('--seed takes a whole number.')
  const left = at < 0 ? rest : rest.toSpliced(at, 2)
  if (found.length > 1 && left.length > 0) {
    refuse(
      `${left[0]} is an option of one proof: name that one alone, as in "npm run proof -- crash".`,
    )
  }
  return { proofs: found, seed: given, options: left }
}

function known(name: string): Proof {
  const found = PROOFS.find((one) => one.name === name)
  if (found !== undefined) return found
  return refuse(
    `There is no proof "${name}". There are: ${PROOFS.map((one) => one.name).join(', ')}.`,
  )
}

/** In a run of all proofs, one that this machine cannot run is left out. */
function canRun({ name, needs }: Proof): boolean {
  const reason = needs === undefined ? '' : whyNot(needs)
  if (reason !== '') say(`Left out: ${name}, because ${reason}.`)
  return reason === ''
}

function helpFor({ name }: Proof): string {
  return helpOf(name)
}

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n\n${HELP}`)
  process.exit(2)
}

async function run(
  proof: Proof,
  given: string | undefined,
  own: readonly string[],
): Promise<Outcome> {
  const { name } = proof
  const drawn = given ?? String(Math.floor(Math.random() * 2 ** 31))
  const args = [...(proof.always ?? []), ...own, ...(proof.hasSeed ? ['--seed', drawn] : [])]
  say(
    `\n── ${name}: npm run proof -- ${[name, ...args.slice(proof.always?.length ?? 0)].join(' ')}`,
  )
  const startedAt = performance.now()
  const child = spawn(process.execPath, [fileURLToPath(new URL(proof.program, DIST)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const report = listenTo(child)
  const end = (): void => {
    child.once('exit', () => process.exit(1))
    child.kill('SIGTERM')
  }
  for (const signal of SIGNALS) process.once(signal, end)
  const [code] = await once(child, 'exit')
  for (const signal of SIGNALS) process.off(signal, end)
  // Measurements that miss their bar say so in their table.
  const isMissed = report.output.includes('(missed)')
  if (code === 2) process.exit(2)
  return {
    name,
    seed: proof.hasSeed ? drawn : '–',
    ms: performance.now() - startedAt,
    checked: report.checked,
    result: code === 0 && !isMissed ? 'holds' : `FAILED${code === 0 ? '' : ` (code ${code})`}`,
  }
}

/** A proof reports in a message what it checked; its output goes on to the terminal. */
function listenTo(child: ChildProcess) {
  const report = { checked: '–', output: '' }
  child.on('message', (message: { readonly checked?: string }) => {
    if (message.checked !== undefined) report.checked = message.checked
  })
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    report.output = (report.output + text).slice(-20_000)
    process.stdout.write(text)
  })
  return report
}

function closingTable(all: readonly Outcome[]): string {
  return table(
    ['Proof', 'Seed', 'Time', 'Checked', 'Result'],
    all.map(({ name, seed, ms, checked, result }) => [name, seed, duration(ms), checked, result]),
  )
}
