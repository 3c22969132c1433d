/** Which quoted text is history: only what stands in the stored message that is replied to. What else is marked as a quote is the author's. */
import { withoutHistory } from '../../mime/reply/reply.js'

export interface Parts {
  fresh: string
  history: string
}

/** Min length for judging the text above quoted history alone, where nobody knows the parent: a mark of history at the top hides nothing. */
const MIN_NEW_CHARS = 80
/** Bounds on the work for quotes that are not in the parent. */
const MAX_MISSES = 100
const MAX_RESTARTS = 400
/** Shorter lines of HTML are in any message. */
const MIN_LINE_CHARS = 12

const QUOTED_HTML = /<blockquote|_quote/i
/** Programs quote near the top or at the end; the rest of a large message is not searched. */
const MAX_SEARCHED_CHARS = 256 * 1024

/** True if it marks anything as quoted. @param own its text without history and signature, null if that is all of it */
export function quotesSomething({
  text,
  html,
  own,
}: {
  text: string
  html: string | null
  own: string | null
}): boolean {
  if (own !== null && own.length < text.trim().length) return true
  return html !== null && QUOTED_HTML.test(html.slice(0, MAX_SEARCHED_CHARS))
}

/** @param isAnswer the recipient is known to have written what is quoted */
export function partsByMarks(text: string, isAnswer: boolean): Parts {
  const fresh = withoutHistory(text)
  if (fresh.length >= text.trimEnd().length - 1) return { fresh: text, history: '' }
  if (!isAnswer && fresh.trim().length < MIN_NEW_CHARS) return { fresh: text, history: '' }
  const kept = new Set(fresh.split('\n'))
  const history = text.split('\n').filter((line) => !kept.has(line))
  return { fresh, history: history.join('\n').replace(/^[> ]+/gm, '') }
}

/**
 * @param parent words of the parent, '' if there is none
 * @param plain the form in which words are compared
 */
export function partsByParent(text: string, parent: string, plain: (line: string) => string): Parts {
  const fresh = withoutHistory(text)
  if (fresh.length >= text.trimEnd().length - 1) return { fresh: text, history: '' }
  const kept = new Set(fresh.split('\n'))
  const stands = finderIn(parent)
  const [own, history]: [string[], string[]] = [[], []]
  for (const line of text.split('\n')) {
    const unmarked = line.replace(/^[> ]+/, '')
    if (kept.has(line)) own.push(line)
    else if (stands(plain(unmarked))) history.push(unmarked)
    else own.push(unmarked)
  }
  return { fresh: own.join('\n'), history: history.join('\n') }
}

/** Lines of shown HTML that stand in the parent. */
export function linesOfParent(shown: string, parent: string, plain: (line: string) => string): Parts {
  if (parent === '') return { fresh: shown, history: '' }
  const stands = finderIn(parent)
  const [own, history]: [string[], string[]] = [[], []]
  for (const line of shown.split('\n')) {
    const words = plain(line)
    if (words.length >= MIN_LINE_CHARS && stands(words)) history.push(line)
    else own.push(line)
  }
  return { fresh: own.join('\n'), history: history.join('\n') }
}

/** Lines are looked for in order, since quotes are. */
function finderIn(parent: string): (words: string) => boolean {
  let from = 0
  let misses = 0
  let restarts = 0
  return (words) => {
    if (words === '') return true
    if (misses > MAX_MISSES || parent === '') return false
    let at = parent.indexOf(words, from)
    if (at === -1 && from > 0 && restarts++ < MAX_RESTARTS) at = parent.indexOf(words)
    if (at === -1) misses++
    else from = at
    return at !== -1
  }
}
