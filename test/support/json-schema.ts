/** Values for schemas of the API's description: such that fit, and such that do not. The same seed makes the same values. */
import type { Json } from '../clients/openapi.js'

export interface Draw {
  /** 0 to 1. */
  next(): number
  pick<T>(from: readonly T[]): T
}

/** @param seed of a sequence (mulberry32) */
export function drawing(seed: number): Draw {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    pick(from) {
      const chosen = from[Math.floor(next() * from.length)]
      if (chosen === undefined) throw new Error('nothing to draw from')
      return chosen
    },
  }
}

const WORDS = [
  '',
  'a',
  'Lunch',
  'ünïcödé 漢字 🙂',
  'x'.repeat(300),
  '../../etc/passwd',
  'a\r\nb',
  '\u0000',
  '<b>',
  '%00',
  'null',
]
const ADDRESSES = [
  'ada@example.org',
  'Ada <ada@example.org>',
  'delivered@simulator.agents.test',
  'nobody',
  '@',
  'a@b@c',
]
const STRANGE = [null, true, -1, 1e308, 'text', [], {}, [[[]]], { a: { b: {} } }, '9'.repeat(400), 0.5]

/** A value that mostly fits: what a pattern or a format asks for beyond its type is met by chance only, or by what the name says. */
export function valueFor(draw: Draw, schema: Json, resolve: (ref: string) => Json, name = ''): unknown {
  const { $ref, anyOf, oneOf, const: value, enum: values, type } = schema
  const within = (inner: unknown, innerName = name) =>
    valueFor(draw, inner !== null && typeof inner === 'object' ? { ...inner } : {}, resolve, innerName)
  if (typeof $ref === 'string') return within(resolve($ref))
  if (value !== undefined) return value
  if (Array.isArray(values)) return draw.pick(values)
  const several = anyOf ?? oneOf
  if (Array.isArray(several)) return within(draw.pick(several))
  switch (Array.isArray(type) ? draw.pick(type) : type) {
    case 'boolean':
      return draw.next() < 0.5
    case 'null':
      return null
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 100 } = schema
      return draw.pick([Number(minimum), Number(maximum), Math.floor((Number(minimum) + Number(maximum)) / 2)])
    }
    case 'array':
      return Array.from({ length: Math.floor(draw.next() * 3) }, () => within(schema['items']))
    case 'object': {
      const required = Array.isArray(schema['required']) ? schema['required'] : []
      const members = Object.entries({ ...(schema['properties'] as object | undefined) })
      return Object.fromEntries(
        members
          .filter(([member]) => required.includes(member) || draw.next() < 0.4)
          .map(([member, inner]) => [member, within(inner, member)]),
      )
    }
    default:
      return textFor(draw, schema, name)
  }
}

function textFor(draw: Draw, { format, pattern }: Json, name: string): string {
  if (format === 'date-time') return draw.pick(['2026-11-22T10:00:00.000Z', '2026-11-22T10:00:00+01:00', 'yesterday'])
  if (/^(to|cc|bcc|from|reply_to|address)$/.test(name)) return draw.pick(ADDRESSES)
  if (pattern !== undefined) return draw.pick(['abc', 'invoices', 'A b', ''])
  return draw.pick(WORDS)
}

/** The same value with one thing wrong with it, most likely. */
export function broken(draw: Draw, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return draw.pick(STRANGE)
  const names = Object.keys(value)
  const copy: Record<string, unknown> = { ...value }
  const name = names.length > 0 ? draw.pick(names) : undefined
  switch (draw.pick(['drop', 'change', 'change', 'add', 'whole'])) {
    case 'drop':
      if (name !== undefined) delete copy[name]
      return copy
    case 'change':
      if (name !== undefined) copy[name] = draw.next() < 0.5 ? broken(draw, copy[name]) : draw.pick(STRANGE)
      return copy
    case 'add':
      return { ...copy, surely_unknown: draw.pick(STRANGE) }
    default:
      return draw.pick(STRANGE)
  }
}
