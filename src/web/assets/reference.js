// The filter, the mark of the section in view, and closing the drawer after a choice.
{
  const nav = document.getElementById('contents')
  const box = document.getElementById('filter')
  const items = [...nav.querySelectorAll('[data-find]')]
  box.parentElement.hidden = false
  box.addEventListener('input', () => {
    const parts = box.value.toLowerCase().split(/\s+/)
    let count = 0
    for (const item of items) {
      item.hidden = !parts.every((part) => item.dataset.find.includes(part))
      if (!item.hidden) count++
    }
    for (const part of nav.querySelectorAll('.part')) {
      const all = [...part.querySelectorAll('li')]
      part.hidden = box.value !== '' && all.every((item) => item.hidden || !item.dataset.find)
    }
    document.getElementById('announcement').textContent = box.dataset.count
      .replace('{count}', count)
      .replace('{total}', items.length)
  })
  nav.addEventListener('click', (event) => {
    if (event.target.closest('a') && nav.matches(':popover-open')) nav.hidePopover()
  })

  const links = new Map([...nav.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]))
  const places = [...document.querySelectorAll('main [id]')].filter((node) => links.has(node.id))
  let now
  const mark = () => {
    const passed = places.filter((node) => node.getBoundingClientRect().top < innerHeight / 3)
    const link = links.get((passed.pop() || places[0])?.id)
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
  let waiting = false
  addEventListener(
    'scroll',
    () => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => {
        waiting = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}
