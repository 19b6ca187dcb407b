/** What every page of the dashboard looks like: menu, search, who is here, what was just done. */
import type { ComponentChildren } from 'preact'
import type { Page } from '../../http/pages.ts'
import { assets } from '../assets.ts'
import { setCookies } from '../cookies.ts'
import { Languages } from '../languages.tsx'
import { renderPage } from '../page.tsx'
import { type Headers, privatePage } from '../response.ts'
import { CATALOGUES, fill } from '../words.ts'
import { forgetFlash, keepLanguage } from './cookies.ts'
import { type MenuName, menuFor } from './menu.ts'
import { Shortcuts } from './shortcuts.tsx'
import { TestClock } from './test-clock.tsx'
import type { Visit } from './visit.ts'
import { DASHBOARD_WORDS } from './words.ts'

const STYLE = assets('page.css', 'dashboard.css')
const SCRIPT = assets('copy.js', 'dashboard.js')

type Screen = {
  /** Its place in the menu; absent on pages that are not in it. */
  readonly name?: MenuName | 'home' | 'account' | 'search'
  readonly heading: string
  /** Said in the title of the browser before the heading. */
  readonly isProblem?: boolean
  readonly status?: number
  readonly headers?: Headers
  /** It has a secret that is gone when the page is left, also for another language. */
  readonly isShownOnce?: true
  /** It shows pages of ours inside of it. */
  readonly framesOwn?: true
  /** Of this page alone, beside the one of all pages. */
  readonly script?: string
  readonly children: ComponentChildren
}

export function dashboardPage(visit: Visit, screen: Screen): Page {
  const { lang, request, parts, person } = visit
  const words = DASHBOARD_WORDS[lang]
  const { heading, isProblem = false, status = 200, headers = {} } = screen
  const page = renderPage({
    lang,
    title: `${isProblem ? words.error : ''}${heading} · ${person.merchant.name}`,
    style: STYLE,
    script: SCRIPT + (screen.script ?? ''),
    framesOwn: screen.framesOwn,
    body: <Frame visit={visit} screen={screen} />,
  })
  return privatePage(page, status, {
    ...setCookies(
      keepLanguage(parts.publicUrl(), request),
      visit.flash && forgetFlash(parts.publicUrl()),
    ),
    ...headers,
  })
}

function Frame({ visit, screen }: { readonly visit: Visit; readonly screen: Screen }) {
  const { lang } = visit
  return (
    <>
      <a class="skip" href="#content">
        {CATALOGUES[lang].skip}
      </a>
      <Top visit={visit} isShownOnce={screen.isShownOnce} />
      <div class="columns">
        <Menu visit={visit} now={screen.name} />
        <main id="content" tabIndex={-1}>
          <FlashLine visit={visit} />
          {screen.children}
          <TestClock visit={visit} />
        </main>
      </div>
      <p class="quiet" role="status" id="announcement" />
      <Shortcuts visit={visit} />
    </>
  )
}

function FlashLine({ visit: { flash, lang } }: { readonly visit: Visit }) {
  if (flash === undefined) return null
  return flash.isProblem === true ? (
    <p class="notice bad" role="alert">
      <strong>{DASHBOARD_WORDS[lang].error}</strong>
      {flash.text}
    </p>
  ) : (
    <p class="notice" role="status">
      {flash.text}
    </p>
  )
}

type TopProps = { readonly visit: Visit; readonly isShownOnce: true | undefined }

function Top({ visit, isShownOnce }: TopProps) {
  const { lang, person, ctx, request } = visit
  const words = DASHBOARD_WORDS[lang]
  return (
    <header class="top">
      <a class="mark" href="/dashboard">
        Malipo
      </a>
      <span class={`environment ${ctx.environment}`}>{words[ctx.environment]}</span>
      <search>
        <form class="search" action="/dashboard/search">
          <input
            type="search"
            name="q"
            aria-label={words.search}
            placeholder={words.searchHint}
            value={typeof request.query.q === 'string' ? request.query.q : ''}
            data-shortcut="/"
          />
          <button type="submit">{words.search}</button>
        </form>
      </search>
      {isShownOnce ? null : <Languages lang={lang} {...reopened(visit)} />}
      <div class="who">
        <a href="/dashboard/account">{person.user.name || person.user.email}</a>
        <Form visit={visit} action="/sign-out">
          <button type="submit" class="plain">
            {words.signOut}
          </button>
        </Form>
      </div>
    </header>
  )
}

