/** The syntax of style sheets and `style` attributes (CSS Syntax 3), each in one pass: rules, groups of rules, declarations. */
import { pixelsOf } from './lengths.js'

const MAX_RULES = 2000
/** Rules within each other beyond this are left out. */
const MAX_DEPTH = 16

/** A rule, and the one around it. */
export interface Rule {
  selectors: string
  outer: Rule | undefined
}

export type OnRule = (rule: Rule, body: string[]) => void

interface Block {
  /** For a group of rules: the rule around the group. */
  rule: Rule | undefined
  isGroup: boolean
  body: string[]
  applies: boolean
}

const TOKEN = /["'{};\\(]|\/\*/g
const PARENTHESIS = /["'()\\{};]/g

/** @param onRule gets each rule that applies to a screen, and its declarations */
export function readRules(css: string, onRule: OnRule): void {
  const text = css.includes('<!--') || css.includes('-->') ? css.replace(/<!--|-->/g, ' ') : css
  const open: Block[] = []
  let start = 0
  let count = 0
  let deeper = 0
  const take = (to: number): string => text.slice(start, to)
  const close = (to: number): void => {
    const block = open.pop()
    if (!block) return
    if (take(to).trim() !== '') block.body.push(take(to))
    if (block.rule && !block.isGroup && block.applies && block.body.length > 0) onRule(block.rule, block.body)
  }
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const at = match.index
    const sign = match[0]
    if (sign === '{') {
      if (count++ >= MAX_RULES) break
      if (open.length >= MAX_DEPTH) deeper++
      else {
        const around = open.at(-1)
        const prelude = withoutComments(take(at)).trim()
        const isGroup = prelude.startsWith('@')
        const applies = (around?.applies ?? true) && (isGroup ? groupApplies(prelude) : prelude !== '')
        const rule = isGroup ? around?.rule : { selectors: prelude, outer: around?.rule }
        open.push({ rule, isGroup, body: [], applies })
      }
      start = at + 1
    } else if (sign === '}') {
      if (deeper > 0) deeper--
      else close(at)
      start = at + 1
    } else if (sign === ';') {
      const block = open.at(-1)
      if (block && deeper === 0 && !block.isGroup) block.body.push(take(at))
      start = at + 1
    } else TOKEN.lastIndex = sign === '(' ? parenthesisEnd(text, at + 1) : tokenEnd(text, at, sign)
  }
  if (count <= MAX_RULES) while (open.length > 0) close(text.length)
}

/** Just past a comment, a string or an escape. */
function tokenEnd(text: string, at: number, sign: string): number {
  if (sign === '/*') {
    const end = text.indexOf('*/', at + 2)
    return end === -1 ? text.length : end + 2
  }
  return sign === '\\' ? at + 2 : stringEnd(text, at)
}

/** Just past the string that begins here (§4.3.5): without a closing quote it ends with its line. */
function stringEnd(text: string, from: number): number {
  const pattern = text.charAt(from) === '"' ? DOUBLE_END : SINGLE_END
  pattern.lastIndex = from + 1
  for (let end = pattern.exec(text); end; end = pattern.exec(text)) {
    if (end[0] !== '\\') return pattern.lastIndex
    pattern.lastIndex++
  }
  return text.length
}

const DOUBLE_END = /["\n\\]/g
const SINGLE_END = /['\n\\]/g

/** Just past the parenthesis that ends: signs within `url(…)` end no declaration. A brace ends one that is never closed. */
function parenthesisEnd(text: string, from: number): number {
  let depth = 1
  PARENTHESIS.lastIndex = from
  for (let match = PARENTHESIS.exec(text); match; match = PARENTHESIS.exec(text)) {
    const sign = match[0]
    if (sign === '(') depth++
    else if (sign === '{' || sign === '}') return match.index
    else if (sign === ')' && --depth === 0) return PARENTHESIS.lastIndex
    else if (sign === '"' || sign === "'" || sign === '\\') PARENTHESIS.lastIndex = tokenEnd(text, match.index, sign)
  }
  return text.length
}

function withoutComments(text: string): string {
  return text.includes('/*') ? text.replace(/\/\*.*?(?:\*\/|$)/gs, ' ') : text
}

/** The declarations of a `style` attribute. */
export function declarationsIn(style: string): string[] {
  if (!NEEDS_TOKENS.test(style)) return style.split(';')
  const found: string[] = []
  let start = 0
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(style); match; match = TOKEN.exec(style)) {
    const sign = match[0]
    if (sign === ';') {
      found.push(style.slice(start, match.index))
      start = match.index + 1
    } else if (sign === '(') TOKEN.lastIndex = parenthesisEnd(style, match.index + 1)
    else if (sign !== '{' && sign !== '}') TOKEN.lastIndex = tokenEnd(style, match.index, sign)
  }
  found.push(style.slice(start))
  return found
}

const NEEDS_TOKENS = /["'\\(]|\/\*/

/** Groups that apply on a screen as mail programs have it: 1000 pixels wide, light, with a pointer. */
function groupApplies(prelude: string): boolean {
  const [, name = '', rest = ''] = /^@([\w-]{1,40})([^]*)$/.exec(prelude) ?? []
  switch (name.toLowerCase()) {
    case 'media':
      return rest.slice(0, 1000).toLowerCase().split(',').some(mediaApply)
    case 'supports':
      return !/^\s*not\b/i.test(rest)
    case 'layer':
    case 'scope':
    case 'container':
    case 'starting-style':
      return name.toLowerCase() === 'layer'
    default:
      return false
  }
}

const WIDTH = 1000
const HEIGHT = 800

function mediaApply(query: string): boolean {
  const [, negation, type = 'all'] = /^\s*(?:(not|only)\s+)?([a-z]+)?/.exec(query) ?? []
  const conditions = query.match(/\([^()]{1,100}\)/g) ?? []
  const applies = /^(?:all|screen|and|or)$/.test(type) && conditions.every(conditionHolds)
  return negation === 'not' ? !applies : applies
}

function conditionHolds(condition: string): boolean {
  const [, name = '', value = ''] = /^\(\s*([\w-]+)\s*(?::\s*([^)]*?)\s*)?\)$/.exec(condition) ?? []
  const [, side, isHeight] = /^(min|max)-(?:device-)?(?:width|(height))$/.exec(name) ?? []
  if (side !== undefined) {
    const bound = pixelsOf(value, 16)
    const actual = isHeight === undefined ? WIDTH : HEIGHT
    return bound !== undefined && (side === 'min' ? actual >= bound : actual <= bound)
  }
  if (name === 'prefers-color-scheme') return value === 'light'
  if (name === 'orientation') return value === 'landscape'
  return /^(?:hover|pointer|any-hover|any-pointer|color|width|height|grid)$/.test(name) ? value !== 'none' : false
}

/** Escapes in names and strings (§4.3.7). */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:([\da-f]{1,6})\s?|([^]|$))/gi, (_, hex: string | undefined, other = '') => {
    if (hex === undefined) return other === '\n' ? '' : String(other)
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

const VALUE =
  /"([^"\\\n]*(?:\\(?:[^]|$)[^"\\\n]*)*)(?:"|\n|$)|'([^'\\\n]*(?:\\(?:[^]|$)[^'\\\n]*)*)(?:'|\n|$)|attr\(\s*([\w-]{1,40})[^()]{0,40}\)|(open-quote|close-quote)|\//gi

/** The text of a value of `content`: strings and attributes one after the other (CSS Content 3, §2). */
export function contentOf(value: string, attributes: ReadonlyMap<string, string>): string {
  let text = ''
  VALUE.lastIndex = 0
  for (const [all, double, single, name, quote] of value.matchAll(VALUE)) {
    // What follows is for those who do not see it.
    if (all === '/') break
    if (name !== undefined) text += attributes.get(name.toLowerCase()) ?? ''
    else text += quote === undefined ? unescaped(double ?? single ?? '') : '"'
  }
  return text
}
