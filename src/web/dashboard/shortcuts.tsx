import { Fragment } from 'preact'
import { type MenuName, menuFor } from './menu.ts'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

const KEYS = ['/', 'g h', 'g d', 'g p', 'g r', 'g c', 'g b', 'j', 'k', '?'] as const

/** Where the keys that follow `g` lead. */
const GOES_TO: Readonly<Partial<Record<string, MenuName | 'home'>>> = {
  'g h': 'home',
  'g d': 'deposits',
  'g p': 'payouts',
  'g r': 'refunds',
  'g c': 'callbacks',
  'g b': 'balances',
}

/** Opened by the script alone, which is what the keys need; it also reads here where they lead. */
export function Shortcuts({ visit }: { readonly visit: Visit }) {
  const { lang, person } = visit
  const words = DASHBOARD_WORDS[lang]
  const pages = menuFor(person.role).flatMap(({ names }) => names)
  const isOpen = (name: MenuName | 'home'): boolean => name === 'home' || pages.includes(name)
  const keys = KEYS.filter((key) => isOpen(GOES_TO[key] ?? 'home'))
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-heading">
      <h2 id="shortcuts-heading">{words.shortcuts}</h2>
      <dl class="facts">
        {keys.map((key) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>
              <KeyText text={words[`key_${key}`]} name={key} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{words.close}</button>
      </form>
    </dialog>
  )
}

function KeyText({ text, name }: { readonly text: string; readonly name: string }) {
  const page = GOES_TO[name]
  if (page === undefined) return <>{text}</>
  return (
    <a data-go={name.slice(-1)} href={page === 'home' ? '/dashboard' : `/dashboard/${page}`}>
      {text}
    </a>
  )
}
