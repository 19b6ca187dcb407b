// The result of a payment: returns to the merchant by itself, unless the customer stays.
{
  const line = document.getElementById('leaving')
  const left = document.getElementById('seconds')
  const leave = () => location.replace(line.querySelector('a').href)
  if (line.dataset.in === '0') leave()
  else {
    line.hidden = false
    const timer = setInterval(() => {
      left.textContent -= 1
      if (left.textContent !== '0') return
      clearInterval(timer)
      leave()
    }, 1000)
    const stay = () => {
      clearInterval(timer)
      line.hidden = true
    }
    document.getElementById('stay').onclick = () => {
      stay()
      document.querySelector('h1').focus()
    }
    document.getElementById('save')?.addEventListener('click', stay)
  }
}
