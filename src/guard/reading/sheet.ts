/** The rules of `<style>` elements, and what they say of an element: the strongest declaration of each property (CSS Cascade 4, §6). */
import { readRules } from './css.js'
import { declaredIn, type Declarations, type Declared } from './declarations.js'
import {
  listed,
  selects,
  selectorsIn,
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

export function sheetOf(html: string): Sheet {
  const sheet: Sheet = { simple: new Map(), others: new Map(), pseudos: new Set(), attributes: new Set(), hasOtherGrounds: false } // prettier-ignore
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
      readRules(css, (selectors, body, around) => addRule(sheet, { selectors, body, around, order: order++ }))
    }
    OPENING.lastIndex = end === -1 ? html.length : end
  }
  return sheet
}

const MAX_NESTED_SELECTORS = 64

/** The body is read once, however many selectors it has. */
function addRule(
  sheet: Sheet,
  { selectors, body, around, order }: { selectors: string; body: string[]; around: string[]; order: number },
): void {
  const declared = declaredIn(body)
  if (declared.length === 0) return
  const rules: Rules = new Map()
  addRanked(rules, declared, order)
  for (const selector of selectorsIn(around.length === 0 ? selectors : nested(around, selectors), sheet.attributes)) {
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
    if (!known || known.rank <= rank) rules.set(property, { value, rank })
  }
}

function merged(first: Rules, second: Rules): Rules {
  const all = new Map(first)
  for (const [property, ranked] of second) {
    const known = all.get(property)
    if (!known || known.rank <= ranked.rank) all.set(property, ranked)
  }
  return all
}

/** Selectors of rules within others (CSS Nesting 1), as if they stood alone. */
function nested(around: readonly string[], own: string): string {
  let outer = ['']
  for (const list of [...around, own]) {
    const inner = listed(list)
    const next: string[] = []
    for (const before of outer)
      for (const one of inner) {
        if (next.length >= MAX_NESTED_SELECTORS) break
        if (before === '') next.push(one)
        else next.push(one.includes('&') ? one.replaceAll('&', before) : `${before} ${one}`)
      }
    outer = next.filter((one) => one.length < 300)
  }
  return outer.join(',')
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
    if (!known || known.rank <= rank) this.#winners.set(property, { value, rank })
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
    for (const { selector, rules } of others.get(key) ?? [])
      if (selector.pseudo === pseudo && steps.left > 0 && selects(selector, subject, steps))
        cascade.addRules(rules, selector.specificity)
}

function keysOf({ name, classes, id }: Subject): { key: string; specificity: number }[] {
  const keys = [{ key: name, specificity: 1 }]
  for (const one of classes) {
    keys.push({ key: `.${one}`, specificity: 1 << 5 }, { key: `${name}.${one}`, specificity: (1 << 5) + 1 })
  }
  if (id !== undefined) keys.push({ key: `#${id}`, specificity: 1 << 10 }, { key: `${name}#${id}`, specificity: (1 << 10) + 1 }) // prettier-ignore
  return keys
}
