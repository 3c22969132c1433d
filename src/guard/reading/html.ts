/**
 * HTML as its reader sees it: what is shown, what is hidden, and what only some readers see. One pass, linear for any markup; elements nest and end
 * as in browsers (HTML Standard, §13.2.6), roughly. Where programs differ, text counts as shown.
 */
import { FORWARD, POPPED, REVERSED } from '../../mime/html/direction.js'
import { decoded } from '../../mime/html/html.js'
import { rowAsDisplayed } from './rows.js'
import { selectorsOf, sheetOf, type Generated, type Sheet } from './sheet.js'
import { declare, lookOf, PLAIN, valueOf, type Declarations, type Look } from './style.js'
import { attributesIn, BLOCK, CELL, ENDS, ENDS_PARAGRAPH, SCOPE, UNREAD, VOID } from './tags.js'

export interface HtmlText {
  /** Lines separated by line feeds. */
  shown: string
  /** The beginning of the text that nobody sees, and its whole length. */
  hidden: string
  hiddenChars: number
  /** Text that some mail programs show: of closed details, for Outlook alone, in markup that is never closed. */
  partly: string
  /** Pictures that are links. */
  linkedPictures: number
  /** Rows of letters that were joined into words. */
  joinedRows: number
  hasForm: boolean
  hasPasswordField: boolean
  formAction: string | undefined
}

/** Deeper elements change nothing; mail nests less. */
const MAX_DEPTH = 200
const MAX_SIDE_CHARS = 16 * 1024
/** In all: one rule may make the text of any number of elements. */
const MAX_GENERATED_CHARS = 64 * 1024

interface Frame {
  name: string
  look: Look
  isPartly: boolean
  isLink: boolean
  /** Of a row: where its cells begin in the shown text. */
  cells: number[] | undefined
  after: string
}

const NAME = /[a-z][^\s/>]{0,30}/iy
const COMMENT_END = /--!?>/g
const RAW_END = new Map([...UNREAD].map((name) => [name, new RegExp(`</${name}[\\s/>]`, 'gi')]))
const WEB = /^\s{0,8}(?:https?:|\/\/)/i

export function htmlText(html: string): HtmlText {
  return new HtmlReader(html).read()
}

class HtmlReader {
  readonly #html: string
  readonly #sheet: Sheet
  readonly #shown: string[] = []
  readonly #styles = new Map<string, Declarations>()
  readonly #open: Frame[] = []
  /** Number of open elements by name. */
  readonly #counts = new Map<string, number>()
  /** Characters made by styles. */
  #generated = 0
  #hidden = ''
  #partly = ''
  #top: Frame = { name: 'html', look: PLAIN, isPartly: false, isLink: false, cells: undefined, after: '' }
  readonly #facts = { hiddenChars: 0, linkedPictures: 0, joinedRows: 0, hasForm: false, hasPasswordField: false }
  #formAction: string | undefined

