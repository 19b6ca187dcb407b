import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { PROOFS } from '../../proof/proofs.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { VARIABLES } from '../../src/node/config.ts'
import { SETTINGS } from '../../src/store/embedded/process.ts'
import { blocks, chapter, read } from '../docs/documents.ts'
import { ROOT } from '../node/program.ts'

const { version } = JSON.parse(read('package.json')) as { readonly version: string }
const rules = read('deploy/prometheus/alerts.yaml')
const ALERTS = [...rules.matchAll(/^ {6}- alert: (\w+)$/gm)].map(([, name = '']) => name)
const found = (text: string, form: RegExp): string[] =>
  [...text.matchAll(form)].map(([, first = '']) => first)

/** Settings with a password, a key or a token in them. */
const SECRET = [
  'DATABASE_URL',
  'MALIPO_SECRET_KEY',
  'MALIPO_METRICS_TOKEN',
  'MALIPO_SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

it('each alert names a runbook of its own, and has a test', () => {
  assert.ok(ALERTS.length >= 20)
  const runbooks = found(rules, /^ {10}runbook: docs\/runbooks\/(\w+)\.md$/gm)
  assert.deepEqual(runbooks, ALERTS)
  assert.deepEqual(
    readdirSync(join(ROOT, 'docs/runbooks')).toSorted(),
    ['README.md', ...ALERTS.map((name) => `${name}.md`)].toSorted(),
  )
  const tested = found(read('deploy/prometheus/alerts.test.yaml'), /^ {2}- name: (\w+)$/gm)
  assert.deepEqual(tested, ALERTS)
  const severities = [...rules.matchAll(/- alert: (\w+)\n.*?severity: (\w+)/gs)]
  const listed = read('docs/runbooks/README.md').matchAll(
    /^\| \[(\w+)\]\(\1\.md\) +\| `(\w+)` +\|$/gm,
  )
  assert.deepEqual(
    [...listed].map(([, name, severity]) => [name, severity]),
    severities.map(([, name, severity]) => [name, severity]),
  )
})

it('each runbook says what it means, where to look, what helps and whom to wake', () => {
  for (const name of ALERTS) {
    const text = read(`docs/runbooks/${name}.md`)
    assert.ok(text.startsWith(`# ${name}\n\n`), name)
    assert.ok(blocks(chapter(text, 'First look'), 'sh').length > 0, name)
    for (const heading of ['What helps', 'Whom to wake']) {
      assert.ok(chapter(text, heading).trim() !== '', `${name}: ${heading}`)
    }
  }
})

it('runbooks name only commands that exist', () => {
  const known = COMMANDS.map(({ name }) => name)
  for (const alert of ALERTS) {
    const named = found(read(`docs/runbooks/${alert}.md`), /(?:^|`)malipo ([a-z][a-z -]*)/gm)
    for (const words of named) {
      const command = known.find((one) => `${words.trim()} `.startsWith(`${one} `))
      assert.ok(command !== undefined, `${alert}: malipo ${words}`)
    }
  }
})

type Boards = {
  listMetrics(text: string): readonly { readonly name: string }[]
  drawBoards(metrics: unknown): readonly { readonly file: string; readonly board: object }[]
}

it('the boards are what the list of metrics makes of them: npm run boards', async () => {
  const program: Boards = await import(pathToFileURL(join(ROOT, 'scripts/draw-boards.mjs')).href)
  const metrics = program.listMetrics(read('docs/metrics.md'))
  const boards = program.drawBoards(metrics)
  for (const { file, board } of boards) {
    assert.deepEqual(JSON.parse(read(`deploy/grafana/${file}`)), board, file)
  }
  const drawn = JSON.stringify(boards)
  for (const { name } of metrics) assert.ok(drawn.includes(`${name}: `), name)
  const files = readdirSync(join(ROOT, 'deploy/grafana')).filter((name) => name.endsWith('.json'))
  assert.deepEqual(files.toSorted(), boards.map(({ file }) => file).toSorted())
})

it('chart, manifests and package have one version', () => {
  const chart = read('deploy/helm/malipo/Chart.yaml')
  assert.equal(/^appVersion: "(.*)"$/m.exec(chart)?.[1], version)
  assert.equal(/^version: (.*)$/m.exec(chart)?.[1], version)
  const kustomization = read('deploy/kubernetes/kustomization.yaml')
  assert.equal(/newTag: (.*)/.exec(kustomization)?.[1], version)
  assert.equal(read('deploy/helm/malipo/files/alerts.yaml'), rules, 'copy alerts.yaml to the chart')
})

/** The services of compose.yaml, each with its lines. */
function composeServices(): Readonly<Record<string, string>> {
  const [, services = ''] = /^services:\n(.*?)^configs:$/ms.exec(read('compose.yaml')) ?? []
  const parts = services.split(/^ {2}(\w+):$/m).slice(1)
  return Object.fromEntries(
    parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1] ?? '']] : [])),
  )
}

it('the container page names every password of compose.yaml, and exemplars are stored', () => {
  const compose = read('compose.yaml')
  const local = found(compose, /\$\{(\w+):-local-only[^}]*\}/g)
  assert.ok(new Set(local).size >= 3)
  const page = chapter(read('docs/operating/containers.md'), 'Compose')
  for (const name of [...local, 'MALIPO_SECRET_KEY']) {
    assert.ok(page.includes(`\`${name}\``), name)
  }
  const flag = '--enable-feature=exemplar-storage'
  assert.ok(read('docs/operating/tracing.md').includes(`\`${flag}\``))
  assert.ok(composeServices().prometheus?.includes(`- ${flag}\n`))
  const [home = ''] = found(compose, /HOME_DASHBOARD_PATH: (.*)\/payments\.json$/gm)
  assert.ok(compose.includes(`./deploy/grafana:${home}:ro`))
  const provider = read('deploy/grafana/provisioning/dashboards/malipo.yaml')
  assert.ok(provider.includes(`path: ${home} `))
})

it('every way to run it has a read-only root, an ordinary user and no capabilities', () => {
  for (const file of ['kubernetes/deployment.yaml', 'helm/malipo/templates/deployment.yaml']) {
    const text = read(`deploy/${file}`)
    for (const line of [
      'readOnlyRootFilesystem: true',
      'runAsNonRoot: true',
      'allowPrivilegeEscalation: false',
      'capabilities: { drop: [ALL] }',
      'seccompProfile: { type: RuntimeDefault }',
      'automountServiceAccountToken: false',
      'path: /livez',
      'path: /readyz',
    ]) {
      assert.ok(text.includes(line), `${file}: ${line}`)
    }
  }
  const services = composeServices()
  assert.deepEqual(Object.keys(services), ['malipo', 'postgres', 'prometheus', 'grafana'])
  for (const [name, text] of Object.entries(services)) {
    for (const line of ['cap_drop: [ALL]', 'no-new-privileges:true']) {
      assert.ok(text.includes(line), `${name}: ${line}`)
    }
    // Compose copies configs with inline contents, which a read-only root refuses.
    assert.notEqual(text.includes('read_only: true'), text.includes('configs:'), name)
  }
  assert.match(read('Dockerfile'), /^USER [1-9]\d*:[1-9]\d*$/m)
  const unit = read('deploy/systemd/malipo.service')
  for (const line of ['CapabilityBoundingSet=', 'ProtectSystem=strict', 'NoNewPrivileges=yes']) {
    assert.ok(unit.includes(`\n${line}\n`), line)
  }
})

type Schema = {
  readonly properties: {
    readonly settings: {
      readonly propertyNames: {
        readonly pattern: string
        readonly not: { readonly enum: readonly string[] }
      }
    }
  }
}
const { propertyNames: names } = (
  JSON.parse(read('deploy/helm/malipo/values.schema.json')) as Schema
).properties.settings

it('settings that are secret cannot be given to the ConfigMap of the chart', () => {
  const refused = Object.keys(VARIABLES).filter(
    (name) => !new RegExp(names.pattern).test(name) || names.not.enum.includes(name),
  )
  for (const name of SECRET) assert.ok(refused.includes(name), name)
  for (const name of names.not.enum) assert.ok(Object.hasOwn(VARIABLES, name), name)
  const secret = '- secretRef: { name: malipo-env, optional: true }\n'
  assert.ok(read('deploy/kubernetes/deployment.yaml').includes(secret))
  assert.ok(read('deploy/helm/malipo/values.yaml').includes(`extraEnvFrom:\n  ${secret}`))
  const chart = read('deploy/helm/malipo/templates/deployment.yaml')
  assert.match(chart, /envFrom:\n.*configMapRef.*\n.*with \.Values\.extraEnvFrom /)
})

it('traces can be turned on in a cluster and with Compose', () => {
  const page = chapter(read('docs/operating/kubernetes.md'), 'Traces')
  const [chart = '', overlay = ''] = blocks(page, 'yaml')
  const wanted = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG']
  assert.deepEqual(found(chart, /^ {2}(OTEL_\w+): /gm), wanted)
  assert.deepEqual(found(overlay, /- (OTEL_\w+)=/g), wanted)
  for (const name of found(chart, /^ {2}(\w+): /gm)) {
    assert.ok(Object.hasOwn(VARIABLES, name), name)
    assert.match(name, new RegExp(names.pattern))
    assert.ok(!names.not.enum.includes(name), name)
  }
  const compose = found(read('compose.yaml'), /^ {6}(OTEL_\w+): \$\{\1:-\}$/gm)
  assert.deepEqual(compose.toSorted(), [...wanted, 'OTEL_EXPORTER_OTLP_HEADERS'].toSorted())
  assert.match(read('deploy/kubernetes/networkpolicy.yaml'), /^ {4}- ports: \[\{ port: 4318, /m)
  assert.match(read('deploy/helm/malipo/values.yaml'), /^ {2}collectorPort: 4318$/m)
  const policy = read('deploy/helm/malipo/templates/networkpolicy.yaml')
  assert.match(policy, /with \.Values\.networkPolicy\.collectorPort \}\}\n {4}- ports: \[\{ port: /)
})

it('metrics in a cluster are read with the token, under the name that rules expect', () => {
  for (const file of ['kubernetes/deployment.yaml', 'helm/malipo/templates/deployment.yaml']) {
    assert.ok(!read(`deploy/${file}`).includes('prometheus.io/'), file)
  }
  const page = chapter(read('docs/operating/kubernetes.md'), 'Metrics')
  for (const job of [blocks(page, 'yaml')[0] ?? '', read('deploy/prometheus/prometheus.yaml')]) {
    assert.match(job, /^ {2}- job_name: malipo\n {4}authorization: \{ credentials_file: /m)
  }
  const monitor = read('deploy/helm/malipo/templates/monitoring.yaml')
  assert.match(monitor, /key: metrics-token \}/)
  assert.match(monitor, /targetLabel: job, replacement: malipo \}/)
})

it('the autoscaler needs no adapter unless queue age is turned on, and the page says how', () => {
  assert.match(read('deploy/helm/malipo/values.yaml'), /^ {2}queueAgeSeconds: 0$/m)
  const base = read('deploy/kubernetes/horizontalpodautoscaler.yaml')
  assert.deepEqual(found(base, /^ {4}- type: (\w+)$/gm), ['Resource'])
  const page = chapter(read('docs/operating/kubernetes.md'), 'Autoscaling by queue age')
  assert.match(page, /`--set autoscaling\.queueAgeSeconds=15`/)
  const patch = blocks(page, 'yaml').find((text) => text.startsWith('patches:')) ?? ''
  // A patch replaces the whole list, so what the base has must be in it.
  assert.deepEqual(found(patch, /- type: (\w+)$/gm), ['Pods', 'Resource'])
  const [percent] = found(base, /averageUtilization: (\d+)/g)
  assert.deepEqual(found(patch, /averageUtilization: (\d+)/g), [percent])
})

it('the chart admits nobody where no namespace is named', () => {
  const policy = read('deploy/helm/malipo/templates/networkpolicy.yaml')
  const [, named = '', none = ''] =
    /\{\{- with \.Values\.networkPolicy\.fromNamespaces \}\}(.*?)\{\{- else \}\}(.*?)\n {2}\{\{- end \}\}/s.exec(
      policy,
    ) ?? []
  assert.match(named, /^ {2}ingress:\n {4}- from:$/m)
  assert.match(none, /^ {2}ingress: \[\]$/m)
})

it('unit and command of systemd name the files that the page installs', () => {
  const page = chapter(read('docs/operating/running.md'), 'systemd')
  const steps = blocks(page, 'sh').join('')
  const unit = read('deploy/systemd/malipo.service')
  const command = read('deploy/systemd/malipo')
  assert.ok(steps.includes(`npm install --prefix /opt/malipo ./malipo-${version}.tgz `))
  const program = '/opt/malipo/node_modules/malipo/bin/malipo.mjs'
  assert.match(unit, new RegExp(`^ExecStart=/usr/bin/node .*${program} start$`, 'm'))
  assert.ok(command.includes(`${program} "$@"\n`))
  const [document = ''] = found(unit, /^Documentation=file:.*\/node_modules\/malipo\/(.*)$/gm)
  assert.ok(existsSync(join(ROOT, document)), document)
  for (const file of found(steps, /^install -m \d+ (deploy\/\S+)/gm)) read(file)
  for (const path of ['/etc/malipo/malipo.env', '/etc/malipo/secret-key']) {
    for (const text of [steps, unit, command]) assert.ok(text.includes(path), path)
  }
  const known = COMMANDS.map(({ name }) => name)
  for (const name of found(steps, /^malipo ([a-z]+(?: add)?)/gm)) assert.ok(known.includes(name))
})

it('the image is made of files that its build may see', () => {
  const seen = found(read('.dockerignore'), /^!(.*)$/gm)
  const copied = found(read('Dockerfile'), /^COPY (?!--from)(.*) \S+$/gm).flatMap((line) =>
    line.split(' '),
  )
  assert.ok(copied.length > 8)
  for (const path of new Set(copied)) {
    assert.ok(seen.includes(path), `${path} in .dockerignore`)
    assert.ok(existsSync(join(ROOT, path)), path)
  }
})

it('the image has everything of the package but texts to read and modules to import', () => {
  const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] }
  const inImage = [
    ...found(read('Dockerfile'), /^COPY --from=build \/src\/(\S+)/gm),
    ...found(read('Dockerfile'), /^COPY ([a-z]+) \1$/gm),
  ]
  const toRead = /\.md$|^(Dockerfile|compose\.yaml|deploy|examples)$/
  const toImport = /^dist\/(commonjs|src\/)/
  const needed = files.filter(
    (name) => !name.startsWith('!') && !toRead.test(name) && !toImport.test(name),
  )
  assert.deepEqual(needed.toSorted(), ['bin', 'catalog', 'dist/program', 'docs', 'migrations'])
  for (const name of needed) assert.ok(inImage.includes(name), `${name} of the package`)
})

