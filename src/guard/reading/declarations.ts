/** Declarations of CSS that matter for what is seen: shorthands become what they stand for, and wrong values count for nothing, as in browsers. */
import { colourOf } from './colours.js'
import { declarationsIn } from './css.js'
import { pixelsOf } from './lengths.js'

export interface Declared {
  property: string
  /** Lower case, but for text. */
  value: string
  isImportant: boolean
}

/** Values of an element by property. */
export type Declarations = Map<string, string>

const PROPERTIES = new Set(
  (
    'display visibility opacity color background-color background-image background-clip font-size text-indent left top right bottom position margin-left margin-top ' +
    'max-height height max-width width overflow-y overflow-x clip clip-path direction unicode-bidi float transform translate scale rotate text-fill-color ' +
    'text-shadow text-stroke line-height flex-direction order grid-row grid-column content list-style-type filter zoom mask-image content-visibility animation-name'
  ).split(' '),
)
/** Other names of the same, in text that is written from left to right. */
const SAME: Readonly<Record<string, string>> = {
  'inline-size': 'width', 'block-size': 'height', 'max-inline-size': 'max-width', 'max-block-size': 'max-height', 'inset-inline-start': 'left',
  'inset-inline-end': 'right', 'inset-block-start': 'top', 'inset-block-end': 'bottom', 'margin-inline-start': 'margin-left',
  'margin-block-start': 'margin-top', 'overflow-block': 'overflow-y', 'overflow-inline': 'overflow-x', 'grid-row-start': 'grid-row',
  'grid-column-start': 'grid-column', 'text-stroke-color': 'text-stroke', 'css-float': 'float',
} // prettier-ignore
/** Words of text, kept as written. */
const TEXTS: ReadonlySet<string> = new Set(['content', 'list-style-type'])
const MAX_VALUE_CHARS = 300
const IMPORTANT = /^!\s*important$/i
const PREFIX = /^-(?:webkit|moz|ms|o)-/
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\n\da-f]))/gi

/** @param parts declarations, of a `style` attribute or a rule */
export function declaredIn(style: string | readonly string[]): Declared[] {
  const found: Declared[] = []
  for (const part of typeof style === 'string' ? declarationsIn(style) : style) {
    const colon = part.indexOf(':')
    if (colon === -1) continue
    const written = nameOf(part.slice(0, colon))
    const isVariable = written.startsWith('--')
    const bare = isVariable ? written : written.toLowerCase().replace(PREFIX, '')
    const name = SAME[bare] ?? bare
    if (!isVariable && !PROPERTIES.has(name) && !(name in SHORTHANDS)) continue
    const isText = isVariable || TEXTS.has(name) || name === 'list-style'
    const all = isText ? part.slice(colon + 1).trim() : plainValue(part.slice(colon + 1, colon + 1 + MAX_VALUE_CHARS))
    const mark = all.lastIndexOf('!')
    const isImportant = mark !== -1 && IMPORTANT.test(all.slice(mark))
    const value = isImportant ? all.slice(0, mark).trimEnd() : all
    expand(name, isText ? value : value.toLowerCase(), isImportant, found)
  }
  return found
}

function nameOf(written: string): string {
  const text = written.includes('/*') ? written.replace(/\/\*.*?(?:\*\/|$)/gs, '') : written
  return plainEscapes(text.trim())
}

function plainValue(written: string): string {
  const text = written.includes('/*') ? written.replace(/\/\*.*?(?:\*\/|$)/gs, ' ') : written
  return plainEscapes(text.trim())
}

/** CSS Syntax 3, §4.3.7. */
function plainEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(ESCAPE, (_, hex: string | undefined, other = '') => {
    if (hex === undefined) return String(other)
    const code = Number.parseInt(hex, 16)
    return code < 0x80 ? String.fromCharCode(code) : ' '
  })
}

/** Adds a declaration, or those that a shorthand stands for. */
function expand(name: string, value: string, isImportant: boolean, found: Declared[]): void {
  const shorthand = value.includes('var(') ? undefined : SHORTHANDS[name]
  if (shorthand) {
    for (const [property, part] of shorthand(value))
      if (isValid(property, part)) found.push({ property, value: part, isImportant })
  } else if (isValid(name, value)) found.push({ property: name, value, isImportant })
}

type Shorthand = (value: string) => [property: string, value: string][]

/** Values of four sides. */
const sides = (value: string): [string, string, string, string] => {
  const [top = '', right = top, bottom = top, left = right] = listOf(value)
  return [top, right, bottom, left]
}

