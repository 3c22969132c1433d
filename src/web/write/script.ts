/**
 * The script of the pages for writing, as it is served, after that of the inbox: saves the draft while a human writes, takes files that are dropped or pasted,
 * completes the last address of a list, and warns before unsaved words are left. The pages work without it.
 */
import { SCRIPT } from '../inbox/script.js'
import { hashOf } from '../page/frame.js'

/** Milliseconds without a key before the draft is saved, and between two saves. */
const QUIET_MS = 3000

const WRITING = String.raw`
const paper = document.querySelector('[data-write]')
const field = (name) => paper.elements.namedItem(name)
const word = document.querySelector('[data-saved]')
let isChanged = false
let isLeaving = false
let isStopped = false
let saving
let later

function noteChange() {
  isChanged = true
  clearTimeout(later)
  if (!isStopped) later = setTimeout(save, ${QUIET_MS})
}
function save() {
  saving ??= post().finally(() => {
    saving = undefined
    if (isChanged && !isLeaving) noteChange()
  })
  return saving
}
async function post() {
  clearTimeout(later)
  isChanged = false
  const body = new FormData(paper)
  body.set('do', 'auto')
  const chosen = [...field('files').files]
  try {
    const answer = await fetch(paper.action, { method: 'POST', body })
    const result = await answer.json()
    if (!answer.ok) {
      isStopped = true
      isChanged = true
      word.textContent = 'Not saved. ' + result.problem + ' Press “Save draft” to see what can be done.'
      return
    }
    accept(result, chosen)
  } catch {
    isChanged = true
    word.textContent = 'Not saved: this server was not reached, or you are signed out. It is tried again.'
  }
}
function accept({ revision, form, files, unread, at }, chosen) {
  field('revision').value = revision
  field('form').value = form
  const box = field('mailbox')
  if (box.tagName === 'SELECT') {
    // Its draft is in that mailbox by now; the address may still change.
    const mailbox = ({ value }) => value.split('/')[0]
    for (const option of [...box.options]) if (mailbox(option) !== mailbox(box)) option.remove()
  }
  history.replaceState(null, '', at)
  // Those chosen meanwhile are still to be sent.
  const rest = new DataTransfer()
  for (const file of field('files').files) if (!chosen.includes(file)) rest.items.add(file)
  field('files').files = rest.files
  const off = new Set(all('[data-kept] input[name=keep]:not(:checked)').map((each) => each.value))
  document.querySelector('[data-kept]').replaceChildren(...files.filter(({ id }) => !off.has(id)).map(lineOf))
  const time = new Date().toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  word.textContent = 'Saved at ' + time + '.' + (unread.length > 0 ? ' Not yet readable: ' + unread.join(', ') + '.' : '')
}
function lineOf({ id, filename }) {
  const line = document.createElement('li')
  const label = document.createElement('label')
  const box = document.createElement('input')
  const name = document.createElement('bdi')
  label.className = 'tick'
  Object.assign(box, { type: 'checkbox', name: 'keep', value: id, defaultChecked: true })
  name.textContent = filename
  label.append(box, name)
  line.append(label)
  return line
}
function take(files) {
  if (files.length === 0) return false
  const both = new DataTransfer()
  for (const file of [...field('files').files, ...files]) both.items.add(file)
  field('files').files = both.files
  noteChange()
  return true
}

paper.addEventListener('input', noteChange)
paper.addEventListener('submit', async (event) => {
  isLeaving = true
  clearTimeout(later)
  if (!saving) return
  // The form has to name the revision that is being stored.
  event.preventDefault()
  await saving
  paper.requestSubmit(event.submitter)
})
addEventListener('beforeunload', (event) => {
  if ((isChanged || saving) && !isLeaving) event.preventDefault()
})
paper.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault()
    document.querySelector('[data-send]').click()
  } else if (event.target.matches('input[type=text]')) event.preventDefault()
})
paper.addEventListener('paste', (event) => {
  if (take(event.clipboardData.files)) event.preventDefault()
})
for (const name of ['dragover', 'drop']) {
  paper.addEventListener(name, (event) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    if (name === 'drop') take(event.dataTransfer.files)
  })
}

const people = all('#people option').map((each) => each.value)
for (const name of ['to', 'cc', 'bcc']) {
  field(name).addEventListener('input', ({ target }) => {
    const before = target.value.slice(0, target.value.lastIndexOf(',') + 1)
    const given = before === '' ? '' : before + ' '
    document.querySelector('#people').replaceChildren(
      ...people.map((each) => Object.assign(document.createElement('option'), { value: given + each })),
    )
  })
}

const when = field('send_at')
const local = document.querySelector('[data-local]')
const rule = local.textContent
function tellLocal() {
  local.textContent = when.value === '' ? rule : 'Where you are, that is ' + new Date(when.value + 'Z').toLocaleString() + '.'
}
when.addEventListener('input', tellLocal)
tellLocal()
`

export const WRITE_SCRIPT = SCRIPT + WRITING

export const WRITE_SCRIPT_PATH = `/pages/write-${hashOf(WRITE_SCRIPT)}.js`