it('settings named in deploy and compose.yaml exist', () => {
  const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' })
  const texts = files
    .filter((name) => /\.(yaml|service|env)$/.test(name))
    .map((name) => read(`deploy/${name}`))
  // MALIPO_VERSION is the tag of the image in compose.yaml, not a setting of the service.
  const compose = read('compose.yaml').replaceAll('MALIPO_VERSION', '')
  const named = new Set(
    [...texts, compose].flatMap((text) => found(text, /\b((?:MALIPO|OTEL)_[A-Z_]+)/g)),
  )
  assert.ok(named.size >= 6)
  for (const name of named) assert.ok(Object.hasOwn(VARIABLES, name), name)
})

it('PostgreSQL in compose.yaml has the settings that figures were measured with', () => {
  const given = [...read('compose.yaml').matchAll(/^ +- -c(\w+)=(\S+)$/gm)]
  assert.ok(given.length >= 8)
  const settings = new Map(SETTINGS.map(([name, value]) => [name, value]))
  for (const [, name = '', value] of given) assert.equal(value, settings.get(name), name)
})

it('actions are pinned by commit, with the version beside it', () => {
  for (const file of readdirSync(join(ROOT, '.github/workflows'))) {
    const text = read(`.github/workflows/${file}`)
    const used = found(text, /uses: (.*)$/gm)
    assert.ok(used.length > 0, file)
    for (const one of used) assert.match(one, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file)
    assert.match(text, /^permissions: \{ contents: read \}$/m)
  }
})

