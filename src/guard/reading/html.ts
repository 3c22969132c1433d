/**
 * HTML as its reader sees it: what is shown, what is hidden, and what only some readers see. One pass, linear for any markup; elements nest and end
 * as in browsers (HTML Standard, §13.2.6), roughly. Where programs differ, text counts as shown.
 */
import { FORWARD, POPPED, REVERSED } from '../../mime/html/direction.js'
import { decoded } from '../../mime/html/html.js'
import { contentOf } from './css.js'
import { declaredIn, withVariables, type Declarations, type Declared } from './declarations.js'
import { defaultStyle, placeOf, type Place } from './defaults.js'
import { rowAsDisplayed, type Cell, type Flow } from './rows.js'
import type { Subject } from './selectors.js'
import { addRulesFor, Cascade, sheetOf, type Sheet } from './sheet.js'
import { lookOf, PLAIN, type Look } from './style.js'
import {
  attributesIn,
  BLOCK,
  CELL,
  ENDS,
  ENDS_PARAGRAPH,
  PARTLY_SEEN,
  RAW_TEXT,
  SCOPE,
  SOMETIMES_READ,
  TABLE_PART,
  UNREAD,
  VOID,
} from './tags.js'

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
  /** Where the cells of a row, or reordered items, begin in the shown text. */
  cells: Cell[] | undefined
  flow: Flow
  /** The index in the shown text at which it begins. */
  from: number
  /** Its children are cells. */
  isRow: boolean
  /** It has a place of its own among the cells around it. */
  isPlaced: boolean
  /** The text after it begins a new line: not so after inline boxes and hidden elements. */
  endsLine: boolean
  /** For selectors; undefined where there are none. */
  subject: Subject | undefined
  children: number
  lastChild: Subject | undefined
  after: Made | undefined
}

/** Text made by a style. */
interface Made {
  text: string
  look: Look
}

/** An element with its computed styles. */
interface Styled {
  look: Look
  given: Declarations
  subject: Subject | undefined
}

const NAME = /[a-z][^\s/>]{0,30}/iy
const COMMENT_END = /--!?>/g
const RAW_END = new Map([...UNREAD, ...RAW_TEXT].map((name) => [name, new RegExp(`</${name}[\\s/>]`, 'gi')]))
const WEB = /^\s{0,8}(?:https?:|\/\/)/i

/** Max work for selectors in one message. */
const MAX_SELECTOR_STEPS = 300_000
const MAX_CLASSES = 20
/** The text of a box within a line that is no more than a letter. */
const MAX_LETTER_CHARS = 3

export function htmlText(html: string): HtmlText {
  return new HtmlReader(html, sheetOf(html)).read()
}