/** Where the same page is opened in another language, with what its address says besides. */
function reopened({ request, reopenedAt }: Visit) {
  const [at = '', search] = reopenedAt.split('?')
  const query =
    search === undefined ? request.query : Object.fromEntries(new URLSearchParams(search))
  const kept = Object.entries(query).filter((pair): pair is [string, string] => {
    const [name, value] = pair
    return name !== 'lang' && typeof value === 'string'
  })
  return { at, kept: Object.fromEntries(kept.slice(-29)) }
}

function Menu({ visit, now }: { readonly visit: Visit; readonly now: Screen['name'] }) {
  const { lang, person } = visit
  const words = DASHBOARD_WORDS[lang]
  return (
    <details class="menu" open>
      <summary>{words.menu}</summary>
      <nav aria-label={words.menu}>
        <Merchants visit={visit} />
        <ul>
          <li>
            <MenuLink href="/dashboard" text={words.home} isNow={now === 'home'} />
          </li>
        </ul>
        {menuFor(person.role).map(({ group, names }) => (
          <div key={group}>
            <h2 id={`menu-${group}`}>{words[`group_${group}`]}</h2>
            <ul aria-labelledby={`menu-${group}`}>
              {names.map((name) => (
                <li key={name}>
                  <MenuLink href={`/dashboard/${name}`} text={words[name]} isNow={name === now} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </details>
  )
}

type MenuLinkProps = { readonly href: string; readonly text: string; readonly isNow: boolean }

const MenuLink = ({ href, text, isNow }: MenuLinkProps) => (
  <a href={href} aria-current={isNow ? 'page' : undefined}>
    {text}
  </a>
)

function Merchants({ visit }: { readonly visit: Visit }) {
  const { lang, person } = visit
  const words = DASHBOARD_WORDS[lang]
  const { memberships, merchant, role } = person
  const roleText = words[`role_${role}`]
  if (memberships.length < 2) {
    return (
      <p class="merchant">
        <strong>{merchant.name}</strong> <span>{roleText}</span>
      </p>
    )
  }
  return (
    <Form visit={visit} action="/dashboard/merchant" class="merchant">
      <label for="merchant">{words.merchant}</label>
      <select id="merchant" name="merchant">
        {memberships.map(({ slug, merchantName }) => (
          <option key={slug} value={slug} selected={slug === merchant.slug}>
            {merchantName}
          </option>
        ))}
      </select>
      <button type="submit">{words.switchMerchant}</button>
      <span>{roleText}</span>
    </Form>
  )
}

type FormProps = {
  readonly visit: Visit
  readonly action: string
  readonly class?: string
  readonly id?: string
  readonly values?: Readonly<Record<string, string>>
  /** It has a field for a file. */
  readonly hasFile?: true
  readonly children?: ComponentChildren
}

/** The only way to make a form that changes something: it carries its token. */
export function Form(props: FormProps) {
  const { visit, action, class: name, id, values = {}, hasFile, children } = props
  const enctype = hasFile && 'multipart/form-data'
  return (
    <form method="post" action={action} class={name} id={id} enctype={enctype} novalidate>
      <input type="hidden" name="form" value={visit.formToken} />
      {Object.entries(values).map(([key, value]) => (
        <input key={key} type="hidden" name={key} value={value} />
      ))}
      {children}
    </form>
  )
}

type MessageProps = { readonly visit: Visit; readonly heading: string; readonly text: string }

export function Message({ visit, heading, text }: MessageProps) {
  return (
    <>
      <h1>{heading}</h1>
      <p>{text}</p>
      <p>
        <a href="/dashboard">{DASHBOARD_WORDS[visit.lang].backHome}</a>
      </p>
    </>
  )
}

/** Something that is not there, or belongs to another merchant: both look the same. */
export function missingPage(visit: Visit): Page {
  const { missingHeading: heading, missing } = DASHBOARD_WORDS[visit.lang]
  return dashboardPage(visit, {
    heading,
    status: 404,
    isProblem: true,
    children: <Message visit={visit} heading={heading} text={missing} />,
  })
}

export function forbiddenPage(visit: Visit): Page {
  const words = DASHBOARD_WORDS[visit.lang]
  const { role, merchant } = visit.person
  const text = fill(words.forbidden, { role: words[`role_${role}`], merchant: merchant.name })
  const heading = words.forbiddenHeading
  return dashboardPage(visit, {
    heading,
    status: 403,
    isProblem: true,
    children: <Message visit={visit} heading={heading} text={text} />,
  })
}
