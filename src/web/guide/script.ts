/** The script of the docs: buttons that copy, the language of examples on all pages, results as one types. The pages work without it. */
import { hashOf } from '../page/frame.js'
import { foundWords, matching, SEARCH_PATH } from './search.js'

export const SCRIPT = String.raw`const all = (selector) => [...document.querySelectorAll(selector)]
const matching = ${matching.toString()}
const foundWords = ${foundWords.toString()}

for (const listing of all('.listing')) {
  // A page that was saved has its buttons.
  if (listing.querySelector('.copy')) continue
  const text = listing.querySelector('code')
  const button = document.createElement('button')
  button.className = 'plain copy'
  button.type = 'button'
  button.setAttribute('aria-live', 'polite')
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text.textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  listing.append(button)
}

const field = document.querySelector('[role=search] input')
const place = document.querySelector('[data-found]')
let index
let asked = ''
function entries() {
  index ??= fetch('${SEARCH_PATH}').then((answer) => {
    if (!answer.ok) throw new Error('The index can\'t be read: ' + answer.status)
    return answer.json()
  })
  // Without the index, the form still searches.
  index.catch(() => (index = undefined))
  return index
}
function lineOf({ title, about, href }) {
  const line = document.createElement('li')
  const link = document.createElement('a')
  const more = document.createElement('span')
  link.href = href
  link.textContent = title
  more.className = 'small'
  more.textContent = about
  line.append(link, ' ', more)
  return line
}
function show(found) {
  let words = place.querySelector('[role=status]')
  if (!words) {
    words = document.createElement('p')
    words.setAttribute('role', 'status')
    place.prepend(words)
  }
  words.textContent = foundWords(found.length)
  place.querySelector('ul')?.remove()
  if (found.length === 0) return
  const list = document.createElement('ul')
  list.className = 'found'
  list.append(...found.map(lineOf))
  place.append(list)
}
field?.addEventListener('input', async () => {
  asked = field.value.trim()
  const query = asked
  if (query === '') return place.replaceChildren()
  const known = await entries()
  // The newest text counts.
  if (query === asked) show(matching(known, query))
})

addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (!field || event.target.matches?.('input, textarea, select')) return
  event.preventDefault()
  field.focus()
  field.select()
})

// Last, as a browser that stores nothing throws here: each page then begins with the first language.
const choices = all('.samples input')
const chosen = localStorage.getItem('language')
for (const choice of choices) {
  if (choice.value === chosen) choice.checked = true
  choice.addEventListener('change', () => localStorage.setItem('language', choice.value))
}
`

/** Its name changes with its content, so that browsers may cache it forever. */
export const SCRIPT_PATH = `/pages/docs-${hashOf(SCRIPT)}.js`