  constructor(html: string) {
    this.#html = html
    this.#sheet = sheetOf(html)
    if (this.#sheet.hasOtherGrounds) this.#top = { ...this.#top, look: { ...PLAIN, ground: undefined } }
  }

  read(): HtmlText {
    const html = this.#html
    let at = 0
    while (at < html.length) {
      const tag = html.indexOf('<', at)
      if (tag === -1) {
        this.#text(html.slice(at))
        break
      }
      if (tag > at) this.#text(html.slice(at, tag))
      at = this.#markup(tag)
    }
    while (this.#open.length > 0) this.#pop()
    const { hasForm, hasPasswordField, ...counts } = this.#facts
    return {
      shown: this.#shown.join(''),
      hidden: this.#hidden,
      partly: this.#partly,
      ...counts,
      hasForm,
      hasPasswordField,
      formAction: this.#formAction,
    }
  }

  /** @returns where the text goes on */
  #markup(tag: number): number {
    const html = this.#html
    const code = html.charCodeAt(tag + 1)
    if (code === 0x21 || code === 0x3f) return this.#comment(tag)
    const closes = code === 0x2f
    NAME.lastIndex = closes ? tag + 2 : tag + 1
    const name = NAME.exec(html)?.[0].toLowerCase()
    if (name === undefined) {
      if (!closes) this.#text('<')
      return tag + (closes ? 2 : 1)
    }
    const from = NAME.lastIndex
    const end = tagEnd(html, from)
    if (end === undefined) return html.length
    if (closes) this.#end(name)
    else if (UNREAD.has(name)) return this.#skip(name, end)
    else this.#start(name, html.slice(from, end - 1))
    return end
  }

  #comment(tag: number): number {
    const html = this.#html
    if (!html.startsWith('<!--', tag)) {
      const end = html.indexOf('>', tag)
      return end === -1 ? html.length : end + 1
    }
    COMMENT_END.lastIndex = tag + 2
    const end = COMMENT_END.exec(html)
    const inner = html.slice(tag + 4, Math.min(end?.index ?? html.length, tag + 4 + MAX_SIDE_CHARS))
    // Never closed: mail programs differ on it. A condition is met in Outlook.
    if (!end || /^\s*\[if\s(?!\s*!)/.test(inner)) this.#partlyMarkup(inner)
    return end ? COMMENT_END.lastIndex : html.length
  }

  #skip(name: string, from: number): number {
    const ending = RAW_END.get(name)
    if (!ending) return from
    ending.lastIndex = from
    const end = ending.exec(this.#html)
    if (end) return tagEnd(this.#html, end.index + 2) ?? this.#html.length
    this.#partlyMarkup(this.#html.slice(from, from + MAX_SIDE_CHARS))
    return this.#html.length
  }

  #partlyMarkup(markup: string): void {
    const text = markup
      .replace(/<(style|xml)\b.*?(?:<\/\1>|$)/gis, ' ')
      .replace(/^\s*\[if[^\]]{0,80}\]>|<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
    if (this.#partly.length < MAX_SIDE_CHARS && text.trim() !== '') this.#partly += ` ${decoded(text)}`
  }

  #text(raw: string): void {
    const text = decoded(raw)
    this.#emit(HAS_LAYOUT.test(text) ? text.replace(/[ \t\r\n\f]+/g, ' ') : text)
  }

  #emit(text: string): void {
    const { look, isPartly } = this.#top
    if (look.isHidden) {
      if (text.trim() === '') return
      this.#facts.hiddenChars += text.length
      if (this.#hidden.length < MAX_SIDE_CHARS) this.#hidden += text.slice(0, MAX_SIDE_CHARS)
    } else if (isPartly) {
      if (this.#partly.length < MAX_SIDE_CHARS) this.#partly += text.slice(0, MAX_SIDE_CHARS)
    } else this.#shown.push(text)
  }

  /** A new line, in which an override of the direction goes on. */
  #break(): void {
    const { look, isPartly } = this.#top
    if (look.isHidden) this.#hidden += this.#hidden.length < MAX_SIDE_CHARS ? ' ' : ''
    else if (isPartly) this.#partly += this.#partly.length < MAX_SIDE_CHARS ? ' ' : ''
    else this.#shown.push(look.isOverridden ? `\n${look.isRightToLeft ? REVERSED : FORWARD}` : '\n')
  }

  #start(name: string, written: string): void {
    if (ENDS_PARAGRAPH.has(name)) this.#endOpen(['p'])
    const ended = ENDS[name]
    if (ended) this.#endOpen(ended)
    const attributes = written === '' ? NONE : attributesIn(written)
    const parent = this.#top
    const { look, display, generated } = this.#lookOf(name, attributes, parent.look)
    const isBroken = BLOCK.has(name) && !display.startsWith('inline')
    if (isBroken && !parent.cells) this.#break()
    if (parent.cells && !parent.look.isHidden) {
      this.#shown.push(' ')
      parent.cells.push(this.#shown.length)
    } else if (CELL.has(name)) this.#emit(' ')
    if (VOID.has(name)) return this.#void(name, attributes, look)
    if (name === 'form') this.#form(attributes)
    if (this.#open.length >= MAX_DEPTH) return
    this.#open.push(parent)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const isDetails = name === 'details' && !attributes.has('open')
    this.#top = {
      name,
      look,
      isPartly: isDetails || (parent.isPartly && !(name === 'summary' && parent.name === 'details')),
      isLink: parent.isLink || (name === 'a' && WEB.test(attributes.get('href') ?? '')),
      cells: (name === 'tr' || display.endsWith('flex')) && !look.isHidden ? [] : undefined,
      after: generated.after,
    }
    if (look.isOverridden && (!parent.look.isOverridden || parent.look.isRightToLeft !== look.isRightToLeft))
      this.#emit(look.isRightToLeft ? REVERSED : FORWARD)
    this.#generate(generated.before)
  }

  #generate(text: string): void {
    if (text === '' || this.#generated >= MAX_GENERATED_CHARS) return
    this.#generated += text.length
    this.#emit(text)
  }

  #void(name: string, attributes: Map<string, string>, look: Look): void {
    if (look.isHidden) return
    if (name === 'img') {
      if (this.#top.isLink) this.#facts.linkedPictures++
      const alt = attributes.get('alt') ?? ''
      if (alt.trim() !== '') this.#text(` ${alt} `)
    } else if (name === 'input') {
      this.#facts.hasForm = true
      const type = attributes.get('type')?.trim().toLowerCase()
      if (type === 'password') this.#facts.hasPasswordField = true
      if (type !== 'hidden') this.#text(` ${attributes.get('value') ?? ''} ${attributes.get('placeholder') ?? ''} `)
    }
  }

  #form(attributes: Map<string, string>): void {
    this.#facts.hasForm = true
    this.#formAction ??= attributes.get('action')?.trim()
  }

