/**
 * The script of the inbox, as it is served: keys, the line that tells of new mail, buttons that copy codes. The pages work without it.
 *
 * Keys press what the page has: `data-key` names an element's key, `data-row` an element that j and k move through. So `?` lists just what works on the page.
 */
import { hashOf } from '../page/frame.js'

export const SCRIPT = String.raw`const all = (selector) => [...document.querySelectorAll(selector)]
const seen = (element) => element.offsetParent !== null

function rows() {
  return all('[data-row]').filter(seen)
}
function current() {
  const line = document.activeElement?.closest('li')
  return line?.querySelector('[data-row]') ?? undefined
}
function move(step) {
  const list = rows()
  const at = list.indexOf(current())
  const next = list[at === -1 ? (step > 0 ? 0 : list.length - 1) : at + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
function press(key) {
  const found = all('[data-key]').filter((each) => each.dataset.key === key && seen(each))
  // Of several messages, the one with the focus is meant, or else the last.
  const message = document.activeElement?.closest('li')
  const target = found.find((each) => message?.contains(each)) ?? found.at(-1)
  if (!target) return false
  // In a list, a key means the current line alone, unless lines are selected.
  const boxes = all('.mails input[name=item]')
  const own = current()?.closest('li')?.querySelector('input[name=item]')
  if (boxes.length > 0 && own && target.form?.contains(own) && !boxes.some((box) => box.checked)) own.checked = true
  if (target.matches('input')) {
    target.focus()
    target.select()
  } else target.click()
  return true
}

const NAMES = { j: 'Next', k: 'Previous', o: 'Open', '/': 'Search', l: 'Label', u: 'Back to the list', '?': 'This list' }
function help() {
  const open = document.querySelector('dialog.keys')
  if (open) return open.close()
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  dialog.setAttribute('aria-label', 'Keys')
  const list = document.createElement('dl')
  const keys = [...(rows().length > 0 ? ['j', 'k', 'o'] : []), ...all('[data-key]').filter(seen).map((each) => each.dataset.key), '?']
  for (const key of new Set(keys)) {
    const name = document.createElement('dt')
    const what = document.createElement('dd')
    const shown = document.createElement('kbd')
    shown.textContent = key
    name.append(shown)
    what.textContent = NAMES[key] ?? all('[data-key]').find((each) => each.dataset.key === key).textContent
    list.append(name, what)
  }
  const close = document.createElement('button')
  close.className = 'plain'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(list, close)
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const { key, target } = event
  if (target.matches?.('input:not([type=checkbox]), textarea, select')) {
    if (key === 'Escape') target.blur()
    return
  }
  if (key === '?') help()
  else if (document.querySelector('dialog[open]')) return
  else if (key === 'j') move(1)
  else if (key === 'k') move(-1)
  else if (key === 'o') current()?.click()
  else if (!press(key)) return
  event.preventDefault()
})

for (const code of all('[data-copy]')) {
  const button = document.createElement('button')
  button.className = 'plain copy'
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  })
  code.after(' ', button)
}

const line = document.querySelector('[data-arrivals]')
let stream
let retry
function told() {
  const link = document.createElement('a')
  link.href = location.href
  link.textContent = 'New mail has come. Show it.'
  line.replaceChildren(link)
  line.classList.add('has-come')
  stop()
}
function stop() {
  clearTimeout(retry)
  stream?.close()
  stream = undefined
}
function listen() {
  if (stream || line.classList.contains('has-come')) return
  stream = new EventSource(line.dataset.arrivals)
  stream.addEventListener('mail', told)
  stream.addEventListener('error', () => {
    // An answer other than a stream ends it for good: signed out, or open in too many windows.
    if (stream?.readyState !== EventSource.CLOSED) return
    stop()
    retry = setTimeout(listen, 60_000)
  })
}
const undo = document.querySelector('[data-shown]')
function passed() {
  undo.remove()
  document.querySelector('[data-then]').hidden = false
}
if (undo) setTimeout(passed, Number(undo.dataset.shown))

if (line) {
  const follow = () => (document.visibilityState === 'visible' ? listen() : stop())
  document.addEventListener('visibilitychange', follow)
  follow()
}
`

/** Its name changes with its content, so that browsers may cache it forever. */
export const SCRIPT_PATH = `/pages/inbox-${hashOf(SCRIPT)}.js`
