/** Operands of PDF operators, as pdf.js gives them: what is not as expected counts for nothing. */
import type { Matrix } from './drawing.js'

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

export const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

/** Of an array; the identity for nothing. */
export function matrixOf(given: unknown): Matrix {
  const values = listOf(given)
  if (values.length < 6) return IDENTITY
  const [a, b, c, d, e, f] = values.map(numberOf)
  return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
}

export function rectangleOf(given: unknown): Float64Array {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = listOf(given).map(numberOf)
  return Float64Array.of(x1, y1, x2, y1, x2, y2, x1, y2)
}

function listOf(given: unknown): unknown[] {
  if (Array.isArray(given)) return given
  return given instanceof Float32Array || given instanceof Float64Array ? [...given] : []
}

export function entriesOf(given: unknown): [unknown, unknown][] {
  return listOf(given).flatMap((entry): [unknown, unknown][] => (Array.isArray(entry) ? [[entry[0], entry[1]]] : []))
}

/** Of `#rrggbb`, as bright as it looks (ITU-R BT.601). */
export function greyOf(color: unknown): number {
  const value = typeof color === 'string' ? parseInt(color.slice(1), 16) : 0
  return Math.round(0.299 * ((value >> 16) & 255) + 0.587 * ((value >> 8) & 255) + 0.114 * (value & 255))
}
