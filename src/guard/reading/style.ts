/** The look of an element's text by styles and attributes: visibility, size, colour and direction. */
import { BLACK, colourIn, colourOf, isUnseen, over, WHITE, type Colour } from './colours.js'
import { SIZE_WORDS, variablesOf, withVariables, type Declarations, type Variables } from './declarations.js'
import { isRemoved, opacityIn, type Get } from './hiding.js'
import { pixelsOf } from './lengths.js'

/** Computed for an element; shared with its children where they change nothing. */
export interface Look {
  /** Not displayed, whatever its descendants say. */
  isGone: boolean
  /** By `visibility`, which descendants may change. */
  isInvisible: boolean
  /** Multiplied over all enclosing elements, 0 to 1. */
  opacity: number
  /** Pixels. */
  size: number
  letters: Colour
  /** Colour of the shadow or outline; undefined for none. */
  outline: Colour | undefined
  /** Undefined where an image or an unknown colour may be behind the letters. */
  ground: Colour | undefined
  /** Lines without height, where what is beyond them is cut. */
  hasFlatLines: boolean
  isCut: boolean
  isRightToLeft: boolean
  isOverridden: boolean
  /** The mark of items of a list, as `list-style-type` writes it; '' for none. */
  mark: string
  variables: Variables
  /** Computed of the above: its text is not seen. */
  isHidden: boolean
}

export const PLAIN: Look = {
  isGone: false,
  isInvisible: false,
  opacity: 1,
  size: 16,
  letters: BLACK,
  outline: undefined,
  ground: WHITE,
  hasFlatLines: false,
  isCut: false,
  isRightToLeft: false,
  isOverridden: false,
  mark: '',
  variables: new Map(),
  isHidden: false,
}

/** Text below this size is not read by people. */
const MIN_READABLE_PX = 4
const MIN_OPACITY = 0.05
const FAR_SHADOW_PX = 100

/** The look of an element within another. */
export function lookOf(written: Declarations, parent: Look): Look {
  if (written.size === 0) return parent
  const variables = variablesOf(written, parent.variables)
  const given = withVariables(written, variables)
  const get = (name: string): string | undefined => given.get(name)
  const size = sizeOf(get('font-size'), parent.size)
  const inherited = lettersOf(get, parent)
  const { letters, ground } = groundOf(get, parent.ground, inherited)
  const outline = outlineOf(get, parent.outline)
  const isInvisible = invisibleOf(get('visibility'), parent.isInvisible)
  const isGone = parent.isGone || isRemoved(get, size)
  const opacity = parent.opacity * opacityIn(get)
  const direction = get('direction')
  const isRightToLeft = direction === undefined ? parent.isRightToLeft : direction.startsWith('rtl')
  const bidi = get('unicode-bidi')
  const isOverridden = bidi?.includes('override') ?? parent.isOverridden
  const height = get('line-height')
  const hasFlatLines = height === undefined || height === 'inherit' ? parent.hasFlatLines : (pixelsOf(height, size) ?? size) <= 1 && height !== '1' // prettier-ignore
  const isCut = parent.isCut || /hidden|clip/.test(get('overflow-y') ?? '')
  const isSeen = ground === undefined || !isUnseen(letters, ground) || (outline !== undefined && !isUnseen(outline, ground)) // prettier-ignore
  return {
    isGone,
    isInvisible,
    opacity,
    size,
    letters,
    outline,
    ground,
    hasFlatLines,
    isCut,
    isRightToLeft,
    isOverridden,
    mark: get('list-style-type') ?? parent.mark,
    variables,
    isHidden: isGone || isInvisible || opacity <= MIN_OPACITY || size < MIN_READABLE_PX || (hasFlatLines && isCut) || !isSeen, // prettier-ignore
  }
}

function sizeOf(written: string | undefined, parent: number): number {
  if (written === undefined || written === 'inherit' || written === 'unset') return parent
  return SIZE_WORDS[written] ?? (written === 'initial' ? PLAIN.size : Math.max(0, pixelsOf(written, parent) ?? parent))
}

function lettersOf(get: Get, { letters, ground }: Look): Colour {
  const written = get('text-fill-color') ?? get('color')
  if (written === undefined || /^(?:inherit|unset|currentcolor)$/.test(written)) return letters
  if (written === 'initial') return BLACK
  // Of an unknown colour, letters are seen.
  return colourOf(written) ?? (ground && isUnseen(letters, ground) ? BLACK : letters)
}

/** The background, and the letters' colour where only the background shows through them. */
function groundOf(
  get: Get,
  parent: Colour | undefined,
  letters: Colour,
): { letters: Colour; ground: Colour | undefined } {
  const written = get('background-color')
  const hasImage = /\(/.test(get('background-image') ?? '')
  const own = written === 'currentcolor' ? letters : written === undefined ? undefined : colourOf(written)
  if (get('background-clip') === 'text') {
    const isThrough = letters.alpha < 0.5
    return { letters: isThrough ? (hasImage || !own ? BLACK : own) : letters, ground: parent }
  }
  if (hasImage) return { letters, ground: undefined }
  if (written === undefined || /^(?:none|inherit|initial|unset|revert)/.test(written))
    return { letters, ground: parent }
  if (!own) return { letters, ground: undefined }
  if (own.alpha === 0) return { letters, ground: parent }
  return { letters, ground: parent ? over(own, parent) : own.alpha === 1 ? own : undefined }
}

/** The colour of the shadow or stroke that makes letters visible. */
function outlineOf(get: Get, parent: Colour | undefined): Colour | undefined {
  const [shadow, stroke] = [get('text-shadow'), get('text-stroke')]
  if (shadow === undefined && stroke === undefined) return parent
  const isNear = (written: string): boolean =>
    (written.match(/-?\d[\d.]{0,8}(?:px|em|pt|rem)/g) ?? []).every((length) => Math.abs(pixelsOf(length, 16) ?? 0) < FAR_SHADOW_PX) // prettier-ignore
  return [shadow, stroke].map((written) => (written !== undefined && isNear(written) ? colourIn(written) : undefined)).find((found) => found !== undefined) // prettier-ignore
}

function invisibleOf(value: string | undefined, parent: boolean): boolean {
  if (value === undefined || value.startsWith('inherit')) return parent
  return value.startsWith('hidden') || value.startsWith('collapse')
}
