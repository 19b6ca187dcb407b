/**
 * Copy buttons. Pages work without any script; this only adds comfort, which is why the buttons
 * are hidden until it runs. `navigator.clipboard` is absent on plain http outside this machine.
 */
export const PAGE_SCRIPT = `{
  const announcement = document.getElementById('announcement')
  const say = (button, text) => {
    announcement.textContent = text
    const label = button.dataset.label || (button.dataset.label = button.textContent)
    button.textContent = text === button.dataset.done ? text : label
    setTimeout(() => { button.textContent = label; announcement.textContent = '' }, 2000)
  }
  const select = (node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    getSelection().removeAllRanges()
    getSelection().addRange(range)
  }
  for (const button of document.querySelectorAll('button.copy')) {
    button.hidden = false
    button.addEventListener('click', async () => {
      const node = button.closest('.code').querySelector('code')
      try {
        if (navigator.clipboard) await navigator.clipboard.writeText(node.textContent)
        else {
          select(node)
          if (!document.execCommand('copy')) throw new Error('refused')
        }
        say(button, button.dataset.done)
      } catch {
        select(node)
        say(button, button.dataset.failed)
      }
    })
  }
}
`
