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

export interface Sheet {
  /** By element name, `.class`, `#id` or both, and the pseudo-element: of selectors that need no search. */
  simple: Map<string, Rules>
  /** Other selectors, by what an element must have. */
  others: Map<string, { selector: Selector; rules: Rules }[]>
  /** Some rules are of pseudo-elements. */
  pseudos: Set<PseudoElement>
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
/** Of a rule or an element, its variables included. */
const MAX_PROPERTIES = 128

export function sheetOf(html: string): Sheet {
  const sheet: Sheet = { simple: new Map(), others: new Map(), pseudos: new Set(), attributes: new Set(), hasOtherGrounds: false } // prettier-ignore
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
    if (selector.pseudo) sheet.pseudos.add(selector.pseudo)
    if (selector.isSimple) {
      const key = simpleKey(selector)
      const known = sheet.simple.get(key)
      sheet.simple.set(key, known ? merged(known, rules) : rules)
    } else {
      const known = sheet.others.get(selector.key)
      if (known) known.push({ selector, rules })
      else sheet.others.set(selector.key, [{ selector, rules }])
    }
  }
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

function simpleKey({ steps, pseudo }: Selector): string {
  const compound = steps[0]?.compound
  const mark = compound?.id !== undefined ? `#${compound.id}` : compound?.classes[0] !== undefined ? `.${compound.classes[0]}` : '' // prettier-ignore
  return `${compound?.name ?? ''}${mark}${pseudo === undefined ? '' : `::${pseudo}`}`
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

  /** What an attribute sets is weaker than any rule. */
  addWeak(given: Declarations): void {
    for (const [property, value] of given) this.add(property, { value, rank: -1 })
  }

  end(): Declarations {
    return new Map([...this.#winners].map(([property, { value }]) => [property, value]))
  }
}

/** Adds the rules for an element, or for one of its pseudo-elements. */
export function addRulesFor(
  { simple, others }: Sheet,
  subject: Subject,
  pseudo: PseudoElement | undefined,
  cascade: Cascade,
  steps: Steps,
): void {
  const suffix = pseudo === undefined ? '' : `::${pseudo}`
  for (const { key, specificity } of keysOf(subject)) {
    const rules = simple.get(`${key}${suffix}`)
    if (rules) cascade.addRules(rules, specificity)
  }
  if (others.size === 0) return
  for (const key of [subject.name, '*', ...subject.classes.map((one) => `.${one}`), `#${subject.id ?? ''}`])
    for (const { selector, rules } of others.get(key) ?? []) {
      if (steps.left-- <= 0) return
      if (selector.pseudo === pseudo && selects(selector, subject, steps)) cascade.addRules(rules, selector.specificity)
    }
}

function keysOf({ name, classes, id }: Subject): { key: string; specificity: number }[] {
  const keys = [{ key: name, specificity: 1 }]
  for (const one of classes) {
    keys.push({ key: `.${one}`, specificity: 1 << 5 }, { key: `${name}.${one}`, specificity: (1 << 5) + 1 })
  }
  if (id !== undefined) keys.push({ key: `#${id}`, specificity: 1 << 10 }, { key: `${name}#${id}`, specificity: (1 << 10) + 1 }) // prettier-ignore
  return keys
}
