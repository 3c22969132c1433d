/** The rules of `<style>` elements, and what they say of an element: the strongest declaration of each property (CSS Cascade 4, §6). */
import { readRules, type Rule } from './css.js'
import { declaredIn, type Declarations, type Declared } from './declarations.js'
import {
  listed,
  selects,
  selectorIn,
  type PseudoElement,
  type Selector,
  type Steps,
  type Subject,
} from './selectors.js'

/** A declaration, and how strong it is among those of its selector. */
interface Ranked {
  value: string
  rank: number
}

type Rules = Map<string, Ranked>

export interface RuleSet {
  /** By element name, `.class`, `#id` or both: of selectors that need no search. */
  simple: Map<string, Rules>
  /** Other selectors, by what an element must have. */
  others: Map<string, { selector: Selector; rules: Rules }[]>
}

export interface Sheet extends RuleSet {
  pseudos: Map<PseudoElement, RuleSet>
  /** Attributes that selectors ask for. */
  attributes: Set<string>
  /** Some backgrounds are set by selectors that are not read here, so light letters may be on a dark ground. */
  hasOtherGrounds: boolean
}

const MAX_SHEET_CHARS = 256 * 1024
const OPENING = /<!--|<(style|textarea|title|xmp|script)\b[^>]*>/gi
const COMMENT_END = /--!?>/g
const IMPORTANT = 2 ** 42
const INLINE = 2 ** 41
const PER_SPECIFICITY = 2 ** 20
/** Max properties of a rule or an element, variables included. */
const MAX_PROPERTIES = 128

const emptySet = (): RuleSet => ({ simple: new Map(), others: new Map() })

export function sheetOf(html: string): Sheet {
  const sheet: Sheet = { ...emptySet(), pseudos: new Map(), attributes: new Set(), hasOtherGrounds: false }
  const selectorsOf = createNesting()
  let chars = 0
  let order = 0
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(html); match && chars < MAX_SHEET_CHARS; match = OPENING.exec(html)) {
    const name = match[1]?.toLowerCase()
    if (name === undefined) {
      COMMENT_END.lastIndex = match.index + 2
      if (!COMMENT_END.exec(html)) break
      OPENING.lastIndex = COMMENT_END.lastIndex
      continue
    }
    const end = html.indexOf('</', OPENING.lastIndex)
    if (name === 'style') {
      const css = html.slice(OPENING.lastIndex, end === -1 ? html.length : end).slice(0, MAX_SHEET_CHARS - chars)
      chars += css.length
      readRules(css, (rule, body) => addRule(sheet, selectorsOf(rule), body, order++))
    }
    OPENING.lastIndex = end === -1 ? html.length : end
  }
  return sheet
}

/** The body is read once, however many selectors it has. */
function addRule(sheet: Sheet, selectors: readonly string[], body: string[], order: number): void {
  const declared = declaredIn(body)
  if (declared.length === 0) return
  const rules: Rules = new Map()
  addRanked(rules, declared, order)
  for (const written of selectors) {
    const selector = selectorIn(written, sheet.attributes)
    if (!selector) {
      if (rules.has('background-color') || rules.has('background-image')) sheet.hasOtherGrounds = true
      continue
    }
    const { simple, others } = setFor(sheet, selector.pseudo)
    if (selector.isSimple) {
      const key = simpleKey(selector)
      const known = simple.get(key)
      simple.set(key, known ? merged(known, rules) : rules)
    } else {
      const known = others.get(selector.key)
      if (known) known.push({ selector, rules })
      else others.set(selector.key, [{ selector, rules }])
    }
  }
}

function setFor(sheet: Sheet, pseudo: PseudoElement | undefined): RuleSet {
  if (pseudo === undefined) return sheet
  const known = sheet.pseudos.get(pseudo) ?? emptySet()
  sheet.pseudos.set(pseudo, known)
  return known
}

function addRanked(rules: Rules, declared: readonly Declared[], base: number): void {
  for (const { property, value, isImportant } of declared) {
    const rank = base + (isImportant ? IMPORTANT : 0)
    const known = rules.get(property)
    if (known ? known.rank <= rank : rules.size < MAX_PROPERTIES) rules.set(property, { value, rank })
  }
}

