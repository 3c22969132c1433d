/** The rules of `<style>` elements that hide or colour text, for the selectors that mail uses: an element, a class, an id. */
import { declare, type Declarations } from './style.js'

/** Generated text of an element, by CSS `content`. */
export interface Generated {
  before: string
  after: string
}

export interface Sheet {
  /** Declarations for an element name, `.class`, `#id` or `name.class`. */
  rules: Map<string, Declarations>
  generated: Map<string, Generated>
  /** Some backgrounds are set by selectors that are not read here, so light letters may be on a dark ground. */
  hasOtherGrounds: boolean
}

const MAX_RULES = 2000
const MAX_SHEET_CHARS = 256 * 1024
const RELEVANT =
  /display|visib|opacity|color|background|font|indent|position|margin|height|width|clip|direction|bidi|float|transform|content|filter|zoom/i
const SIMPLE = /^(?:[a-z][a-z0-9]{0,20})?(?:[.#][\w-]{1,80})?$/i
const GENERATING = /^((?:[a-z][a-z0-9]{0,20})?(?:[.#][\w-]{1,80})?)::?(before|after)$/i
const CONTENT = /(?:^|[;\s])content\s*:\s*(attr\([\w-]{1,40}\)|["'])/i
const OPENING = /<!--|<style\b[^>]*>/gi
const COMMENT_END = /--!?>/g

export function sheetOf(html: string): Sheet {
  const sheet: Sheet = { rules: new Map(), generated: new Map(), hasOtherGrounds: false }
  let chars = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(html); match && chars < MAX_SHEET_CHARS; match = OPENING.exec(html)) {
    if (match[0].startsWith('<!')) {
      COMMENT_END.lastIndex = match.index + 2
      if (!COMMENT_END.exec(html)) break
      OPENING.lastIndex = COMMENT_END.lastIndex
      continue
    }
    const end = html.indexOf('</', OPENING.lastIndex)
    const css = html.slice(OPENING.lastIndex, end === -1 ? html.length : end).slice(0, MAX_SHEET_CHARS - chars)
    chars += css.length
    readSheet(css, sheet)
    OPENING.lastIndex = end === -1 ? html.length : end
  }
  return sheet
}

function readSheet(css: string, sheet: Sheet): void {
  const text = css.replace(/\/\*.*?(?:\*\/|$)/gs, ' ').replace(/<!--|-->/g, ' ')
  let at = 0
  let count = 0
  while (count++ < MAX_RULES) {
    const open = text.indexOf('{', at)
    if (open === -1) return
    const before = text.slice(at, open)
    const selector = before.slice(Math.max(before.lastIndexOf('}'), before.lastIndexOf(';')) + 1).trim()
    if (selector.startsWith('@')) {
      // Rules for other media, or for some widths only, are skipped; the others are read as if they stood outside.
      const applies = /^@media\s+(?:only\s+)?(?:screen|all)\s*$|^@supports/i.test(selector)
      at = applies ? open + 1 : blockEnd(text, open)
      continue
    }
    let close = text.indexOf('}', open)
    if (close === -1) close = text.length
    const body = text.slice(open + 1, close)
    at = close + 1
    if (RELEVANT.test(body)) addRule(selector, body, sheet)
  }
}

function blockEnd(text: string, open: number): number {
  let depth = 0
  for (let i = open; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x7b) depth++
    else if (code === 0x7d && --depth === 0) return i + 1
  }
  return text.length
}

/** The body is read once, however many selectors it has. */
function addRule(selectors: string, body: string, sheet: Sheet): void {
  const declared: Declarations = new Map()
  declare(body, declared)
  let content: string | undefined
  for (const selector of new Set(selectors.split(',').map((one) => one.trim()))) {
    const generating = GENERATING.exec(selector)
    if (generating) addGenerated(generating, (content ??= contentOf(body)), sheet)
    else if (selector !== '' && SIMPLE.test(selector)) {
      const key = keyOf(selector)
      const known = sheet.rules.get(key)
      sheet.rules.set(key, known ? new Map([...known, ...declared]) : declared)
    } else if (/background/i.test(body)) sheet.hasOtherGrounds = true
  }
}

/** The text of `content`, `attr(name)` as it is; '' for none. */
function contentOf(body: string): string {
  const found = CONTENT.exec(body)
  if (!found) return ''
  const [all, value = ''] = found
  return value.length > 1 ? value : stringAt(body, found.index + all.length, value)
}

function addGenerated([, selector = '', place]: RegExpExecArray, content: string, sheet: Sheet): void {
  if (content === '' || selector === '') return
  const key = keyOf(selector)
  const known = sheet.generated.get(key) ?? { before: '', after: '' }
  sheet.generated.set(
    key,
    place?.toLowerCase() === 'before' ? { ...known, before: content } : { ...known, after: content },
  )
}

/** A string (CSS Syntax Level 3, §4.3.5) from behind its opening quote; without a closing one, all that is left. */
function stringAt(body: string, from: number, quote: string): string {
  let end = body.indexOf(quote, from)
  while (end !== -1 && isEscaped(body, end, from)) end = body.indexOf(quote, end + 1)
  return unescaped(body.slice(from, end === -1 ? body.length : end))
}

/** An odd number of backslashes before it. */
function isEscaped(body: string, at: number, from: number): boolean {
  let start = at
  while (start > from && body[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}

function unescaped(text: string): string {
  return text.replace(/\\(?:([\da-f]{1,6})\s?|([^\da-f]))/gi, (_, hex: string | undefined, other = '') => {
    if (hex === undefined) return other === '\n' ? '' : String(other)
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const keyOf = (selector: string): string => {
  const mark = selector.search(/[.#]/)
  return mark === -1 ? selector.toLowerCase() : selector.slice(0, mark).toLowerCase() + selector.slice(mark)
}

const MAX_CLASSES = 20

/** Keys of an element, the weakest selector first. */
export function selectorsOf(name: string, classes: string | undefined, id: string | undefined): string[] {
  const keys = [name]
  if (classes !== undefined)
    for (const one of classes.trim().split(/\s+/).slice(0, MAX_CLASSES)) keys.push(`.${one}`, `${name}.${one}`)
  if (id !== undefined) keys.push(`#${id.trim()}`, `${name}#${id.trim()}`)
  return keys
}
