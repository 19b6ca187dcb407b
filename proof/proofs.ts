import type { Needs } from './support/tools.ts'

/** Every proof: what it shows, its options, and its sizes in a run of all proofs. */
export type Proof = {
  readonly name: string
  /** Below `dist`, or a script. */
  readonly program: string
  readonly shows: string
  readonly options: readonly (readonly [option: string, meaning: string])[]
  /** Arguments that come before those of the user. */
  readonly always?: readonly string[]
  /** Sizes of a run of all proofs. */
  readonly moderate: readonly string[]
  /** False if it uses no random numbers. */
  readonly hasSeed: boolean
  /** What the machine must have; a run of all proofs leaves it out otherwise. */
  readonly needs?: Needs
}

const SEED = [
  '--seed N',
  'repeats the same random choices, as far as processes allow (random)',
] as const

export const PROOFS: readonly Proof[] = [
  {
    name: 'crash',
    program: 'proof/crash/run.js',
    shows:
      'Nodes and PostgreSQL are killed under mixed load; nothing may be lost, doubled or unsent.',
    options: [
      ['--kills N', 'how often something is killed (100)'],
      ['--nodes N', 'nodes at work (3)'],
      SEED,
      ['--without-durability', 'commits are confirmed before they are on disk: must exit with 1'],
    ],
    moderate: ['--kills', '60'],
    hasSeed: true,
  },
  {
    name: 'operators',
    program: 'proof/operators/run.js',
    shows:
      'Nodes and operators are killed while operators misbehave; nothing may be paid twice or lost.',
    options: [['--kills N', 'how often a node or an operator is killed (100)'], SEED],
    moderate: ['--kills', '40'],
    hasSeed: true,
  },
  {
    name: 'operator-load',
    program: 'proof/operators/load.js',
    shows: 'A slow and faulty operator under load: no payment is stuck, and memory is bounded.',
    options: [
      ['--seconds N', 'how long (60)'],
      ['--rate N', 'deposits a second (50)'],
      ['--waiting N', 'prompts that wait at once (1000)'],
    ],
    moderate: ['--seconds', '20'],
    hasSeed: false,
  },
  {
    name: 'simulation',
    program: 'proof/simulation/main.js',
    shows:
      'Merchants, customers, faults and a clock that jumps, on two nodes; a judge checks it all.',
    options: [
      ['--hours H', 'hours that the test clock passes through (24)'],
      SEED,
      ['--evidence FILE', 'runs nothing: judges the evidence of an earlier run again'],
      ['--plant WHAT', 'falsifies the evidence before it is judged (list): must exit with 1'],
    ],
    moderate: ['--hours', '12'],
    hasSeed: true,
  },
  {
    name: 'cluster',
    program: 'proof/cluster/run.js',
    shows:
      'A node freezes past its lease; a primary dies or falls silent and its standby takes over.',
    options: [
      ['--rounds N', 'how often a primary dies, each time in a cluster of its own (4)'],
      SEED,
      ['--asynchronous', 'the standby is cut off before the primary dies: must exit with 1'],
      ['--from FOLDER', 'instead: nodes of the version in FOLDER are replaced by this one'],
    ],
    moderate: ['--rounds', '2'],
    hasSeed: true,
  },
  {
    name: 'patroni',
    program: 'proof/patroni/run.js',
    shows:
      'Leaders under Patroni are killed, frozen and cut off; nothing is lost, and payments go on.',
    options: [
      ['--faults N', 'how many (8: each once)'],
      ['--only WORDS', 'only the faults whose names contain these words'],
      ['--within N', 'seconds within which every node accepts payments again (60)'],
      SEED,
      ['--asynchronous', 'commits do not wait for a standby: must exit with 1'],
      ['--etcd3', 'Patroni uses the API of etcd 3, which is not safe before Patroni 3.1'],
    ],
    moderate: ['--faults', '4'],
    hasSeed: true,
    needs: {
      programs: ['patroni', 'etcd', 'haproxy', 'postgres', 'ip', 'unshare', 'nsenter', 'setpriv'],
      root: true,
    },
  },
  {
    name: 'restore',
    program: 'proof/restore/run.js',
    shows:
      'A backup by pgBackRest is restored to a moment in the middle of load, and work goes on.',
    options: [
      ['--seconds N', 'of load before the moment, and after it (10)'],
      SEED,
      ['--earlier', 'restores to three seconds before the moment: must exit with 1'],
    ],
    moderate: [],
    hasSeed: true,
    needs: { programs: ['pgbackrest', 'postgres', 'setpriv'], root: false },
  },
  {
    name: 'fuzz',
    program: 'proof/fuzz/run.js',
    shows: 'Hostile requests to every address; each answer and every table is checked.',
    options: [
      ['--requests N', 'how many (100000)'],
      SEED,
      ['--only N', 'sends nothing: prints request N of the seed for curl'],
    ],
    moderate: ['--requests', '50000'],
    hasSeed: true,
  },
  {
    name: 'memory',
    program: 'proof/fuzz/run.js',
    shows: 'The same requests for longer; the memory of node and server must stay flat.',
    options: [['--requests N', 'how many; fewer than 200000 are too few to judge (200000)'], SEED],
    always: ['--memory'],
    moderate: ['--requests', '200000'],
    hasSeed: true,
  },
  {
    name: 'hostile',
    program: 'proof/hostile/hostile-run.js',
    shows:
      'Slow, idle and flooding clients; the response times of another merchant stay in bounds.',
    options: [
      ['--quick', 'shorter, for a first look'],
      ['--only WORDS', 'only the attacks whose names contain these words; | divides alternatives'],
    ],
    moderate: ['--quick'],
    hasSeed: false,
  },
  {
    name: 'dashboard',
    program: 'proof/dashboard/run.js',
    shows: 'Lists, search and Home of a merchant with a million payments are quick.',
    options: [
      ['--payments N', 'how many the merchant has (1000000)'],
      ['--rounds N', 'how often each page is asked for (20)'],
    ],
    moderate: ['--payments', '200000'],
    hasSeed: false,
  },
  {
    name: 'slow',
    program: '../scripts/proof-by-tests.mjs',
    shows:
      'Tests that are too long for npm test, and whether the judges of proofs find what they must.',
    options: [],
    always: ['slow'],
    moderate: [],
    hasSeed: false,
  },
  {
    name: 'signatures',
    program: '../scripts/proof-by-tests.mjs',
    shows: 'Signed requests with small changes: every one is refused, and none breaks the service.',
    options: [SEED],
    always: ['signatures'],
    moderate: [],
    hasSeed: true,
  },
  {
    name: 'pages',
    program: '../scripts/proof-by-tests.mjs',
    shows:
      'Every page in each language, size and theme, with axe, and every journey of a customer.',
    options: [],
    always: ['pages'],
    moderate: [],
    hasSeed: false,
  },
  {
    name: 'examples',
    program: '../scripts/proof-by-tests.mjs',
    shows: 'The examples in every language whose runtime is here, and the collection for Postman.',
    options: [],
    always: ['examples'],
    moderate: [],
    hasSeed: false,
  },
  {
    name: 'package',
    program: '../scripts/prove-package.mjs',
    shows:
      'A fresh clone is packed and installed in an empty folder: npx, the test kit, its runners.',
    options: [],
    moderate: [],
    hasSeed: false,
  },
  {
    name: 'paint',
    program: '../scripts/paint.mjs',
    shows: 'How soon a customer sees a page on a slow phone and a slow network.',
    options: [['SCREEN …', 'only the screens whose names begin so']],
    moderate: [],
    hasSeed: false,
  },
  {
    name: 'deploy',
    program: 'proof/deploy/run.js',
    shows:
      'Rules, boards, manifests, unit and workflows pass the tools that this machine has for them.',
    options: [
      ['--image NAME', 'also runs this image, with a read-only root and no capabilities'],
      ['--engine WORDS', 'with what (docker, else podman)'],
      ['--run-options=WORDS', 'more options of its command create'],
    ],
    moderate: [],
    hasSeed: false,
  },
]

export function neededBy(name: string): Needs {
  return PROOFS.find((one) => one.name === name)?.needs ?? { programs: [], root: false }
}

/** What `--help` prints about one proof. */
export function helpOf(name: string): string {
  const proof = PROOFS.find((one) => one.name === name)
  if (proof === undefined) throw new Error(`there is no proof "${name}"`)
  const lines = proof.options.map(([option, meaning]) => `  ${option.padEnd(22)} ${meaning}`)
  return [`npm run proof -- ${name} [options]`, '', proof.shows, '', ...lines].join('\n')
}
