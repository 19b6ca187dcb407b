/** A call for Python with the usual package, `requests`. */
import { type Call, hasFreshId, type Notation, write } from './call.ts'

const NAMES: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }

const LITERAL: Notation = {
  indent: '    ',
  brackets: { object: '{}', array: '[]' },
  pair: (name, value) => `${name}: ${value}`,
  text: (text) => JSON.stringify(text),
  plain: (value) => NAMES[String(value)] ?? String(value),
  emptyObject: '{}',
  freshId: 'str(uuid.uuid4())',
  hasLastComma: true,
}

export function pythonOf({ method, url, needsToken, body }: Call): string {
  const modules = [...(needsToken ? ['os'] : []), ...(hasFreshId(body) ? ['uuid'] : [])]
  const imports = modules.map((name) => `import ${name}\n`).join('')
  const given = [
    JSON.stringify(url),
    ...(needsToken ? [`headers={"Authorization": "Bearer " + os.environ["MALIPO_TOKEN"]}`] : []),
    ...(body === undefined ? [] : [`json=${write(body, LITERAL, '    ')}`]),
    'timeout=30',
  ]
  return `${imports}${imports === '' ? '' : '\n'}import requests

response = requests.${method.toLowerCase()}(
    ${given.join(',\n    ')},
)
print(response.status_code, response.text)`
}
