import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, it } from 'node:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { openCommandLine } from './command-line.ts'

const commandLine = openCommandLine()
const { run } = commandLine
after(() => commandLine.close())

/** What the shell offers for each line, the last word of which is being typed. */
type Offers = (lines: readonly string[]) => readonly (readonly string[])[]

const script = async (shell: string): Promise<string> => {
  const { code, stdout } = await run(['completion', shell])
  assert.equal(code, 0)
  return stdout
}

function output(shell: string, option: string, text: string): string {
  const { status, stdout, stderr } = spawnSync(shell, [option, '-c', text], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
  return stdout
}

const isThere = (shell: string): boolean => spawnSync(shell, ['-c', ':']).status === 0
const quoted = (line: string): string =>
  line
    .split(' ')
    .map((word) => `'${word}'`)
    .join(' ')
const sections = (text: string): readonly (readonly string[])[] =>
  text
    .split('== \n')
    .slice(1)
    .map((one) => one.split(/\s+/).filter((word) => word !== ''))

const inBash = async (): Promise<Offers> => {
  const text = await script('bash')
  return (lines) =>
    sections(
      output(
        'bash',
        '--norc',
        [
          text,
          `try() { COMP_WORDS=("$@"); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); COMPREPLY=(); _malipo`,
          `  echo "== "; printf "%s\\n" "\${COMPREPLY[@]}"; }`,
          ...lines.map((line) => `try ${quoted(line)}`),
        ].join('\n'),
      ),
    )
}

/** The functions of zsh that show what is offered, replaced by such that print it. */
const inZsh = async (): Promise<Offers> => {
  const text = await script('zsh')
  return (lines) =>
    sections(
      output(
        'zsh',
        '-f',
        [
          'compdef() { :; }; _files() { :; }; compadd() { shift; offered_=("$@"); }',
          text,
          'try() { words=("$@"); CURRENT=$#words; offered_=(); _malipo; echo "== "',
          `  for one in $offered_; do [[ $one == \${words[CURRENT]}* ]] && echo "$one"; done; true; }`,
          ...lines.map((line) => `try ${quoted(line)}`),
        ].join('\n'),
      ),
    )
}

const inFish = async (): Promise<Offers> => {
  const text = await script('fish')
  return (lines) =>
    sections(
      output(
        'fish',
        '--no-config',
        [text, ...lines.flatMap((line) => ['echo "== "', `complete -C '${line}' | cut -f1`])].join(
          '\n',
        ),
      ),
    )
}

const SHELLS = { bash: inBash, zsh: inZsh, fish: inFish } as const

for (const [shell, open] of Object.entries(SHELLS)) {
  const skip = isThere(shell) ? false : `there is no ${shell} on this machine`
  it(`${shell} completes every command with its options`, { skip }, async () => {
    const offers = await open()
    const names = COMMANDS.flatMap(({ name, alias }) => [name, ...(alias ? [alias] : [])])
    const typed = names.map((name) => `malipo ${name.slice(0, -1)}`)
    for (const [at, found] of offers(typed).entries()) {
      const last = names[at]?.split(' ').at(-1) ?? ''
      assert.ok(found.includes(last), `${names[at]}: ${found}`)
    }
    const asked = COMMANDS.map(({ name }) => `malipo ${name} --`)
    for (const [at, found] of offers(asked).entries()) {
      const { name = '', options = {} } = COMMANDS[at] ?? {}
      const flags = [...Object.keys(options), 'json', 'help'].map((one) => `--${one}`)
      assert.deepEqual(found.toSorted(), flags.toSorted(), name)
    }
    const [choices, values] = offers(['malipo completion ', 'malipo token create --label '])
    for (const one of Object.keys(SHELLS)) assert.ok(choices?.includes(one))
    assert.deepEqual(values, [])
  })
}

it('another shell is refused with those there are', async () => {
  const { code, stderr } = await run(['completion', 'tcsh'])
  assert.equal(code, 2)
  assert.match(stderr, /"tcsh" is none of bash, zsh, fish\./)
})
