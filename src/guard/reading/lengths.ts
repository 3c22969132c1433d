/** Lengths of CSS in pixels, with calculations (CSS Values 4, §10). */

const UNITS: Record<string, number> = {
  px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 38, mm: 3.8, q: 0.95, vw: 8, vh: 8, vmin: 8, vmax: 8, dvw: 8, dvh: 8, svw: 8, svh: 8, lvw: 8, lvh: 8,
} // prettier-ignore
const ROOT_SIZE = 16
const NUMBER = /[+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})(?:e[+-]?\d{1,2})?/
const LENGTH = new RegExp(`^(${NUMBER.source})([a-z]{0,5}|%)$`)
const IS_MATH = /^-?(?:webkit-)?(?:calc|min|max|clamp)\(/
const TOKEN = new RegExp(`(${NUMBER.source})([a-z]{1,5}|%)?|(calc|min|max|clamp)?(\\()|([-+*/),])`, 'y')
const MAX_TOKENS = 100
const MAX_NESTED = 10

/** @param base of `em` and shares @returns undefined for what is no length */
export function pixelsOf(value: string | undefined, base: number): number | undefined {
  if (value === undefined) return undefined
  const length = LENGTH.exec(value)
  if (length) return inPixels(Number(length[1]), length[2] ?? '', base)
  return IS_MATH.test(value) ? calculated(value, base) : undefined
}

function inPixels(amount: number, unit: string, base: number): number {
  if (unit === 'em' || unit === 'ex' || unit === 'ch') return amount * base
  if (unit === 'rem') return amount * ROOT_SIZE
  if (unit === '%') return (amount / 100) * base
  return amount * (UNITS[unit] ?? 1)
}

interface Token {
  number?: number
  sign?: string
}

/** Sums and products of pixels; undefined for anything else. */
function calculated(value: string, base: number): number | undefined {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const text = value.replace(/^-?(?:webkit-)?/, '').replace(/\s+/g, '').replace(/(?<=[\w%)])([+-])(?=[\d.(cm])/g, ' $1 ').replace(/ /g, '\u0000') // prettier-ignore
  for (const part of text.split('\u0000')) {
    TOKEN.lastIndex = 0
    while (TOKEN.lastIndex < part.length) {
      const match = TOKEN.exec(part)
      if (!match || tokens.length >= MAX_TOKENS) return undefined
      const [, number, unit = '', name, open, sign] = match
      if (number !== undefined) tokens.push({ number: inPixels(Number(number), unit, base) })
      else tokens.push({ sign: open === undefined ? sign : `${name ?? 'calc'}(` })
    }
  }
  const reader = { tokens, at: 0 }
  const result = sum(reader, 0)
  return result !== undefined && reader.at === tokens.length ? result : undefined
}

interface TokenReader {
  tokens: Token[]
  at: number
}

function sum(reader: TokenReader, depth: number): number | undefined {
  let total = product(reader, depth)
  for (;;) {
    const sign = reader.tokens[reader.at]?.sign
    if (total === undefined || (sign !== '+' && sign !== '-')) return total
    reader.at++
    const next = product(reader, depth)
    total = next === undefined ? undefined : sign === '+' ? total + next : total - next
  }
}

function product(reader: TokenReader, depth: number): number | undefined {
  let total = single(reader, depth)
  for (;;) {
    const sign = reader.tokens[reader.at]?.sign
    if (total === undefined || (sign !== '*' && sign !== '/')) return total
    reader.at++
    const next = single(reader, depth)
    total = next === undefined ? undefined : sign === '*' ? total * next : total / next
  }
}

function single(reader: TokenReader, depth: number): number | undefined {
  const { number, sign } = reader.tokens[reader.at++] ?? {}
  if (number !== undefined) return number
  if (sign?.endsWith('(') !== true || depth >= MAX_NESTED) return undefined
  const values: number[] = []
  for (;;) {
    const value = sum(reader, depth + 1)
    if (value === undefined) return undefined
    values.push(value)
    const next = reader.tokens[reader.at++]?.sign
    // A parenthesis that is never closed ends with the value.
    if (next === ')' || next === undefined) break
    if (next !== ',') return undefined
  }
  const [first = 0, second = 0, third = 0] = values
  if (sign === 'min(') return Math.min(...values)
  if (sign === 'max(') return Math.max(...values)
  return sign === 'clamp(' ? Math.max(first, Math.min(second, third)) : first
}
