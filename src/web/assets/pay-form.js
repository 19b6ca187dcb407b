// The forms of a payment: Pay is sent once, a typed number selects its provider, and the last two
// minutes are announced.
{
  const form = document.forms.pay
  const announcement = document.getElementById('announcement')
  const time = document.getElementById('time')
  const number = form.elements.phoneNumber
  let sent = false
  // What the form began with is a suggestion, and follows the number.
  let chosen = 'begins' in form.dataset ? null : form.querySelector('[name=provider]:checked')
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault()
    sent = true
  })
  addEventListener('pageshow', () => {
    sent = false
  })
  form.addEventListener('change', async (event) => {
    if (event.target.name === 'provider') chosen = true
    if (event.target !== number || chosen) return
    const body = new URLSearchParams(new FormData(form))
    const asked = fetch(`${location.pathname}/provider`, { method: 'POST', body })
    const answer = await asked.catch(() => ({}))
    const { provider } = answer.ok ? await answer.json() : {}
    const radio = provider && form.querySelector(`[name=provider][value="${provider}"]:enabled`)
    if (!radio || chosen) return
    radio.checked = true
    announcement.textContent = form.dataset.selected.replace(
      '{provider}',
      radio.parentNode.querySelector('bdi').textContent,
    )
  })
  if (time.dataset.warns) {
    setTimeout(() => {
      time.className = 'time short'
      time.textContent = time.dataset.text
      announcement.textContent = time.dataset.text
    }, time.dataset.warns * 1000)
  }
}
