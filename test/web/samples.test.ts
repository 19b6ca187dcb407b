import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { outlineOf } from '../../src/web/reference/outline.ts'
import { type Call, callOf, FreshId } from '../../src/web/reference/samples/call.ts'
import { LANGUAGES } from '../../src/web/reference/samples/languages.ts'
import { SAMPLE_OPENAPI } from './sample-openapi.ts'

const folder = mkdtempSync(join(tmpdir(), 'malipo-samples-'))
after(() => rmSync(folder, { recursive: true }))

const calls = outlineOf(SAMPLE_OPENAPI)
  .groups.flatMap((group) => group.entries)
  .filter(({ isCallback }) => !isCallback)
  .map((entry) => callOf(SAMPLE_OPENAPI, entry))

/** Whatever a language could trip over. */
const HARD: Call = {
  method: 'PUT',
  url: 'https://pay.example/a?b=c&d=e',
  needsToken: true,
  contentType: 'application/json',
  body: {
    paymentId: new FreshId('paymentId'),
    text: `it's "$HOME" \\ \`id\` ${'\n'} é`,
    yes: true,
    no: false,
    none: null,
    number: 1.5,
    list: [],
    nested: [{ a: [1, 'x'] }, {}],
  },
}

type Sent = {
  readonly method: string
  readonly url: string
  readonly authorization?: string
  readonly body?: string
}

function run(command: string, args: readonly string[], input?: string): string {
  const ran = spawnSync(command, args, {
    encoding: 'utf8',
    cwd: folder,
    input,
    env: { ...process.env, MALIPO_TOKEN: 'a-token' },
  })
  assert.equal(ran.status, 0, ran.stderr)
  return ran.stdout
}

const reports = (output: string): readonly Sent[] =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

/** How each language runs its examples, with a stand-in for what would send them. */
const RUNNERS: Readonly<Record<string, (codes: readonly string[]) => readonly Sent[]>> = {
  curl: (codes) => {
    const standIns = `
      curl() { for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\1'; }
      uuidgen() { echo 2d3f7a10-94a5-4f5d-8f0c-6a1a0f5b7c11; }`
    const output = run('sh', ['-c', [standIns, ...codes].join('\n')])
    return output
      .split('\x01')
      .slice(0, -1)
      .map((part) => sentBy(part.split('\0')))
  },
  node: (codes) => {
    const standIn = `globalThis.fetch = async (url, { method = 'GET', headers = {}, body } = {}) => {
      console.log(JSON.stringify({ method, url, authorization: headers.Authorization, body }))
      return { text: async () => '' }
    }`
    writeFileSync(
      join(folder, 'sample.mjs'),
      [standIn, ...codes.map((code) => `{\n${code}\n}`)].join('\n'),
    )
    return reports(run(process.execPath, ['sample.mjs']))
  },
  python: (codes) => {
    writeFileSync(
      join(folder, 'requests.py'),
      `import json
class Answer:
    status_code = 200
    text = ""
def sender(method):
    def send(url, headers={}, timeout=None, **rest):
        sent = {"method": method, "url": url}
        if headers: sent["authorization"] = headers["Authorization"]
        if "json" in rest: sent["body"] = json.dumps(rest["json"])
        print(json.dumps(sent))
        return Answer()
    return send
get, post, put = sender("GET"), sender("POST"), sender("PUT")
`,
    )
    return reports(run('python3', ['-'], codes.join('\n')))
  },
  php: (codes) =>
    codes.flatMap((code) =>
      reports(run('php', ['-n'], code.replace('<?php', `<?php\n${PHP_STAND_INS}`))),
    ),
}

function sentBy(words: readonly string[]): Sent {
  const after = (flag: string): string | undefined =>
    words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined
  const body = after('-d')
  const authorization = words.find((one) => one.startsWith('Authorization: '))?.slice(15)
  return {
    method: after('-X') ?? (body === undefined ? 'GET' : 'POST'),
    url: words.find((one) => /^https?:/.test(one)) ?? '',
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { body }),
  }
}

const PHP_STAND_INS = `function curl_init($url) { return (object) ['url' => $url]; }
function curl_setopt_array($curl, $options) { $curl->options = $options; }
function curl_getinfo($curl, $what) { return 200; }
function curl_exec($curl) {
  $given = $curl->options;
  $header = current(array_filter($given[3] ?? [], fn ($one) => str_starts_with($one, 'Auth')));
  $sent = ['method' => $given[2] ?? 'GET', 'url' => $curl->url];
  if ($header) $sent['authorization'] = substr($header, 15);
  if (isset($given[4])) $sent['body'] = $given[4];
  echo json_encode($sent), PHP_EOL;
}
define('CURLOPT_RETURNTRANSFER', 1);
define('CURLOPT_CUSTOMREQUEST', 2);
define('CURLOPT_HTTPHEADER', 3);
define('CURLOPT_POSTFIELDS', 4);
define('CURLINFO_RESPONSE_CODE', 5);`

const isHere = (command: string): boolean =>
  spawnSync(command, ['--version'], { encoding: 'utf8' }).status === 0

const NEEDS: Readonly<Record<string, string>> = { python: 'python3', php: 'php' }

const UUID4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** The body with a value in place of each identifier that is made anew. */
const withIds = (body: unknown, id: string): unknown =>
  JSON.parse(JSON.stringify(body, (_, value) => (value instanceof FreshId ? id : value)))

describe('the example request in', () => {
  for (const { id, name, write } of LANGUAGES) {
    const command = NEEDS[id]
    const skip = command !== undefined && !isHere(command) ? `there is no ${command} here` : false
    it(`${name} runs, and sends the body, the address and the token`, { skip }, () => {
      const judged = [...calls, HARD]
      const sent = RUNNERS[id]?.(judged.map(write)) ?? []
      assert.equal(sent.length, judged.length)
      for (const [at, { method, url, needsToken, body }] of judged.entries()) {
        assert.equal(sent[at]?.method, method)
        assert.equal(sent[at]?.url, url)
        assert.equal(sent[at]?.authorization, needsToken ? 'Bearer a-token' : undefined)
        const given = sent[at]?.body === undefined ? undefined : JSON.parse(sent[at].body)
        const own = given?.depositId ?? given?.paymentId
        assert.deepEqual(given, body === undefined ? undefined : withIds(body, own))
        if (own !== undefined) assert.match(own, UUID4)
      }
    })
  }

  it('every language makes a new identifier for each run', () => {
    const [deposit] = calls
    assert.ok(deposit !== undefined)
    for (const { id, write } of LANGUAGES) {
      assert.doesNotMatch(write(deposit), /8917c345/, id)
      assert.match(write(deposit), /uuid/i, id)
    }
  })

  it('no language needs a token where the document asks for none', () => {
    for (const { write } of LANGUAGES) {
      const [first] = calls
      assert.ok(first !== undefined)
      assert.doesNotMatch(write({ ...first, needsToken: false }), /Authorization|MALIPO_TOKEN/)
    }
  })
})