const SHORTHANDS: Readonly<Record<string, Shorthand>> = {
  font: (value) => [['font-size', fontSizeIn(value) ?? '']],
  background: (value) => {
    const parts = listOf(value)
    const colour = KEYWORDS.has(value) ? value : parts.find((part) => isColour(part))
    const image = parts.find((part) => IMAGE.test(part))
    const clip = parts.includes('text') ? 'text' : undefined
    // What is not understood may be anything.
    const unknown = parts.some((part) => part.endsWith('(') || /^(?!url|calc)[a-z-]+\(/.test(part)) ? 'unknown()' : 'transparent' // prettier-ignore
    const found: [string, string][] = [['background-color', colour ?? (value === '' ? '' : unknown)]]
    found.push(['background-image', image ?? 'none'])
    if (clip !== undefined) found.push(['background-clip', clip])
    return found
  },
  margin: (value) => {
    const [top, , , left] = sides(value)
    return [
      ['margin-top', top],
      ['margin-left', left],
    ]
  },
  inset: (value) => {
    const [top, right, bottom, left] = sides(value)
    return [
      ['top', top],
      ['right', right],
      ['bottom', bottom],
      ['left', left],
    ]
  },
  overflow: (value) => {
    const [x = '', y = x] = listOf(value)
    return [
      ['overflow-x', x],
      ['overflow-y', y],
    ]
  },
  'flex-flow': (value) => listOf(value).flatMap((part): [string, string][] => (/^(?:row|column)/.test(part) ? [['flex-direction', part]] : [])), // prettier-ignore
  'list-style': (value) => (/["']/.test(value) ? [['list-style-type', value]] : []),
  'grid-area': (value) => {
    const [row = '', column = ''] = value.split('/')
    return [
      ['grid-row', row.trim()],
      ['grid-column', column.trim()],
    ]
  },
  mask: (value) => [['mask-image', value]],
  animation: (value) => [['animation-name', value]],
}

const IMAGE = /url\(|gradient|image\(|cross-fade|element\(/
const KEYWORDS: ReadonlySet<string> = new Set(['inherit', 'initial', 'unset', 'revert', 'revert-layer'])
const DISPLAY =
  /^(?:none|contents|(?:inline|block|flow-root|flow|flex|grid|table|ruby|list-item|run-in|-webkit-box|-webkit-inline-box|-ms-flexbox|math)(?:-[a-z-]+)?(?: (?:inline|block|flow-root|flow|flex|grid|table|ruby|list-item))*|table-[a-z-]+)$/

/** The parts of a value between spaces outside of parentheses. */
function listOf(value: string): string[] {
  return value.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\)?)+/g) ?? []
}

function isValid(name: string, value: string): boolean {
  if (value === '') return false
  if (value.includes('var(') || KEYWORDS.has(value)) return true
  switch (name) {
    case 'display':
      return DISPLAY.test(value)
    case 'visibility':
      return /^(?:visible|hidden|collapse)$/.test(value)
    case 'opacity':
      return opacityOf(value) !== undefined
    case 'font-size':
      return value in SIZE_WORDS || (pixelsOf(value, 16) ?? -1) >= 0
    case 'color':
    case 'background-color':
    case 'text-fill-color':
      return isColour(value)
    case 'text-indent':
    case 'left':
    case 'top':
    case 'right':
    case 'bottom':
    case 'margin-left':
    case 'margin-top':
    case 'width':
    case 'height':
    case 'max-width':
    case 'max-height':
      return /^[a-z-]+$/.test(value) || pixelsOf(value.split(' ')[0], 16) !== undefined
    default:
      return true
  }
}

/** A colour that is known, or a function that may be one. */
function isColour(value: string): boolean {
  return value === 'currentcolor' || colourOf(value) !== undefined || /^(?!url|calc|image)[a-z-]+\(/.test(value)
}

export function opacityOf(value: string): number | undefined {
  const share = pixelsOf(value, 1)
  return share === undefined ? undefined : Math.max(0, Math.min(1, share))
}

export const SIZE_WORDS: Record<string, number> = {
  'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, 'xxx-large': 48, smaller: 13, larger: 19,
} // prettier-ignore

function fontSizeIn(font: string): string | undefined {
  if (KEYWORDS.has(font)) return font
  const calculated = /(?:^|\s)((?:calc|min|max|clamp)\((?:[^()]|\([^()]*\))*\))/.exec(font)?.[1]
  return calculated ?? /(?:^|\s)(\d[\d.]{0,8}(?:[a-z]{2,3}|%)?|\.\d{1,8}[a-z]{2,3})(?=[\s/]|$)(?!\d00)(?<!(?:^|\s)\d00)/.exec(font)?.[1] // prettier-ignore
}

const MAX_VARIABLES = 50
const MAX_SUBSTITUTIONS = 20
const MAX_TEXT_CHARS = 16 * 1024
const VARIABLE = /var\(\s*(--[^\s,()]{1,80})\s*(?:,\s*((?:[^()]|\([^()]*\)){0,300}))?\)/

export type Variables = ReadonlyMap<string, string>

/** Adds the variables that an element sets (CSS Custom Properties 1). */
export function variablesOf(given: Declarations, inherited: Variables): Variables {
  let variables: Map<string, string> | undefined
  for (const [name, value] of given) {
    if (!name.startsWith('--')) continue
    variables ??= new Map(inherited)
    if (variables.size < MAX_VARIABLES || variables.has(name)) variables.set(name, value)
  }
  return variables ?? inherited
}

/** Replaces variables by their values. */
export function withVariables(given: Declarations, variables: Variables): Declarations {
  if (![...given.values()].some((value) => value.includes('var('))) return given
  const known: Declarations = new Map()
  for (const [name, value] of given) {
    if (!value.includes('var(') || name.startsWith('--')) known.set(name, value)
    else {
      const found: Declared[] = []
      const filled = substituted(value, variables, TEXTS.has(name) ? MAX_TEXT_CHARS : MAX_VALUE_CHARS)
      if (filled !== undefined) expand(name, TEXTS.has(name) ? filled : filled.toLowerCase(), false, found)
      for (const { property, value: meant } of found) known.set(property, meant)
    }
  }
  return known
}

function substituted(value: string, variables: Variables, most: number): string | undefined {
  let text = value
  for (let count = 0; count < MAX_SUBSTITUTIONS; count++) {
    const match = VARIABLE.exec(text)
    if (!match) return text.includes('var(') ? undefined : text.trim()
    const meant = variables.get(match[1] ?? '') ?? match[2]
    if (meant === undefined || text.length + meant.length > most) return undefined
    text = text.slice(0, match.index) + meant + text.slice(match.index + match[0].length)
  }
  return undefined
}
