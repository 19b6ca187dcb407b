// Copy buttons. Pages work without any script; the buttons stay hidden until this one runs.
{
  const announcement = document.getElementById('announcement')
  const say = (button, text) => {
    announcement.textContent = text
    button.dataset.label ||= button.textContent
    const { label } = button.dataset
    button.textContent = text === button.dataset.done ? text : label
    setTimeout(() => {
      button.textContent = label
      announcement.textContent = ''
    }, 2000)
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
        // Absent on plain http, except on this machine.
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
