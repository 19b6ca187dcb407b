// A list says how many payments have come since it was shown, while somebody looks at it: the server
// says so, or where that does not work, it is asked. Only a page that is looked at holds a connection.
let events
let asking
const line = () => document.querySelector('[data-newer]')

function say(count) {
  const newer = line()
  if (!newer || !count) return
  const { one, many } = newer.dataset
  newer.querySelector('span').textContent = count === 1 ? one : many.replace('{n}', count)
  newer.hidden = false
}

async function ask() {
  const address = line()?.dataset.newer
  if (!address || document.hidden) return
  const answer = await fetch(address).catch(() => undefined)
  // Nobody is signed in any more.
  if (answer?.redirected) return stopWatching()
  if (answer?.ok && line()?.dataset.newer === address) say((await answer.json()).count)
}

function stopWatching() {
  events?.close()
  clearInterval(asking)
  events = asking = undefined
}

function watch() {
  stopWatching()
  const address = line()?.dataset.events
  if (!address || document.hidden) return
  const poll = () => {
    asking ??= setInterval(ask, 10_000)
  }
  if (!('EventSource' in window)) return poll()
  events = new EventSource(address)
  events.onmessage = ({ data }) => say(JSON.parse(data).count)
  // The browser comes back by itself, to another node if need be, unless the node ended it.
  events.onerror = ({ target }) => target === events && target.readyState === 2 && poll()
}
document.addEventListener('visibilitychange', watch)
addEventListener('pagehide', stopWatching)
addEventListener('pageshow', watch)

// Filters, order and pages change the list alone. The address changes along, so Back and copied
// links lead to the same list; whatever goes wrong is left to the browser. Asked again before the
// answer has come, it shows what was asked for last.
let pending
async function show(address, isBack) {
  pending?.abort()
  const mine = new AbortController()
  pending = mine
  const list = document.querySelector('#list')
  list.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(address, { signal: mine.signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const fresh = page.querySelector('#list')
    if (!answer.ok || !fresh) throw new Error()
    if (!isBack) history.pushState({}, '', answer.url)
    const isSorting = document.activeElement?.matches('.sort')
    list.replaceWith(fresh)
    if (isSorting) fresh.querySelector('.sort')?.focus()
    else document.querySelector('#content').focus()
    const table = fresh.querySelector('caption, .empty')
    document.querySelector('#announcement').textContent = table?.textContent ?? ''
    watch()
  } catch {
    if (!mine.signal.aborted) location.assign(address)
  }
}

const isList = (address) =>
  address.origin === location.origin && address.pathname === location.pathname && address.search

addEventListener('click', (event) => {
  const link = event.target.closest?.('#list a[href]')
  if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey) return
  if (event.shiftKey || event.altKey || !isList(new URL(link.href))) return
  event.preventDefault()
  show(link.href)
})

addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'get' || !form.closest('#list')) return
  event.preventDefault()
  show(`${form.action}?${new URLSearchParams(new FormData(form))}`)
})

addEventListener('popstate', () => show(location.href, true))
