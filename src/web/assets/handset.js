// Waits for changes with long requests and swaps in the new handset; typed text and focus stay.
{
  const get = (id) => document.getElementById(id)
  let pause = 1
  let timer
  let asking
  const plan = (seconds) => {
    clearTimeout(timer)
    timer = setTimeout(ask, seconds * 1000)
  }
  const say = (isOff) => {
    const line = get('offline')
    if (!!line.textContent !== isOff) line.textContent = isOff ? line.dataset.text : ''
  }
  const swap = (text) => {
    const old = get('handset')
    const fresh = new DOMParser().parseFromString(text, 'text/html').getElementById('handset')
    if (!fresh) return location.reload()
    const active = old.contains(document.activeElement) ? document.activeElement.id : undefined
    for (const id of ['pin', 'code']) {
      const from = old.querySelector(`#${id}`)
      const to = fresh.querySelector(`#${id}`)
      if (from && to) to.value = from.value
    }
    const heading = fresh.querySelector('#prompt')
    const isNew = heading && !old.querySelector('#prompt')
    old.replaceWith(fresh)
    if (active !== undefined) {
      const target = (active && get(active)) || heading || get('code')
      target.focus({ preventScroll: true })
    }
    const first = fresh.querySelector('.messages li p')
    get('announcement').textContent = isNew
      ? `${heading.textContent}: ${fresh.querySelector('.ask').textContent}`
      : (first?.textContent ?? '')
  }
  const ask = async () => {
    if (document.hidden || asking) return
    asking = true
    try {
      const { number, version } = get('handset').dataset
      const answer = await fetch(`/sandbox/live/${number}?wait=20&v=${version}`)
      if (answer.status === 401) return location.reload()
      if (!answer.ok) throw new Error()
      const now = await answer.json()
      say(false)
      pause = 1
      if (now.version !== version) swap(await (await fetch(location.href)).text())
      plan(0.05)
    } catch {
      say(true)
      plan(pause)
      pause = Math.min(30, pause * 2)
    } finally {
      asking = false
    }
  }
  document.addEventListener('visibilitychange', () => plan(0))
  addEventListener('online', () => plan(0))
  ask()
}
