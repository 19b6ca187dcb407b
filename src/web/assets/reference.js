// Links into the former single page, the language of examples, search while typing, and the mark of
// the section in view. Everything works without it, in one step more.
{
  const nav = document.getElementById('contents')
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover()
  })

  // On the index every former anchor is at the link to its page.
  const forward = () => {
    const place =
      location.hash && document.querySelector('.index')
        ? document.getElementById(decodeURIComponent(location.hash.slice(1)))
        : null
    const link = place?.querySelector('a')
    if (link) location.replace(link.href)
  }
  forward()
  addEventListener('hashchange', forward)

  // A field in a folded answer is shown when somebody comes for it.
  const unfold = () => {
    const place = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    const folded = place?.closest('details:not([open])')
    if (!folded) return
    folded.open = true
    place.scrollIntoView()
  }
  unfold()
  addEventListener('hashchange', unfold)

  const KEY = 'malipo-docs-language'
  const choose = (value) => {
    for (const input of document.querySelectorAll('.request input')) {
      input.checked = input.value === value
    }
  }
  try {
    const chosen = localStorage.getItem(KEY)
    if (document.querySelector(`.request input[value="${CSS.escape(chosen)}"]`)) choose(chosen)
  } catch {}
  document.addEventListener('change', (event) => {
    const input = event.target
    if (!input.closest('.request')) return
    const { top } = input.parentElement.getBoundingClientRect()
    choose(input.value)
    // Examples above may have changed their height.
    scrollBy(0, input.parentElement.getBoundingClientRect().top - top)
    try {
      localStorage.setItem(KEY, input.value)
    } catch {}
  })

  const box = document.getElementById('search')
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target.closest('input, textarea, select') || !box.checkVisibility()) return
    event.preventDefault()
    box.focus()
  })

  const found = document.getElementById('found')
  if (found) {
    let asking
    const ask = async () => {
      const query = `?q=${encodeURIComponent(box.value.trim())}`
      asking?.abort()
      asking = new AbortController()
      try {
        const answer = await fetch(location.pathname + query, { signal: asking.signal })
        const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
        found.replaceChildren(...page.getElementById('found').childNodes)
        document.title = page.title
        history.replaceState(null, '', query)
        const summary = found.querySelector('.summary')
        document.getElementById('announcement').textContent = summary ? summary.textContent : ''
      } catch {}
    }
    let waiting
    box.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(ask, 200)
    })
  }

  const links = new Map(
    [...nav.querySelectorAll('.parts a')].map((link) => [link.hash.slice(1), link]),
  )
  const places = [...document.querySelectorAll('main [id]')].filter((node) => links.has(node.id))
  let now
  const mark = () => {
    const passed = places.filter((node) => node.getBoundingClientRect().top < innerHeight / 3)
    const link = links.get(passed.pop()?.id)
    if (link === now) return
    if (now) now.removeAttribute('aria-current')
    now = link
    if (!now) return
    now.setAttribute('aria-current', 'true')
    const { top, bottom } = now.getBoundingClientRect()
    if (nav.scrollHeight > nav.clientHeight && (top < 80 || bottom > innerHeight - 40)) {
      nav.scrollTop += top - innerHeight / 2
    }
  }
  let isDue = false
  addEventListener(
    'scroll',
    () => {
      if (isDue) return
      isDue = true
      requestAnimationFrame(() => {
        isDue = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