it('every path that a workflow names exists, and so do the tests that it picks', () => {
  const folders = /(?<![\w./-])(?:bin|deploy|docs|examples|scripts|src|test)\/[\w./-]+/g
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
  const named = readdirSync(join(ROOT, '.github/workflows')).flatMap((file) =>
    [...read(`.github/workflows/${file}`).matchAll(folders)].map(([path]) => path),
  )
  assert.ok(named.length > 10)
  const missing = named.filter(
    (path) => !existsSync(join(ROOT, path)) && !tests.some((test) => test.includes(path)),
  )
  assert.deepEqual(missing, [])
})

it('tests of the store that use the server of the run are run on every version of it', () => {
  const text = read('.github/workflows/check.yaml')
  const using = readdirSync(join(ROOT, 'test/store'))
    .filter((file) => /\b(?:clone|empty)Database\(/.test(read(`test/store/${file}`)))
    .map((file) => `test/store/${file.slice(0, -'.test.ts'.length)}`)
  assert.ok(using.length > 0)
  const [, job = ''] = text.split('\n  postgres:\n')
  const picked = found(job.split('\n  windows:\n')[0] ?? '', /(test\/store\/[\w-]+)/g)
  assert.deepEqual(picked.toSorted(), using.toSorted())
})

it('a release has two archives, and each is checked, listed and attested by its own name', () => {
  const text = read('.github/workflows/release.yaml')
  const [npm, chart] = ['"malipo-$VERSION.tgz"', '"malipo-chart-$VERSION.tgz"']
  // npm pack and helm package name their files alike.
  assert.match(text, /helm package deploy\/helm\/malipo --destination chart\n/)
  assert.ok(text.includes(`mv "chart/malipo-$VERSION.tgz" ${chart}\n`))
  assert.ok(text.includes(`tar -tzf ${npm} package/package.json\n`))
  assert.ok(text.includes(`tar -tzf ${chart} malipo/Chart.yaml\n`))
  assert.ok(text.includes(`sha256sum ${npm} ${chart} > SHA256SUMS\n`))
  assert.ok(text.includes(`${npm} ${chart} malipo.cdx.json SHA256SUMS\n`))
  assert.ok(text.includes('subject-checksums: SHA256SUMS'))
  // The list of parts is that of the package, not of the chart.
  assert.match(text, /subject-path: "malipo-\$\{\{ env\.VERSION \}\}\.tgz", sbom-path:/)
  assert.doesNotMatch(text, /malipo-\*/)
})

/** They measure time, and the machines of the workflow are shared. */
const NEED_QUIET = ['dashboard', 'hostile', 'paint']

it('every proof that needs no quiet machine runs at night, with the programs that it needs', () => {
  const text = read('.github/workflows/nightly.yaml')
  const [own = '', servers = ''] = text.split('\n  servers:\n')
  const listed = (part: string): string[] => found(part, /^ {10}- ([a-z-]+)$/gm).toSorted()
  const wanted = PROOFS.filter(({ name }) => !NEED_QUIET.includes(name))
  const names = (needsPrograms: boolean): string[] =>
    wanted
      .filter(({ needs }) => (needs !== undefined) === needsPrograms)
      .map(({ name }) => name)
      .toSorted()
  assert.deepEqual(listed(own), names(false))
  assert.deepEqual(listed(servers), names(true))
  const [installed = ''] = found(servers, /apt-get install [^\n]*\n +(.*)$/gm)
  const documented = found(read('docs/proofs.md'), /^apt-get install (.*)$/gm)
  assert.equal(documented.length, 2)
  const packages = new Set(documented.flatMap((line) => line.split(' ')))
  assert.deepEqual(installed.split(' ').toSorted(), [...packages].toSorted())
  for (const name of NEED_QUIET) assert.match(own, new RegExp(`^# .*\\b${name}\\b`, 'm'))
})
