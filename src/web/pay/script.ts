/**
 * Comfort for browsers that run scripts; every screen works without. Each page carries the one that
 * it needs, allowed by its hash.
 */

/** C-1, choice of a country included, and C-2: one Pay for one form, the provider of a typed number, the last two minutes. */
export const FORM_SCRIPT = `{
const form = document.forms.pay, announcement = document.getElementById('announcement')
const time = document.getElementById('time'), number = form.elements.phoneNumber
let sent, chosen = form.querySelector('[name=provider]:checked')
form.addEventListener('submit', (event) => {
  if (sent) event.preventDefault()
  sent = true
})
addEventListener('pageshow', () => { sent = false })
form.addEventListener('change', async (event) => {
  if (event.target.name === 'provider') chosen = true
  if (event.target !== number || chosen) return
  const body = new URLSearchParams(new FormData(form))
  const answer = await fetch(location.pathname + '/provider', { method: 'POST', body }).catch(() => 0)
  const { provider } = answer.ok ? await answer.json() : {}
  const radio = provider && form.querySelector('[name=provider][value="' + provider + '"]:enabled')
  if (!radio || chosen) return
  radio.checked = true
  announcement.textContent = form.dataset.selected.replace('{provider}', radio.parentNode.querySelector('bdi').textContent)
})
if (time.dataset.warns) setTimeout(() => {
  time.className = 'time short'
  announcement.textContent = time.textContent = time.dataset.text
}, time.dataset.warns * 1000)
}`

/** C-3, C-4 and C-7: asks with a long wait, pauses while hidden, goes on when it is back. */
export const WAIT_SCRIPT = `{
const get = (id) => document.getElementById(id)
let timer, pause = 2, asking
const later = () => {
  for (const one of document.querySelectorAll('[data-after]')) {
    one.hidden = one.dataset.after > 0
    setTimeout(() => { one.hidden = false; one.open = true; delete one.dataset.after }, one.dataset.after * 1000)
  }
}
const say = (isOff) => {
  const line = get('offline')
  if (!!line.textContent !== isOff) line.textContent = isOff ? line.dataset.text : ''
}
const plan = (seconds) => { clearTimeout(timer); timer = setTimeout(ask, seconds * 1000) }
const swap = (text) => {
  const old = get('live'), fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('live')
  if (!fresh) return location.reload()
  const hadFocus = old.contains(document.activeElement)
  old.replaceWith(fresh)
  later()
  if (hadFocus) fresh.querySelector('a').focus({ preventScroll: true })
  document.title = get('announcement').textContent = fresh.querySelector('h1').textContent
}
const ask = async () => {
  if (document.hidden || asking) return
  asking = new AbortController()
  try {
    const { mark, next } = get('live').dataset, { signal } = asking
    const answer = await fetch(location.pathname + '/status?wait=25&v=' + encodeURIComponent(mark), { signal })
    const now = await answer.json()
    say(false)
    pause = 2
    if (now.isOver) return location.replace(next)
    if (now.mark !== mark) swap(await (await fetch(location.href.replace(/wait=\\d+/, ''), { signal })).text())
    plan(now.pause)
  } catch (error) {
    if (!navigator.onLine || error.name === 'TypeError') say(true)
    plan(pause)
    pause = Math.min(30, pause * 2)
  } finally { asking = 0 }
}
addEventListener('offline', () => { say(true); if (asking) asking.abort() })
addEventListener('online', () => plan(0))
document.addEventListener('visibilitychange', () => plan(0))
later()
ask()
}`

/** C-5, C-6 and C-10: leads back by itself, unless the customer wants to stay. */
export const RESULT_SCRIPT = `{
const line = document.getElementById('leaving'), left = document.getElementById('seconds')
const leave = () => location.replace(line.querySelector('a').href)
if (line.dataset.in === '0') leave()
else {
  line.hidden = false
  const timer = setInterval(() => { if (!(left.textContent -= 1)) { clearInterval(timer); leave() } }, 1000)
  document.getElementById('stay').onclick = () => { clearInterval(timer); line.hidden = true; document.querySelector('h1').focus() }
}
}`
