/**
 * The script of passkeys, as it is served: it shows the forms with `data-passkey` where the browser has Web Authentication, asks the server for the options,
 * the authenticator for its response, and sends that with the form.
 */
import { hashOf } from '../page/frame.js'

export const PASSKEY_SCRIPT = String.raw`const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

const FIELDS = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
function toJson(credential) {
  const response = {}
  for (const field of FIELDS) if (credential.response[field]) response[field] = toText(credential.response[field])
  return JSON.stringify({
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response,
  })
}

async function credentialFor(form) {
  const answer = await fetch(form.dataset.options, { method: 'POST', body: new URLSearchParams(new FormData(form)) })
  if (!answer.ok) throw new Error('The server refused. Reload the page, and try again.')
  const publicKey = await answer.json()
  publicKey.challenge = toBytes(publicKey.challenge)
  if (form.dataset.passkey === 'get') return navigator.credentials.get({ publicKey })
  publicKey.user.id = toBytes(publicKey.user.id)
  for (const each of publicKey.excludeCredentials) each.id = toBytes(each.id)
  return navigator.credentials.create({ publicKey })
}

const WORDS = {
  NotAllowedError: 'It was cancelled, took too long, or there is no passkey for this site here.',
  InvalidStateError: 'This device has a passkey of this account already.',
}

if (window.PublicKeyCredential)
  for (const form of document.querySelectorAll('form[data-passkey]')) {
    const alert = form.querySelector('[role=alert]')
    form.hidden = false
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      alert.hidden = true
      try {
        form.elements.credential.value = toJson(await credentialFor(form))
        form.submit()
      } catch (error) {
        alert.textContent = WORDS[error.name] ?? error.message
        alert.hidden = false
      }
    })
  }
`

export const PASSKEY_SCRIPT_PATH = `/pages/passkey-${hashOf(PASSKEY_SCRIPT)}.js`
