// Lays out the folder of a new connector: types hold, and the contract suite says what is missing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [name = ''] = process.argv.slice(2)
if (!/^[a-z][a-z0-9-]{1,30}$/.test(name)) {
  console.error(
    'Give a name of lower-case letters, digits and "-": npm run new-connector -- tigo-pesa',
  )
  process.exit(2)
}
const folder = join('src/providers', name)
if (existsSync(join(root, folder))) {
  console.error(`${folder} exists already.`)
  process.exit(2)
}

const constant = name.toUpperCase().replaceAll('-', '_')
const filled = (text) => text.replaceAll('__NAME__', name).replaceAll('__CONSTANT__', constant)
const read = (file) => readFileSync(join(root, file), 'utf8')

const FILES = {
  'profile.ts.txt': `${folder}/profile.ts`,
  'codes.ts.txt': `${folder}/codes.ts`,
  'requests.ts.txt': `${folder}/requests.ts`,
  'answers.ts.txt': `${folder}/answers.ts`,
  'operator.ts.txt': `${folder}/operator.ts`,
  'stand-in/operator.ts.txt': `${folder}/stand-in/operator.ts`,
  'contract.test.ts.txt': `test/providers/${name}.test.ts`,
}
for (const [template, file] of Object.entries(FILES)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), filled(read(`scripts/connector-template/${template}`)))
  console.log(`  ${file}`)
}

/** Puts an import on top and the constant at the end of the list. */
function register(file, imported, path) {
  const text = read(file)
  const listed = text.replace(/(= \[[^\]]*?),?\s*\]/, (_, list) => `${list}, ${imported}]`)
  writeFileSync(join(root, file), `import { ${imported} } from '${path}'\n${listed}`)
  console.log(`  ${file}`)
}
register('src/providers/kinds.ts', constant, `./${name}/operator.ts`)
register(
  'src/providers/stand-in/stand-ins.ts',
  `${constant}_STAND_IN`,
  `../${name}/stand-in/operator.ts`,
)

console.log(`
Next: npm run format, then MALIPO_TEST_WAIT_SECONDS=3 npm test -- providers/${name}
The failing rows are what is left to write. See "Add an operator" in CONTRIBUTING.md.`)
