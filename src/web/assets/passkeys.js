// Passkeys. A form carries what the browser is asked for; without this script it stays hidden.
{
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
      sign.charCodeAt(0),
    )
  const text = (buffer) =>
    buffer
      ? btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/=+$/, '')
      : undefined
  const named = (list = []) => list.map((one) => ({ ...one, id: bytes(one.id) }))

  async function ask(form) {
    const asked = JSON.parse(form.dataset.passkey)
    const publicKey = { ...asked, challenge: bytes(asked.challenge) }
    if (!asked.user) {
      publicKey.allowCredentials = named(asked.allowCredentials)
      return navigator.credentials.get({ publicKey })
    }
    publicKey.user = { ...asked.user, id: bytes(asked.user.id) }
    publicKey.excludeCredentials = named(asked.excludeCredentials)
    return navigator.credentials.create({ publicKey })
  }

  const written = ({ id, rawId, type, response }) => ({
    id,
    rawId: text(rawId),
    type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      authenticatorData: response.signature && text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: text(response.userHandle),
      transports: response.getTransports?.(),
    },
  })

  if (window.PublicKeyCredential) {
    for (const form of document.querySelectorAll('form[data-passkey]')) {
      form.hidden = false
      form.addEventListener('submit', async (event) => {
        event.preventDefault()
        const problem = form.querySelector('.problem')
        problem.hidden = true
        try {
          form.querySelector('[data-answer]').value = JSON.stringify(written(await ask(form)))
          form.submit()
        } catch {
          problem.hidden = false
        }
      })
    }
  }
}
