// The menu is open on wide screens; on a phone it opens when it is asked for.
const menu = document.querySelector('.menu')
if (menu && matchMedia('(max-width: 52rem)').matches) menu.open = false

// The current item is shown where the menu is longer than the screen; the page itself stays.
const now = menu?.querySelector('[aria-current]')
if (now && now.offsetTop + now.offsetHeight > menu.clientHeight) {
  menu.scrollTop = now.offsetTop - menu.clientHeight / 2
}

// Shortcuts: "/" searches, "g" and a letter goes to a page, "j" and "k" walk through a list.
let isGoing = false
const isTyping = (element) => element?.matches?.('input, select, textarea') ?? false

function walk(step) {
  const links = [...document.querySelectorAll('main tbody tr a:first-of-type')]
  const at = links.indexOf(document.activeElement)
  links[Math.min(links.length - 1, Math.max(0, at + step))]?.focus()
}

addEventListener('keydown', (event) => {
  if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
  const { key } = event
  if (isGoing) {
    isGoing = false
    document.querySelector(`#shortcuts [data-go="${CSS.escape(key)}"]`)?.click()
    return
  }
  if (key === '/') {
    event.preventDefault()
    document.querySelector('[data-shortcut="/"]')?.select()
  }
  if (key === '?') document.querySelector('#shortcuts')?.showModal?.()
  if (key === 'g') isGoing = true
  if (key === 'j') walk(1)
  if (key === 'k') walk(-1)
})

// What is being written is looked at again until it is done; the rest of the page stays.
async function refresh() {
  const part = document.querySelector('[data-refresh]')
  if (!part) return
  if (!document.hidden && !part.contains(document.activeElement)) {
    try {
      const answer = await fetch(location.href, {
        headers: { accept: 'text/html', 'x-watching': '1' },
      })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const fresh = answer.ok && page.getElementById(part.id)
      if (fresh) part.replaceWith(fresh)
    } catch {
      // The next look may find the network again.
    }
  }
  setTimeout(refresh, 2000)
}
setTimeout(refresh, 2000)
