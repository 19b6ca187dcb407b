/** What files export, and what each takes from others, as their texts show: `src/domain/ids#newId`. */
import { dirname, join } from 'node:path'

type Source = { readonly name: string; readonly text: string }

const DECLARED =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:type|interface|const|let|function\*?|class)\s+(\w+)/gm
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm
const TAKEN = /^(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'([^']+)'/gm
const NAMESPACE = /^import\s+(?:type\s+)?\*\s+as\s+\w+\s+from\s+'([^']+)'/gm
/** While the program runs, or as a type. `built` is how scripts load what was compiled. */
const LOADED = /\b(?:import|built)\(\s*'([^']+)',?\s*\)/g
const PASSED_ON = /^export\s+(?:type\s+)?\*\s+from\s+'([^']+)'/gm

/** A file is known by its path without ending: a script names what was compiled of it. */
export const stemOf = (path: string): string =>
  path.replace(/^dist\//, '').replace(/\.[cm]?[jt]sx?$/, '')

const resolve = (file: Source, specifier: string): string =>
  stemOf(join(dirname(file.name), specifier))

/** With both names of what a list renames. */
const namesIn = (list: string) =>
  [...list.matchAll(/(?:\btype\s+)?(\w+)(?:\s+as\s+(\w+))?\s*(?:,|$)/g)].map(
    ([, own = '', shown = own]) => ({ own, shown }),
  )

export function exportsOf(file: Source): readonly string[] {
  const declared = [...file.text.matchAll(DECLARED)].map(([, name]) => name)
  const listed = [...file.text.matchAll(LISTED)]
    .flatMap(([, list = '']) => namesIn(list))
    .map(({ shown }) => shown)
  return [...declared, ...listed].map((name) => `${stemOf(file.name)}#${name}`)
}

export function takenBy(file: Source): readonly string[] {
  const named = [...file.text.matchAll(TAKEN)].flatMap(([, list = '', specifier = '']) =>
    namesIn(list).map(({ own }) => `${resolve(file, specifier)}#${own}`),
  )
  const loaded = [...file.text.matchAll(LOADED)].flatMap(([, specifier = '']) =>
    specifier.startsWith('.')
      ? [resolve(file, specifier)]
      : [join('src', specifier), join('harness', specifier)],
  )
  const whole = [
    ...[...file.text.matchAll(NAMESPACE)].map(([, specifier = '']) => resolve(file, specifier)),
    ...loaded,
  ]
  // Of a module that it takes whole, a file uses what it names anywhere.
  const words = whole.length === 0 ? [] : [...new Set(file.text.match(/\w+/g))]
  return [...named, ...whole.flatMap((stem) => words.map((word) => `${stem}#${word}`))]
}

/** The files that a file exports again with all that they export. */
export const passedOnBy = (file: Source): readonly string[] =>
  [...file.text.matchAll(PASSED_ON)].map(([, specifier = '']) => resolve(file, specifier))
