/** What CSS declarations and attributes of an element do to its text: is it seen, in which size and colour, in which direction? */
import { BLACK, colourOf, isUnseen, over, WHITE, type Colour } from './colours.js'

/** Computed for an element; shared with its children where they change nothing. */
export interface Look {
  /** Not displayed, whatever its descendants say. */
  isGone: boolean
  /** By `visibility`, which descendants may change. */
  isInvisible: boolean
  /** Pixels. */
  size: number
  letters: Colour
  /** Undefined where an image or an unknown colour may be behind the letters. */
  ground: Colour | undefined
  isRightToLeft: boolean
  isOverridden: boolean
  /** Items of a row stand in reverse order. */
  isRowReversed: boolean
  /** Computed of the above: its text is not seen. */
  isHidden: boolean
}

export const PLAIN: Look = {
  isGone: false,
  isInvisible: false,
  size: 16,
  letters: BLACK,
  ground: WHITE,
  isRightToLeft: false,
  isOverridden: false,
  isRowReversed: false,
  isHidden: false,
}

/** Properties in order of precedence, the last wins; lower case. */
export type Declarations = Map<string, string>

const PROPERTIES = new Set(
  (
    'display visibility opacity color background background-color background-image font font-size text-indent left top right bottom position margin ' +
    'margin-left margin-top max-height height max-width width overflow overflow-y overflow-x clip clip-path direction unicode-bidi float transform ' +
    '-webkit-text-fill-color flex-direction content filter zoom'
  ).split(' '),
)
const MAX_VALUE_CHARS = 300
const IMPORTANT = /\s*!\s*important$/i

/** Adds declarations; those marked as important are not replaced by others. */
export function declare(style: string, into: Declarations): void {
  let text = style
  if (text.includes('/*')) text = text.replace(/\/\*.*?(?:\*\/|$)/gs, ' ')
  // CSS Syntax 3, §4.3.7.
  if (text.includes('\\'))
    text = text.replace(/\\([\da-f]{1,6})\s?/gi, (_, hex: string) => {
      const code = Number.parseInt(hex, 16)
      return code < 0x80 ? String.fromCharCode(code) : ' '
    })
  let at = 0
  while (at < text.length) {
    let end = text.indexOf(';', at)
    if (end === -1) end = text.length
    const colon = text.indexOf(':', at)
    if (colon === -1) return
    if (colon < end) {
      const name = text.slice(at, colon).trim().toLowerCase()
      if (PROPERTIES.has(name)) {
        const value = text.slice(colon + 1, Math.min(end, colon + 1 + MAX_VALUE_CHARS)).trim()
        const plain = value.replace(IMPORTANT, '')
        if (plain !== value) into.set(`!${name}`, name === 'content' ? plain : plain.toLowerCase())
        else into.set(name, name === 'content' ? plain : plain.toLowerCase())
      }
    }
    at = end + 1
  }
}

export function valueOf(name: string, given: Declarations): string | undefined {
  return given.get(`!${name}`) ?? given.get(name)
}

/** Text below this size is not read by people. */
const MIN_READABLE_PX = 4
const FAR_PX = 100
const FAR_BEYOND_PX = 3000
const UNITS: Record<string, number> = { px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 38, mm: 3.8, vw: 8, vh: 8 }
const LENGTH = /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))\s*([a-z%]{0,5})/
const SIZE_WORDS: Record<string, number> = {
  'xx-small': 9, 'x-small': 10, small: 13, medium: 16, large: 18, 'x-large': 24, 'xx-large': 32, smaller: 13, larger: 19,
} // prettier-ignore

function pixelsOf(value: string | undefined, base: number): number | undefined {
  const length = value === undefined ? undefined : LENGTH.exec(value)
  if (!length) return undefined
  const amount = Number(length[1])
  const unit = length[2] ?? ''
  if (unit === 'em' || unit === 'ex' || unit === 'ch') return amount * base
  if (unit === 'rem') return amount * PLAIN.size
  if (unit === '%') return (amount / 100) * base
  return amount * (UNITS[unit] ?? 1)
}

