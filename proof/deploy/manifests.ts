/** What kustomize and Helm render, held against the schemas of Kubernetes. */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { hasProgram, installTools, NotHere, oneOf, ROOT, run } from './tools.ts'

/** The first has the JSON schemas, compiled; the second types, which also know what does not exist. */
const PACKAGES = ['kubernetes-models@4.5.1', 'kubernetes-types@1.30.0', 'yaml@2.9.1']

/** Where the second keeps a kind, and the first its schema. Kinds of others are not checked. */
const KINDS: Readonly<Record<string, readonly [types: string, schema: string]>> = {
  'v1 ConfigMap': ['core/v1', 'CoreV1'],
  'v1 Namespace': ['core/v1', 'CoreV1'],
  'v1 Secret': ['core/v1', 'CoreV1'],
  'v1 Service': ['core/v1', 'CoreV1'],
  'v1 ServiceAccount': ['core/v1', 'CoreV1'],
  'apps/v1 Deployment': ['apps/v1', 'AppsV1'],
  'autoscaling/v2 HorizontalPodAutoscaler': ['autoscaling/v2', 'AutoscalingV2'],
  'networking.k8s.io/v1 Ingress': ['networking/v1', 'NetworkingV1'],
  'networking.k8s.io/v1 NetworkPolicy': ['networking/v1', 'NetworkingV1'],
  'policy/v1 PodDisruptionBudget': ['policy/v1', 'PolicyV1'],
}
const OF_OTHERS = /^monitoring\.coreos\.com\//

type Resource = { readonly apiVersion: string; readonly kind: string }
type Validate = { (data: unknown): boolean; readonly errors?: readonly object[] }

export async function renderKustomization(): Promise<string> {
  const program = await oneOf('kustomize', 'kubectl')
  const verb = program === 'kubectl' ? 'kustomize' : 'build'
  return run([program, verb, 'deploy/kubernetes'])
}

const CHART = 'deploy/helm/malipo'

/** As it comes, and with everything the other way round. */
const VALUES: readonly (readonly string[])[] = [
  [],
  [
    'autoscaling.enabled=false',
    'networkPolicy.enabled=false',
    'ingress.enabled=true',
    'monitoring.enabled=true',
    'image.tag=latest',
  ],
  [
    'autoscaling.queueAgeSeconds=15',
    'networkPolicy.fromNamespaces=[]',
    'networkPolicy.collectorPort=0',
    'extraEnvFrom=[]',
    'settings.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318',
  ],
]

/** By helm; without it by Go's templates with Helm's functions, which says nothing about helm itself. */
export async function renderChart(): Promise<{ by: string; rendered: readonly string[] }> {
  if (await hasProgram('helm')) {
    await run(['helm', 'lint', CHART])
    const of = (values: readonly string[]) =>
      run(['helm', 'template', 'malipo', CHART, ...values.flatMap((one) => ['--set', one])])
    return { by: 'helm', rendered: await Promise.all(VALUES.map(of)) }
  }
  if (!(await hasProgram('go'))) throw new NotHere('no helm and no go here')
  const program = 'proof/deploy/render-chart/main.go'
  const env = { GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
  await run(['go', 'build', '-o', devNull, program], env).catch((error) => {
    if (!String(error).includes('cannot find package')) throw error
    throw new NotHere('no golang-github-masterminds-sprig-dev, golang-github-ghodss-yaml-dev here')
  })
  const rendered: string[] = []
  for (const values of VALUES) {
    rendered.push(await run(['go', 'run', program, CHART, ...values], env))
  }
  return { by: "Go's templates and sprig, without helm", rendered }
}

/** Returns how many were checked; throws with everything that does not fit. */
export async function checkManifests(folder: string, texts: readonly string[]): Promise<number> {
  await installTools(folder, PACKAGES)
  const require = createRequire(join(folder, 'index.js'))
  const { parseAllDocuments } = require('yaml') as {
    parseAllDocuments(text: string): readonly { toJS(): Resource | null }[]
  }
  const all = texts.flatMap((text) => parseAllDocuments(text).map((one) => one.toJS()))
  const resources = all.filter((one): one is Resource => one !== null)
  const ours = resources.filter(({ apiVersion }) => !OF_OTHERS.test(apiVersion))
  const schemas = join(folder, 'node_modules/kubernetes-models/_schemas')
  const faults = ours.flatMap((one) => [
    ...faultsBySchema(require, schemas, one),
    ...openRules(one),
  ])
  if (faults.length > 0) throw new Error(faults.join('\n'))
  await checkTypes(folder, ours)
  await mustBeRefused(folder, ours)
  return ours.length
}

function placeOf({ apiVersion, kind }: Resource): readonly [string, string] {
  const place = KINDS[`${apiVersion} ${kind}`]
  if (place === undefined) throw new Error(`no schema is known for ${apiVersion} ${kind}`)
  return place
}

function faultsBySchema(
  require: NodeJS.Require,
  schemas: string,
  resource: Resource,
): readonly string[] {
  const name = join(schemas, `IoK8sApi${placeOf(resource)[1]}${resource.kind}.js`)
  const { validate } = require(name) as { readonly validate: Validate }
  if (validate(resource)) return []
  return [`${resource.kind}: ${JSON.stringify(validate.errors)}`]
}

type Rules = { readonly spec?: { readonly ingress?: readonly { readonly from?: unknown }[] } }

/** A rule that names nobody admits everybody, which no schema objects to. */
function openRules(resource: Resource & Rules): readonly string[] {
  if (resource.kind !== 'NetworkPolicy') return []
  const rules = resource.spec?.ingress ?? []
  const isClosed = ({ from }: { from?: unknown }) => Array.isArray(from) && from.length > 0
  return rules.every(isClosed) ? [] : ['NetworkPolicy: a rule admits everybody']
}

/** A field that does not exist is an error of types. */
async function checkTypes(folder: string, resources: readonly Resource[]): Promise<void> {
  const lines = resources.map((one, at) => {
    const type = `import('kubernetes-types/${placeOf(one)[0]}.js').${one.kind}`
    return `export const r${at}: ${type} = ${JSON.stringify(one, null, 1)}`
  })
  const file = join(folder, 'resources.ts')
  await writeFile(file, `${lines.join('\n')}\n`)
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext']
  await run([process.execPath, tsc, ...options, '--skipLibCheck', file])
}

/** A check that finds nothing where something is wrong would be worth nothing. */
async function mustBeRefused(folder: string, resources: readonly Resource[]): Promise<void> {
  const wrong = JSON.parse(
    JSON.stringify(resources).replace('"readOnlyRootFilesystem"', '"readOnlyRoot"'),
  ) as readonly Resource[]
  const isFound = await checkTypes(folder, wrong).then(
    () => false,
    async (error: Error) => error.message.includes('readOnlyRoot'),
  )
  if (!isFound) throw new Error('a field that does not exist was not noticed')
}

/** Every expression of the boards as a rule, for promtool to read. */
export async function boardRules(files: readonly string[]): Promise<string> {
  const expressions: string[] = []
  for (const file of files) {
    const { panels } = JSON.parse(await readFile(join(ROOT, file), 'utf8')) as {
      panels: readonly { targets: readonly { expr: string }[] }[]
    }
    expressions.push(...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
  }
  const rules = expressions.map((expr, at) => ({
    record: `board:panel_${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$node', '.*'),
  }))
  return JSON.stringify({ groups: [{ name: 'boards', rules }] })
}
