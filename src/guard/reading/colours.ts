/** Colours of CSS, as far as they matter for one question: can letters be told from their background? */
import { NAMED_COLOURS } from './named-colours.js'

/** Red, green and blue, 0 to 255, and opacity, 0 to 1. */
export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

const colour = (red: number, green: number, blue: number, alpha = 1): Colour => ({ red, green, blue, alpha })

export const WHITE = colour(255, 255, 255)
export const BLACK = colour(0, 0, 0)

const FUNCTION = /^(rgb|hsl|hwb|color|lab|lch|oklab|oklch)a?\(([^()]{1,120})\)?/
const HEX = /^#?([\da-f]{3,8})(?![\da-z])/

const known = new Map<string, Colour | undefined>()

/** @returns undefined for one that is not known: text in it counts as shown */
export function colourOf(written: string): Colour | undefined {
  if (known.has(written)) return known.get(written)
  const found = readColour(written.trim().toLowerCase())
  // Strangers choose the colours.
  if (known.size < 500 && written.length < 60) known.set(written, found)
  return found
}

function readColour(text: string): Colour | undefined {
  const hex = NAMED_COLOURS.get(/^[a-z]+$/.exec(text)?.[0] ?? '') ?? HEX.exec(text)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const [, kind, given = ''] = FUNCTION.exec(text) ?? []
  if (kind === undefined) return undefined
  const parts = given.split(/[\s,/]+/).filter((part) => part !== '')
  if (kind === 'color') parts.shift()
  const [first = '', second = '', third = '', opacity] = parts
  if (third === '') return undefined
  const alpha = opacity === undefined ? 1 : shareOf(opacity, 1)
  if (kind === 'rgb') return colour(255 * shareOf(first, 255), 255 * shareOf(second, 255), 255 * shareOf(third, 255), alpha) // prettier-ignore
  if (kind === 'color') return colour(255 * shareOf(first, 1), 255 * shareOf(second, 1), 255 * shareOf(third, 1), alpha)
  if (kind === 'hsl') return ofHsl(degreesOf(first), shareOf(second, 100), shareOf(third, 100), alpha)
  if (kind === 'hwb') return ofHwb(degreesOf(first), shareOf(second, 100), shareOf(third, 100), alpha)
  return ofLightness(shareOf(first, kind.startsWith('ok') ? 1 : 100), alpha)
}

/** A number or percentage as a share of the greatest, 0 to 1; unreadable ones are 0, as `none` is. */
function shareOf(written: string, most: number): number {
  const number = Number.parseFloat(written)
  if (Number.isNaN(number)) return 0
  return Math.max(0, Math.min(1, number / (written.endsWith('%') ? 100 : most)))
}

function degreesOf(written: string): number {
  const number = Number.parseFloat(written)
  if (Number.isNaN(number)) return 0
  const unit = written.endsWith('turn') ? 360 : written.endsWith('grad') ? 0.9 : written.endsWith('rad') ? 57.29578 : 1
  return (((number * unit) % 360) + 360) % 360
}

function ofHex(digits: string): Colour | undefined {
  const each = digits.length === 3 || digits.length === 4 ? 1 : digits.length === 6 || digits.length === 8 ? 2 : 0
  if (each === 0) return undefined
  const at = (index: number): number => {
    const part = digits.slice(index * each, (index + 1) * each)
    return part === '' ? 255 : Number.parseInt(each === 1 ? part + part : part, 16)
  }
  return colour(at(0), at(1), at(2), at(3) / 255)
}

/** CSS Color 4, §7. */
function ofHsl(hue: number, saturation: number, lightness: number, alpha: number): Colour {
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12
    const reach = saturation * Math.min(lightness, 1 - lightness)
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return colour(channel(0), channel(8), channel(4), alpha)
}

/** CSS Color 4, §8. */
function ofHwb(hue: number, white: number, black: number, alpha: number): Colour {
  if (white + black >= 1) {
    const grey = (255 * white) / (white + black)
    return colour(grey, grey, grey, alpha)
  }
  const { red, green, blue } = ofHsl(hue, 1, 0.5, 1)
  const channel = (value: number): number => value * (1 - white - black) + 255 * white
  return colour(channel(red), channel(green), channel(blue), alpha)
}

/** At the ends of lightness there is one colour only; between them it is not known here. */
function ofLightness(lightness: number, alpha: number): Colour | undefined {
  if (lightness >= 0.99) return { ...WHITE, alpha }
  return lightness <= 0.01 ? { ...BLACK, alpha } : alpha === 0 ? { ...BLACK, alpha } : undefined
}

/** The colour in a value that has other parts too. */
export function colourIn(value: string): Colour | undefined {
  const parts = value.match(/[a-z]+\([^()]{0,120}\)|#[\da-f]{3,8}|[a-z]{3,24}/g) ?? []
  return parts.map(colourOf).find((found) => found !== undefined)
}

/** What is seen of a colour on a background. */
export function over({ red, green, blue, alpha }: Colour, ground: Colour): Colour {
  if (alpha === 1) return { red, green, blue, alpha }
  const mix = (own: number, below: number): number => own * alpha + below * (1 - alpha)
  return colour(mix(red, ground.red), mix(green, ground.green), mix(blue, ground.blue))
}

/** Below this difference in every channel, nobody sees letters. */
const VISIBLE_DIFFERENCE = 20

/** True if letters of a colour can't be seen on an opaque background. */
export function isUnseen(letters: Colour, ground: Colour): boolean {
  const seen = over(letters, ground)
  return (
    Math.max(Math.abs(seen.red - ground.red), Math.abs(seen.green - ground.green), Math.abs(seen.blue - ground.blue)) <=
    VISIBLE_DIFFERENCE
  )
}
