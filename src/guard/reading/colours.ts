/** Colours of CSS, as far as they matter for one question: can letters be told from their background? */

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

/** The names that mail uses. Others are unknown, so text in them counts as shown. */
const NAMED: Record<string, Colour> = {
  white: WHITE, black: BLACK, transparent: colour(0, 0, 0, 0), snow: colour(255, 250, 250), ivory: colour(255, 255, 240), ghostwhite: colour(248, 248, 255),
  whitesmoke: colour(245, 245, 245), floralwhite: colour(255, 250, 240), mintcream: colour(245, 255, 250), azure: colour(240, 255, 255),
  aliceblue: colour(240, 248, 255), seashell: colour(255, 245, 238), honeydew: colour(240, 255, 240), lavenderblush: colour(255, 240, 245),
  gray: colour(128, 128, 128), grey: colour(128, 128, 128), silver: colour(192, 192, 192), lightgray: colour(211, 211, 211),
  lightgrey: colour(211, 211, 211), gainsboro: colour(220, 220, 220), red: colour(255, 0, 0), blue: colour(0, 0, 255), green: colour(0, 128, 0),
  navy: colour(0, 0, 128), yellow: colour(255, 255, 0), orange: colour(255, 165, 0), purple: colour(128, 0, 128), maroon: colour(128, 0, 0),
} // prettier-ignore

const FUNCTION =
  /^(rgb|hsl)a?\(\s*([\d.]{1,8})[\s,deg]{1,9}([\d.]{1,8})(%?)[\s,]{1,9}([\d.]{1,8})%?(?:[\s,/]{1,9}([\d.]{1,8})(%?))?\s*\)/i
const HEX = /^#?([\da-f]{3,8})(?![\da-z])/i

/** @returns undefined for one that is not known */
export function colourOf(written: string): Colour | undefined {
  const text = written.trim().toLowerCase()
  const named = NAMED[/^[a-z]+/.exec(text)?.[0] ?? '']
  if (named) return named
  const hex = HEX.exec(text)?.[1]
  if (hex !== undefined) return ofHex(hex)
  const parts = FUNCTION.exec(text)
  if (!parts) return undefined
  const [, kind, first = '', second = '', percent, third = '', opacity, opacityPercent] = parts
  const alpha = opacity === undefined ? 1 : Math.min(1, Number(opacity) / (opacityPercent === '%' ? 100 : 1))
  if (kind === 'hsl') return ofHsl(Number(first), Number(second) / 100, Number(third) / 100, alpha)
  const unit = percent === '%' ? 2.55 : 1
  return colour(Number(first) * unit, Number(second) * unit, Number(third) * unit, alpha)
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