/** The look of an element within another. */
export function lookOf(given: Declarations, parent: Look): Look {
  if (given.size === 0) return parent
  const get = (name: string): string | undefined => valueOf(name, given)
  const size = sizeOf(get, parent.size)
  const letters = lettersOf(get, parent)
  const ground = groundOf(get, parent.ground)
  const isInvisible = invisibleOf(get('visibility'), parent.isInvisible)
  const isGone = parent.isGone || isRemoved(get, size)
  const direction = get('direction')
  const isRightToLeft = direction === undefined ? parent.isRightToLeft : direction.startsWith('rtl')
  const bidi = get('unicode-bidi')
  const isOverridden = bidi?.includes('override') ?? parent.isOverridden
  const flow = get('flex-direction')
  return {
    isGone,
    isInvisible,
    size,
    letters,
    ground,
    isRightToLeft,
    isOverridden,
    isRowReversed: flow === undefined ? isRightToLeft : flow.includes('row-reverse') !== isRightToLeft,
    isHidden: isGone || isInvisible || size < MIN_READABLE_PX || (ground !== undefined && isUnseen(letters, ground)),
  }
}

type Get = (name: string) => string | undefined

function sizeOf(get: Get, parent: number): number {
  const written = get('font-size') ?? fontSizeIn(get('font'))
  if (written === undefined) return parent
  return SIZE_WORDS[written] ?? Math.max(0, pixelsOf(written, parent) ?? parent)
}

function fontSizeIn(font: string | undefined): string | undefined {
  return font === undefined ? undefined : /(?:^|\s)(\d[\d.]{0,8}(?:[a-z]{2,3}|%)?)(?=[\s/]|$)(?!\d00)/.exec(font)?.[1]
}

function lettersOf(get: Get, { letters, ground }: Look): Colour {
  const written = get('-webkit-text-fill-color') ?? get('color')
  if (written === undefined) return letters
  // Of an unknown colour, letters are seen.
  return colourOf(written) ?? (ground && isUnseen(letters, ground) ? BLACK : letters)
}

function groundOf(get: Get, parent: Colour | undefined): Colour | undefined {
  const written = get('background-color') ?? get('background')
  const image = `${get('background-image') ?? ''}${get('background') ?? ''}`
  if (/url\(|gradient/.test(image)) return undefined
  if (written === undefined || /^(?:none|inherit|initial|unset)/.test(written)) return parent
  const own = colourOf(written)
  if (!own) return written === '' ? parent : undefined
  return own.alpha === 0 ? parent : parent ? over(own, parent) : own.alpha === 1 ? own : undefined
}

function invisibleOf(value: string | undefined, parent: boolean): boolean {
  if (value === undefined || value.startsWith('inherit')) return parent
  return value.startsWith('hidden') || value.startsWith('collapse')
}

function isRemoved(get: Get, size: number): boolean {
  if (get('display') === 'none') return true
  const opacity = get('opacity')
  if (opacity !== undefined && Number.parseFloat(opacity) / (opacity.includes('%') ? 100 : 1) <= 0.05) return true
  if (/opacity\(0(?:\.0\d*)?%?\)/.test(get('filter') ?? '')) return true
  if (get('zoom') === '0') return true
  if (/scale[xy]?\(\s*0(?:\.0\d*)?\s*[,)]|translate[xy]?\([^)]{0,20}-\d{4}/.test(get('transform') ?? '')) return true
  if ((pixelsOf(get('text-indent'), size) ?? 0) <= -FAR_PX) return true
  const margin = (get('margin') ?? '').split(/\s+/)
  const [top, , , left] = [margin[0], margin[1], margin[2], margin[3] ?? margin[1]]
  if ((pixelsOf(get('margin-left') ?? left, size) ?? 0) <= -FAR_PX) return true
  if ((pixelsOf(get('margin-top') ?? top, size) ?? 0) <= -FAR_PX) return true
  return isMovedAway(get, size) || isClipped(get)
}

function isMovedAway(get: Get, size: number): boolean {
  const position = get('position')
  if (position === undefined || position === 'static') return false
  return ['left', 'top', 'right', 'bottom'].some((side) => {
    const moved = pixelsOf(get(side), size) ?? 0
    return moved <= -FAR_PX || moved >= FAR_BEYOND_PX
  })
}

function isClipped(get: Get): boolean {
  if (/rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?/.test(get('clip') ?? '')) return true
  if (/inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0/.test(get('clip-path') ?? '')) return true
  const overflow = `${get('overflow') ?? ''}${get('overflow-y') ?? ''}${get('overflow-x') ?? ''}`
  if (!/hidden|clip/.test(overflow)) return false
  return ['max-height', 'height', 'max-width', 'width'].some((side) => (pixelsOf(get(side), PLAIN.size) ?? 99) <= 1)
}