  /** Ends the open element of one of these names, up to the table or list around it, and all within it. */
  #endOpen(names: readonly string[]): void {
    if (!names.some((name) => (this.#counts.get(name) ?? 0) > 0)) return
    let last: number | undefined
    for (let i = this.#open.length; i > 0; i--) {
      const frame = i === this.#open.length ? this.#top : this.#open[i]
      if (!frame) break
      if (names.includes(frame.name)) last = i
      else if (SCOPE.has(frame.name)) break
    }
    if (last !== undefined) while (this.#open.length >= last) this.#pop()
  }

  #end(name: string): void {
    if (name === 'br') return this.#break()
    if ((this.#counts.get(name) ?? 0) > 0) {
      let isEnded = false
      while (!isEnded && this.#open.length > 0) {
        isEnded = this.#top.name === name
        this.#pop()
      }
    }
    if (BLOCK.has(name)) this.#break()
  }

  #pop(): void {
    const closed = this.#top
    const parent = this.#open.pop()
    if (!parent) return
    this.#counts.set(closed.name, (this.#counts.get(closed.name) ?? 1) - 1)
    this.#generate(closed.after)
    if (closed.look.isOverridden && !closed.look.isHidden && !parent.look.isOverridden) this.#emit(POPPED)
    const { cells } = closed
    if (cells && cells.length > 2) {
      const joined = rowAsDisplayed(this.#shown, cells, closed.look.isRowReversed)
      if (joined !== undefined) {
        this.#shown.length = cells[0] ?? 0
        this.#shown.push(joined)
        this.#facts.joinedRows++
      }
    }
    this.#top = parent
  }

  #lookOf(
    name: string,
    attributes: Map<string, string>,
    parent: Look,
  ): { look: Look; display: string; generated: Generated } {
    const { rules, generated } = this.#sheet
    const given: Declarations = new Map()
    if (attributes.size > 0) presentational(name, attributes, given)
    const classes = attributes.get('class')
    let made = NO_CONTENT
    if (rules.size > 0 || generated.size > 0) {
      for (const key of selectorsOf(name, classes, attributes.get('id'))) {
        for (const [property, value] of rules.get(key) ?? []) given.set(property, value)
        const content = generated.get(key)
        if (content) made = { before: made.before + content.before, after: made.after + content.after }
      }
    }
    const style = attributes.get('style')
    if (style !== undefined) for (const [property, value] of this.#declared(style)) given.set(property, value)
    if (attributes.has('hidden') && !given.has('display')) given.set('display', 'none')
    const content = made === NO_CONTENT ? made : filled(made, attributes)
    if (given.size === 0) return { look: parent, display: '', generated: content }
    const float = valueOf('float', given)
    const display = float === undefined || float === 'none' ? (valueOf('display', given) ?? '') : 'inline-block'
    return { look: lookOf(given, parent), display, generated: content }
  }

  /** Mail repeats its styles, so each is read once. */
  #declared(style: string): Declarations {
    const known = this.#styles.get(style)
    if (known) return known
    const given: Declarations = new Map()
    declare(decoded(style), given)
    if (this.#styles.size < 1000 && style.length < 1000) this.#styles.set(style, given)
    return given
  }
}

const NONE: Map<string, string> = new Map()
const NO_CONTENT: Generated = { before: '', after: '' }
const HAS_LAYOUT = /[\t\r\n\f]|  /

/** Responsive pages repeat hidden text further down, so its beginning is enough. */
export function isShownToo(hidden: string, shown: string): boolean {
  return shown.includes(hidden.slice(0, 60))
}

/** `content: attr(title)` shows that attribute. */
function filled({ before, after }: Generated, attributes: Map<string, string>): Generated {
  const fill = (text: string): string => {
    const name = /^attr\(([\w-]{1,40})\)$/.exec(text)?.[1]
    return name === undefined ? text : (attributes.get(name.toLowerCase()) ?? '')
  }
  return { before: fill(before), after: fill(after) }
}

/** Attributes that are styles (HTML Standard, §15.3). */
function presentational(name: string, attributes: Map<string, string>, given: Declarations): void {
  const ground = attributes.get('bgcolor')
  if (ground !== undefined) given.set('background-color', ground.trim().toLowerCase())
  if (attributes.has('background')) given.set('background-image', 'url()')
  const colour = attributes.get('color')
  if (colour !== undefined) given.set('color', colour.trim().toLowerCase())
  const direction = attributes.get('dir')?.trim().toLowerCase()
  if (direction === 'rtl' || direction === 'ltr') given.set('direction', direction)
  if (name === 'bdo' && direction !== undefined) given.set('unicode-bidi', 'bidi-override')
}

/** Just past the tag whose name ends here; undefined for a tag that is never closed. Quoted values may contain `>`. */
function tagEnd(html: string, from: number): number | undefined {
  const first = html.indexOf('>', from)
  if (first === -1) return undefined
  let at = from
  let end = first
  while (at < end) {
    // Within the tag only: a search to the end of the message for each tag would not be linear.
    const equals = html.slice(at, end).indexOf('=')
    if (equals === -1) return end + 1
    at += equals + 1
    while (at < html.length && html.charCodeAt(at) <= 0x20) at++
    const quote = html.charAt(at)
    if (quote !== '"' && quote !== "'") continue
    const close = html.indexOf(quote, at + 1)
    // A value that is never closed: programs differ, so what follows counts as shown.
    if (close === -1) return first + 1
    at = close + 1
    if (at > end) {
      end = html.indexOf('>', at)
      if (end === -1) return first + 1
    }
  }
  return end + 1
}