function merged(first: Rules, second: Rules): Rules {
  const all = new Map(first)
  for (const [property, ranked] of second) {
    const known = all.get(property)
    if (known ? known.rank <= ranked.rank : all.size < MAX_PROPERTIES) all.set(property, ranked)
  }
  return all
}

const MAX_NESTED_SELECTORS = 64
const MAX_NESTED_CHARS = 300
/** A selector that names the one around it more often is left out. */
const MAX_PARENTS = 4

/** @returns the selectors of a rule: of one within another (CSS Nesting 1) as if it stood alone */
function createNesting(): (rule: Rule) => readonly string[] {
  /** The same rule is around many. */
  const known = new WeakMap<Rule, string[]>()
  const selectorsOf = (rule: Rule): string[] => {
    const read = known.get(rule)
    if (read) return read
    const own = listed(rule.selectors)
    const selectors = rule.outer ? nested(selectorsOf(rule.outer).slice(0, MAX_NESTED_SELECTORS), own) : own
    known.set(rule, selectors)
    return selectors
  }
  return selectorsOf
}

function nested(outer: readonly string[], own: readonly string[]): string[] {
  const inner = own.filter((one) => one.length < MAX_NESTED_CHARS && one.split('&').length <= MAX_PARENTS).slice(0, MAX_NESTED_SELECTORS) // prettier-ignore
  return outer
    .flatMap((before) => inner.map((one) => (one.includes('&') ? one.replaceAll('&', before) : `${before} ${one}`)))
    .filter(({ length }) => length < MAX_NESTED_CHARS)
    .slice(0, MAX_NESTED_SELECTORS)
}

function simpleKey({ steps }: Selector): string {
  const { name = '', id, classes } = steps[0]?.compound ?? { classes: [] }
  const mark = id !== undefined ? `#${id}` : classes[0] !== undefined ? `.${classes[0]}` : ''
  return `${name}${mark}`
}

/** Declarations of an element, before its `style`. */
export class Cascade {
  readonly #winners = new Map<string, Ranked>()

  add(property: string, { value, rank }: Ranked): void {
    const known = this.#winners.get(property)
    if (known ? known.rank <= rank : this.#winners.size < MAX_PROPERTIES) this.#winners.set(property, { value, rank })
  }

  addRules(rules: Rules, specificity: number): void {
    for (const [property, { value, rank }] of rules) this.add(property, { value, rank: rank + specificity * PER_SPECIFICITY }) // prettier-ignore
  }

  addInline(declared: readonly Declared[]): void {
    for (const { property, value, isImportant } of declared)
      this.add(property, { value, rank: INLINE + (isImportant ? IMPORTANT : 0) })
  }

  /** Attributes are weaker than any rule. */
  addWeak(given: Declarations): void {
    for (const [property, value] of given) this.add(property, { value, rank: -1 })
  }

  end(): Declarations {
    return new Map([...this.#winners].map(([property, { value }]) => [property, value]))
  }
}

/** Adds the rules for an element, of the sheet or of a pseudo-element. */
export function addRulesFor({ simple, others }: RuleSet, subject: Subject, cascade: Cascade, steps: Steps): void {
  const { name, classes, id } = subject
  const add = (key: string, specificity: number): void => {
    const rules = simple.get(key)
    if (rules) cascade.addRules(rules, specificity)
  }
  const search = (key: string): void => {
    for (const { selector, rules } of others.get(key) ?? []) {
      if (steps.left-- <= 0) return
      if (selects(selector, subject, steps)) cascade.addRules(rules, selector.specificity)
    }
  }
  if (simple.size > 0) {
    add(name, 1)
    for (const one of classes) {
      add(`.${one}`, 1 << 5)
      add(`${name}.${one}`, (1 << 5) + 1)
    }
    if (id !== undefined) {
      add(`#${id}`, 1 << 10)
      add(`${name}#${id}`, (1 << 10) + 1)
    }
  }
  if (others.size === 0) return
  search(name)
  search('*')
  for (const one of classes) search(`.${one}`)
  if (id !== undefined) search(`#${id}`)
}
