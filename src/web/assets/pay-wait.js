// A payment under way: waits for its next state with long requests, pauses while the page is
// hidden, and goes on when it is shown again.
{
  const get = (id) => document.getElementById(id)
  let timer
  let pause = 2
  let asking
  const later = () => {
    for (const one of document.querySelectorAll('[data-after]')) {
      one.hidden = one.dataset.after > 0
      setTimeout(() => {
        one.hidden = false
        one.open = true
        delete one.dataset.after
      }, one.dataset.after * 1000)
    }
  }
  const say = (isOff) => {
    const line = get('offline')
    if (!!line.textContent !== isOff) line.textContent = isOff ? line.dataset.text : ''
  }
  const plan = (seconds) => {
    clearTimeout(timer)
    timer = setTimeout(ask, seconds * 1000)
  }
  const swap = (text) => {
    const old = get('live')
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('live')
    if (!fresh) return location.reload()
    const hadFocus = old.contains(document.activeElement)
    old.replaceWith(fresh)
    later()
    if (!navigator.onLine) say(true)
    if (hadFocus) fresh.querySelector('a').focus({ preventScroll: true })
    const heading = fresh.querySelector('h1').textContent
    get('announcement').textContent = heading
    document.title = heading
  }
  const ask = async () => {
    if (document.hidden || asking) return
    asking = new AbortController()
    try {
      const { mark, next } = get('live').dataset
      const { signal } = asking
      // Not held while the page says that it is offline: any answer shows that it no longer is.
      const wasOff = !!get('offline').textContent
      const query = `wait=${wasOff ? 0 : 25}&v=${encodeURIComponent(mark)}`
      const answer = await fetch(`${location.pathname}/status?${query}`, { signal })
      const now = await answer.json()
      say(false)
      pause = 2
      if (now.isOver) return location.replace(next)
      if (now.mark !== mark) {
        const page = await fetch(location.href.replace(/wait=\d+/, ''), { signal })
        swap(await page.text())
      }
      plan(wasOff ? 0 : now.pause)
    } catch (error) {
      if (!navigator.onLine || error.name === 'TypeError') say(true)
      plan(pause)
      pause = Math.min(30, pause * 2)
    } finally {
      asking = undefined
    }
  }
  addEventListener('offline', () => {
    say(true)
    if (asking) asking.abort()
  })
  addEventListener('online', () => {
    say(false)
    plan(0)
  })
  document.addEventListener('visibilitychange', () => plan(0))
  later()
  ask()
}
