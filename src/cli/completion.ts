import { type Command, CommandProblem, print } from './command-kit.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Made from the table of commands of this very version, so it never lags behind. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print what makes a shell complete commands and options: bash, zsh or fish',
  arguments: ['shell'],
  choices: SHELLS,
  options: {},
  run: async ({ positionals: [shell = ''], json }) => {
    const chosen = SHELLS.find((one) => one === shell)
    if (chosen === undefined) {
      throw new CommandProblem(`"${shell}" is none of ${SHELLS.join(', ')}.`)
    }
    const script = SCRIPTS[chosen](commands().flatMap(entriesOf))
    return print(json, { shell: chosen, script }, script)
  },
})

type Entry = {
  /** The words of the command. */
  readonly words: readonly string[]
  readonly summary: string
  readonly options: readonly { readonly flag: string; readonly summary: string }[]
  /** What its first argument can be. */
  readonly choices: readonly string[]
  /** Options that take a file, and those that take something else. */
  readonly files: readonly string[]
  readonly texts: readonly string[]
}

/** Under every name that it has. */
function entriesOf({ name, alias, summary, options, choices = [] }: Command): readonly Entry[] {
  const flags = Object.entries(options)
  const flagsWhere = (fits: (value: string | undefined) => boolean): readonly string[] =>
    flags.filter(([, { value }]) => fits(value)).map(([flag]) => `--${flag}`)
  const shown = flags.map(([flag, option]) => ({ flag: `--${flag}`, summary: option.summary }))
  return [name, ...(alias === undefined ? [] : [alias])].map((one) => ({
    words: one.split(' '),
    summary,
    options: [...shown, ...EVERYWHERE],
    choices,
    files: flagsWhere((value) => value === 'path'),
    texts: flagsWhere((value) => value !== undefined && value !== 'path'),
  }))
}

const EVERYWHERE = [
  { flag: '--json', summary: 'print the result as JSON' },
  { flag: '--help', summary: 'explain the command' },
]

const firstWords = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(entries.map(({ words: [first = ''] }) => first)),
  'help',
  'version',
]

const groupsOf = (entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>()
  for (const { words } of entries) {
    const [first = '', second] = words
    if (second !== undefined) groups.set(first, [...(groups.get(first) ?? []), second])
  }
  return groups
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const list = (words: readonly string[]): string => quoted(words.join(' '))

/** After its words, a command takes its options, and what its first argument can be. */
const offers = ({ options, choices }: Entry): readonly string[] => [
  ...choices,
  ...options.map(({ flag }) => flag),
]

const valueCases = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ words, files, texts }) => [
    ...(files.length === 0 ? [] : [caseOf(words, files, 'kind=file')]),
    ...(texts.length === 0 ? [] : [caseOf(words, texts, 'kind=text')]),
  ])

const caseOf = (words: readonly string[], flags: readonly string[], act: string): string =>
  `    ${flags.map((flag) => quoted(`${words.join(' ')} ${flag}`)).join('|')}) ${act} ;;`

/** Finds in `$1 $2 $3 …` the command, and sets `words` to what may follow. */
const choosing = (entries: readonly Entry[], place: string, [one, two]: readonly string[]) => [
  `  if [ "${place}" -eq 1 ]; then`,
  `    offered=${list(firstWords(entries))}`,
  '  else',
  `    case "${one}" in`,
  ...[...groupsOf(entries)].map(([first, seconds]) =>
    [
      `      ${quoted(first)})`,
      `        if [ "${place}" -eq 2 ]; then offered=${list([...seconds, '--help'])}`,
      `        else command="${one} ${two}"; fi ;;`,
    ].join('\n'),
  ),
  `      help) [ "${place}" -eq 2 ] && offered=${list(firstWords(entries))} ;;`,
  `      *) command="${one}" ;;`,
  '    esac',
  '  fi',
  '  case "$command" in',
  ...entries.map((entry) => {
    const name = entry.words.join(' ')
    return `    ${quoted(name)}) offered=${list(offers(entry))} ;;`
  }),
  '  esac',
]

const bashScript = (entries: readonly Entry[]): string => `\
# Completion of malipo for bash. Add to ~/.bashrc: source <(malipo completion bash)
_malipo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" offered="" command="" kind=""
${choosing(entries, '$COMP_CWORD', BASH_WORDS).join('\n')}
  case "$command \${COMP_WORDS[COMP_CWORD-1]}" in
${valueCases(entries).join('\n')}
  esac
  case "$kind" in
    file) COMPREPLY=($(compgen -f -- "$current")) ;;
    text) COMPREPLY=() ;;
    *) COMPREPLY=($(compgen -W "$offered" -- "$current")) ;;
  esac
}
complete -F _malipo malipo`

/** The first two words after the name of the program. */
const BASH_WORDS = [`\${COMP_WORDS[1]}`, `\${COMP_WORDS[2]}`] as const
const ZSH_WORDS = [`\${words[2]}`, `\${words[3]}`] as const

const zshScript = (entries: readonly Entry[]): string => `\
#compdef malipo
# Completion of malipo for zsh. Add to ~/.zshrc, after compinit: source <(malipo completion zsh)
_malipo() {
  local offered="" command="" kind="" place=$((CURRENT - 1))
${choosing(entries, '$place', ZSH_WORDS).join('\n')}
  case "$command \${words[CURRENT-1]}" in
${valueCases(entries).join('\n')}
  esac
  case "$kind" in
    file) _files ;;
    text) ;;
    *) compadd -- \${=offered} ;;
  esac
}
compdef _malipo malipo`

function fishScript(entries: readonly Entry[]): string {
  const groups = groupsOf(entries)
  const line = (condition: string, rest: string): string =>
    `complete -c malipo -n ${quoted(condition)} ${rest}`
  const first = firstWords(entries)
  return [
    '# Completion of malipo for fish: malipo completion fish > ~/.config/fish/completions/malipo.fish',
    'complete -c malipo -f',
    line('__fish_use_subcommand', `-a ${list(first)}`),
    ...[...groups].map(([group, seconds]) =>
      line(`${seen([group])}; and not ${seen(seconds)}`, `-a ${list(seconds)}`),
    ),
    ...entries.flatMap(({ words, options, choices, files, texts }) => {
      const isHere = words.map((word) => seen([word])).join('; and ')
      const takes = (flag: string): string =>
        files.includes(flag) ? ' -r -F' : texts.includes(flag) ? ' -x' : ''
      return [
        ...(choices.length === 0 ? [] : [line(isHere, `-a ${list(choices)}`)]),
        ...options.map(({ flag, summary }) =>
          line(isHere, `-l ${flag.slice(2)}${takes(flag)} -d ${quoted(summary)}`),
        ),
      ]
    }),
  ].join('\n')
}

const seen = (words: readonly string[]): string => `__fish_seen_subcommand_from ${words.join(' ')}`

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