class HtmlReader {
  readonly #html: string
  readonly #sheet: Sheet
  readonly #isInside: boolean
  readonly #hasRules: boolean
  readonly #shown: string[] = []
  readonly #styles = new Map<string, { declared: Declared[]; given: Declarations }>()
  /** By the look around it and the style. */
  readonly #looks = new WeakMap<Look, Map<Declarations, Look>>()
  readonly #steps = { left: MAX_SELECTOR_STEPS }
  readonly #open: Frame[] = []
  /** Number of open elements by name. */
  readonly #counts = new Map<string, number>()
  /** Characters made by styles. */
  #generated = 0
  #hidden = ''
  #partly = ''
  #hidesFirstLetter = false
  #top: Frame = {
    name: 'html',
    look: PLAIN,
    isPartly: false,
    isLink: false,
    cells: undefined,
    flow: 'row',
    from: 0,
    isRow: false,
    isPlaced: false,
    endsLine: false,
    subject: undefined,
    children: 0,
    lastChild: undefined,
    after: undefined,
  }
  readonly #facts = { hiddenChars: 0, linkedPictures: 0, joinedRows: 0, hasForm: false, hasPasswordField: false }
  #formAction: string | undefined

  /** @param isInside it is markup within other markup, such as a comment for some programs */
  constructor(html: string, sheet: Sheet, isInside = false) {
    this.#html = html
    this.#sheet = sheet
    this.#isInside = isInside
    this.#hasRules = sheet.simple.size > 0 || sheet.others.size > 0 || sheet.pseudos.size > 0
    const { look } = this.#hasRules ? this.#styled('html', NONE) : this.#top
    this.#top = { ...this.#top, look: sheet.hasOtherGrounds ? { ...look, ground: undefined } : look }
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
      // HTML Standard, §13.2.5.7: an end tag without a name is nothing, or a comment.
      if (closes) return this.#declaration(tag)
      this.#text('<')
      return tag + 1
    }
    const from = NAME.lastIndex
    const end = tagEnd(html, from)
    if (end === undefined) return html.length
    if (closes) this.#end(name)
    else if (UNREAD.has(name)) return this.#skip(name, from, end)
    else {
      this.#start(name, html.slice(from, end - 1))
      if (RAW_TEXT.has(name)) return this.#rawText(name, end)
    }
    return end
  }

  /** @returns where its end tag begins */
  #rawText(name: string, from: number): number {
    const ending = name === 'plaintext' ? undefined : RAW_END.get(name)
    if (ending) ending.lastIndex = from
    const end = ending?.exec(this.#html)?.index ?? this.#html.length
    const text = this.#html.slice(from, end)
    if (name === 'textarea') this.#text(text)
    else if (text !== '') this.#emit(text)
    return end
  }

  #declaration(tag: number): number {
    const end = this.#html.indexOf('>', tag)
    return end === -1 ? this.#html.length : end + 1
  }

  #comment(tag: number): number {
    const html = this.#html
    if (!html.startsWith('<!--', tag)) return this.#declaration(tag)
    COMMENT_END.lastIndex = tag + 2
    const end = COMMENT_END.exec(html)
    const inner = html.slice(tag + 4, Math.min(end?.index ?? html.length, tag + 4 + MAX_SIDE_CHARS))
    // Never closed: mail programs differ on it. A condition is met in Outlook.
    if (!end || /^\s*\[if\s(?!\s*!)/.test(inner)) this.#partlyMarkup(inner)
    return end ? COMMENT_END.lastIndex : html.length
  }

  #skip(name: string, from: number, start: number): number {
    const ending = RAW_END.get(name)
    if (!ending) return start
    if (name === 'iframe') {
      const page = attributesIn(this.#html.slice(from, start - 1)).get('srcdoc')
      if (page !== undefined) this.#partlyMarkup(decoded(page.slice(0, MAX_SIDE_CHARS)))
    }
    ending.lastIndex = start
    const end = ending.exec(this.#html)
    const inner = (): string =>
      this.#html.slice(start, Math.min(end?.index ?? this.#html.length, start + MAX_SIDE_CHARS))
    if (!end || SOMETIMES_READ.has(name)) this.#partlyMarkup(inner())
    return end ? (tagEnd(this.#html, end.index + 2) ?? this.#html.length) : this.#html.length
  }

  #partlyMarkup(markup: string): void {
    if (this.#partly.length >= MAX_SIDE_CHARS) return
    const plain = markup.replace(/<xml\b.*?(?:<\/xml>|$)/gis, ' ').replace(/^\s*\[if[^\]]{0,80}\]>/, ' ')
    // Styles for these programs alone are read as such.
    const text = this.#isInside
      ? plain.replace(/<[^<>]*>/g, ' ')
      : new HtmlReader(plain, this.#sheet, true).#textForSome()
    if (text.trim() !== '') this.#partly += ` ${text.slice(0, MAX_SIDE_CHARS)}`
  }

  #textForSome(): string {
    const { shown, partly } = this.read()
    return `${shown} ${partly}`
  }

  #text(raw: string): void {
    const decodedText = decoded(raw)
    const text = HAS_LAYOUT.test(decodedText) ? decodedText.replace(/[ \t\r\n\f]+/g, ' ') : decodedText
    const first = this.#hidesFirstLetter ? text.search(/\S/) : -1
    if (first === -1) return this.#emit(text)
    this.#hidesFirstLetter = false
    this.#emit(text.slice(0, first) + text.slice(first).replace(/^\P{L}{0,4}[^]/u, ''))
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
    if (TABLE_PART.has(name) && (this.#counts.get('table') ?? 0) === 0) return
    if (ENDS_PARAGRAPH.has(name)) this.#endOpen(['p'])
    const ended = ENDS[name]
    if (ended) this.#endOpen(ended)
    const attributes = written === '' ? NONE : attributesIn(written, this.#sheet.attributes)
    const parent = this.#top
    parent.children++
    const { look, given, subject } = this.#styled(name, attributes)
    if (subject) parent.lastChild = subject
    const display = given.get('display') ?? ''
    const position = given.get('position') ?? ''
    const isForSome = PARTLY_SEEN.has(name) || ((name === 'details' || name === 'dialog') && !attributes.has('open'))
    const isOut = display === 'none' || position === 'absolute' || position === 'fixed' || (isForSome && name !== 'details') // prettier-ignore
    const isBox = display.startsWith('inline') || (given.get('float') ?? 'none') !== 'none'
    if (BLOCK.has(name) && !isBox && !isOut && !parent.cells) this.#break()
    const isPlaced = this.#cell(name, look, placeOf(name, attributes, given, parent.children))
    if (VOID.has(name)) return this.#void(name, attributes, look)
    if (name === 'form') this.#form(attributes)
    if (this.#open.length >= MAX_DEPTH) return
    this.#open.push(parent)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const flow = given.get('flex-direction') ?? ''
    const isRow =
      (name === 'tr' || display.endsWith('flex') || display.endsWith('flexbox') || display.endsWith('grid')) &&
      !look.isHidden
    this.#top = {
      name,
      look,
      isPartly: isForSome || (parent.isPartly && !(name === 'summary' && parent.name === 'details')),
      isLink: parent.isLink || (name === 'a' && WEB.test(attributes.get('href') ?? '')),
      cells: isRow ? [] : undefined,
      isRow,
      flow: flow === 'row-reverse' || flow === 'column-reverse' ? flow : 'row',
      from: this.#shown.length,
      isPlaced,
      endsLine: BLOCK.has(name) && !isOut,
      subject,
      children: 0,
      lastChild: undefined,
      after: undefined,
    }
    if (isBox) this.#top.endsLine = false
    if (look.isOverridden && (!parent.look.isOverridden || parent.look.isRightToLeft !== look.isRightToLeft))
      this.#emit(look.isRightToLeft ? REVERSED : FORWARD)
    if (name === 'li' && look.mark !== '') this.#generate({ text: contentOf(look.mark, NONE), look })
    if (name === 'optgroup' || name === 'option') this.#text(` ${attributes.get('label') ?? ''} `)
    if (this.#sheet.pseudos.size > 0 && subject) this.#pseudoElements(subject, look)
  }

  /** A cell of a row begins, or what has a place of its own. @returns true for the latter */
  #cell(name: string, look: Look, place: Place | undefined): boolean {
    const parent = this.#top
    if (parent.look.isHidden) return false
    if (parent.isRow && !look.isGone) this.#shown.push(' ')
    else if (place && !look.isHidden && !parent.isPartly) this.#shown.push('')
    else {
      if (CELL.has(name)) this.#emit(' ')
      return false
    }
    parent.cells ??= []
    parent.cells.push({ from: this.#shown.length, place })
    return place !== undefined
  }

  #pseudoElements(subject: Subject, look: Look): void {
    for (const [pseudo, rules] of this.#sheet.pseudos) {
      const cascade = new Cascade()
      addRulesFor(rules, subject, cascade, this.#steps)
      const given = cascade.end()
      if (given.size === 0) continue
      const own = lookOf(given, look)
      if (pseudo === 'first-letter') this.#hidesFirstLetter = own.isHidden && !look.isHidden
      else {
        const content = withVariables(given, own.variables).get('content') ?? ''
        if (content === '' || this.#generated >= MAX_GENERATED_CHARS) continue
        const text = contentOf(content, subject.attributes)
        // What is read to make it counts too.
        this.#generated += Math.max(0, content.length - text.length - 2)
        const made = { text, look: own }
        if (pseudo === 'after') this.#top.after = made
        else this.#generate(made)
      }
    }
  }

  #generate({ text, look }: Made): void {
    if (text === '' || this.#generated >= MAX_GENERATED_CHARS) return
    this.#generated += text.length
    const top = this.#top
    this.#top = { ...top, look }
    this.#emit(text)
    this.#top = top
  }

  #void(name: string, attributes: Map<string, string>, look: Look): void {
    if (look.isHidden) return
    if (name === 'img') {
      if (this.#top.isLink) this.#facts.linkedPictures++
      const alt = attributes.get('alt') ?? ''
      // Pictures of letters make words.
      if (alt.trim() !== '') this.#text(alt.length <= MAX_LETTER_CHARS ? alt : ` ${alt} `)
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
    if ((this.#counts.get(name) ?? 0) === 0) {
      // HTML Standard, §13.2.6.4.7: an end tag of nothing is ignored, but for that of a paragraph.
      if (name === 'p' || this.#open.length >= MAX_DEPTH) this.#break()
      return
    }
    let closed = this.#top
    do {
      closed = this.#top
      this.#pop()
    } while (closed.name !== name && this.#open.length > 0)
    if (closed.endsLine || (BLOCK.has(name) && !closed.look.isGone && !this.#isLetter(closed))) this.#break()
  }

  /** True for a box within a line, or one that is not seen, in which no more than a letter stands. */
  #isLetter({ from }: Frame): boolean {
    if (this.#shown.length - from > 2 * MAX_LETTER_CHARS) return false
    return this.#shown.slice(from).join('').trim().length <= MAX_LETTER_CHARS
  }

  #pop(): void {
    const closed = this.#top
    if (this.#open.length === 0) return
    if (closed.after) this.#generate(closed.after)
    const parent = this.#open.pop()
    if (!parent) return
    this.#counts.set(closed.name, (this.#counts.get(closed.name) ?? 1) - 1)
    this.#top = parent
    // What follows stands where it is written.
    if (closed.isPlaced) parent.cells?.push({ from: this.#shown.length, place: undefined })
    if (closed.look.isOverridden && !closed.look.isHidden && !parent.look.isOverridden) this.#emit(POPPED)
    const { cells } = closed
    if (!cells || cells.length <= 2) return
    const isReversed = (closed.flow === 'row-reverse') !== closed.look.isRightToLeft
    const joined = rowAsDisplayed(this.#shown, cells, closed.flow, isReversed)
    if (joined === undefined) return
    this.#shown.length = cells[0]?.from ?? 0
    this.#shown.push(joined)
    this.#facts.joinedRows++
  }

  #styled(name: string, attributes: Map<string, string>): Styled {
    const parent = this.#top
    const style = attributes.get('style')
    const inline = style === undefined ? undefined : this.#declared(style)
    const weak = defaultStyle(name, attributes)
    if (!this.#hasRules && !(weak && inline)) {
      const given = inline?.given ?? weak ?? NOTHING
      return { look: weak ? lookOf(given, parent.look) : this.#look(given, parent.look), given, subject: undefined }
    }
    const cascade = new Cascade()
    if (weak) cascade.addWeak(weak)
    const subject = this.#hasRules ? this.#subject(name, attributes) : undefined
    if (subject) addRulesFor(this.#sheet, subject, cascade, this.#steps)
    if (inline) cascade.addInline(inline.declared)
    const given = cascade.end()
    return { look: lookOf(given, parent.look), given, subject }
  }

  /** Rows and cells look alike. @param given of a style that is kept */
  #look(given: Declarations, parent: Look): Look {
    if (given.size === 0) return parent
    const within = this.#looks.get(parent) ?? new Map<Declarations, Look>()
    this.#looks.set(parent, within)
    const known = within.get(given)
    if (known) return known
    const look = lookOf(given, parent)
    within.set(given, look)
    return look
  }

  #subject(name: string, attributes: Map<string, string>): Subject {
    const { children: index, subject: parent, lastChild: previous } = this.#top
    const classes = attributes.get('class')?.trim().split(/\s+/).slice(0, MAX_CLASSES) ?? NO_CLASSES
    return { name, id: attributes.get('id')?.trim(), classes, attributes, index, parent, previous }
  }

  /** Mail repeats its styles, so each is read once. */
  #declared(style: string): { declared: Declared[]; given: Declarations } {
    const known = this.#styles.get(style)
    if (known) return known
    const declared = declaredIn(decoded(style))
    const cascade = new Cascade()
    cascade.addInline(declared)
    const read = { declared, given: cascade.end() }
    if (this.#styles.size < 1000 && style.length < 1000) this.#styles.set(style, read)
    return read
  }
}

const NONE: Map<string, string> = new Map()
const NOTHING: Declarations = new Map()
const NO_CLASSES: readonly string[] = []
const HAS_LAYOUT = /[\t\r\n\f]|  /

/** Responsive pages repeat hidden text further down, so its beginning is enough. */
export function isShownToo(hidden: string, shown: string): boolean {
  return shown.includes(hidden.slice(0, 60))
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
