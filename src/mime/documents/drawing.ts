/** Shapes on a plane, and how they are painted in shades of grey: as much of a canvas as it takes to read a code, within limits. */
import type { Pixels } from './picture.js'

/** ISO 32000-1 §8.3.3: `[a b c d e f]`. */
export type Matrix = readonly [number, number, number, number, number, number]

export interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

interface Painted {
  box: Box
  /** What is outside of it is not painted. */
  clip: Box
  /** 0 is black. */
  grey: number
  /** 1 hides what is below. */
  opacity: number
}

/** Polygons of x and y in turn, filled together. */
export interface Area extends Painted {
  polygons: readonly Float64Array[]
  isEvenOdd: boolean
}

/** A picture on the unit square that the matrix maps; of a mask only its dark pixels are painted. */
export interface Picture extends Painted {
  pixels: Pixels
  matrix: Matrix
  isMask: boolean
}

export type Shape = Area | Picture

/** How much all drawings of a document may cost together. */
export interface PaintBudget {
  /** Crossings of rows with edges. */
  crossings: number
  pixels: number
}

/** @returns the transformation by `inner` and then by `outer` */
export function combined(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export function boxOf(points: Float64Array): Box {
  const box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = NaN, y = NaN] = [points[at], points[at + 1]]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.bottom = Math.min(box.bottom, y)
    box.top = Math.max(box.top, y)
  }
  return box
}

export const common = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  bottom: Math.max(a.bottom, b.bottom),
  right: Math.min(a.right, b.right),
  top: Math.min(a.top, b.top),
})

/** False for boxes that are not numbers, too. */
export const isEmpty = ({ left, bottom, right, top }: Box): boolean => !(right > left && top > bottom)

/**
 * Paints shapes one over the other on white.
 *
 * @param view what is seen, its top in the first row
 * @param scale pixels for a unit
 * @returns undefined when the budget is used up
 */
export function paint(shapes: readonly Shape[], view: Box, scale: number, budget: PaintBudget): Grey | undefined {
  const width = Math.max(1, Math.ceil((view.right - view.left) * scale))
  const height = Math.max(1, Math.ceil((view.top - view.bottom) * scale))
  const bitmap: Grey = { width, height, grey: new Uint8Array(width * height).fill(255) }
  const toPixels: Matrix = [scale, 0, 0, -scale, -view.left * scale, view.top * scale]
  for (const shape of shapes) {
    const seen = common(common(shape.box, shape.clip), view)
    if (isEmpty(seen)) continue
    // Pixels whose middles are within.
    const within = {
      left: Math.max(0, Math.ceil((seen.left - view.left) * scale - 0.5)),
      right: Math.min(width, Math.ceil((seen.right - view.left) * scale - 0.5)),
      bottom: Math.max(0, Math.ceil((view.top - seen.top) * scale - 0.5)),
      top: Math.min(height, Math.ceil((view.top - seen.bottom) * scale - 0.5)),
    }
    if (isEmpty(within)) continue
    if ('pixels' in shape) paintPicture(bitmap, shape, combined(toPixels, shape.matrix), within, budget)
    else paintArea(bitmap, shape, toPixels, within, budget)
    if (budget.crossings < 0 || budget.pixels < 0) return undefined
  }
  return bitmap
}

export interface Grey {
  width: number
  height: number
  grey: Uint8Array
}

function mix({ grey }: Grey, at: number, shade: number, opacity: number): void {
  grey[at] = opacity >= 1 ? shade : (grey[at] ?? 255) * (1 - opacity) + shade * opacity
}

/** Rows of pixels are filled between the places where edges cross their middle. */
function paintArea(bitmap: Grey, area: Area, matrix: Matrix, within: Box, budget: PaintBudget): void {
  const rows: { x: number; turn: number }[][] = []
  const [sx, , , sy, ex, ey] = matrix
  for (const points of area.polygons) {
    const count = points.length / 2
    for (let at = 0; at < count; at++) {
      const next = (at + 1) % count
      const [x1, y1] = [sx * (points[2 * at] ?? 0) + ex, sy * (points[2 * at + 1] ?? 0) + ey]
      const [x2, y2] = [sx * (points[2 * next] ?? 0) + ex, sy * (points[2 * next + 1] ?? 0) + ey]
      const first = Math.max(within.bottom, Math.ceil(Math.min(y1, y2) - 0.5))
      const last = Math.min(within.top, Math.ceil(Math.max(y1, y2) - 0.5))
      if (last > first) budget.crossings -= last - first
      if (budget.crossings < 0) return
      for (let row = first; row < last; row++) {
        const x = x1 + ((row + 0.5 - y1) * (x2 - x1)) / (y2 - y1)
        ;(rows[row - within.bottom] ??= []).push({ x, turn: y2 > y1 ? 1 : -1 })
      }
    }
  }
  for (const [row, crossings] of rows.entries()) {
    if (!(crossings as typeof crossings | undefined)) continue
    crossings.sort((a, b) => a.x - b.x)
    let turns = 0
    for (const [index, { x, turn }] of crossings.entries()) {
      turns += area.isEvenOdd ? 1 : turn
      const isInside = area.isEvenOdd ? turns % 2 === 1 : turns !== 0
      const next = crossings[index + 1]
      if (!isInside || !next) continue
      const from = Math.max(within.left, Math.ceil(x - 0.5))
      const to = Math.min(within.right, Math.ceil(next.x - 0.5))
      if (to <= from) continue
      budget.pixels -= to - from
      if (budget.pixels < 0) return
      const start = (row + within.bottom) * bitmap.width
      if (area.opacity >= 1) bitmap.grey.fill(area.grey, start + from, start + to)
      else for (let column = from; column < to; column++) mix(bitmap, start + column, area.grey, area.opacity)
    }
  }
}

/** For each pixel of the bitmap the one of the picture that lies there. */
function paintPicture(bitmap: Grey, picture: Picture, matrix: Matrix, within: Box, budget: PaintBudget): void {
  const [a, b, c, d, e, f] = matrix
  const area = a * d - b * c
  if (!Number.isFinite(area) || area === 0) return
  budget.pixels -= (within.right - within.left) * (within.top - within.bottom)
  if (budget.pixels < 0) return
  const { data, width, height } = picture.pixels
  for (let row = within.bottom; row < within.top; row++)
    for (let column = within.left; column < within.right; column++) {
      const [x, y] = [column + 0.5 - e, row + 0.5 - f]
      const across = Math.floor(((d * x - c * y) / area) * width)
      // §8.9.5: the first row is at the top of the unit square.
      const down = Math.floor((1 - (a * y - b * x) / area) * height)
      if (across < 0 || down < 0 || across >= width || down >= height) continue
      const from = 4 * (down * width + across)
      const shade = ((data[from] ?? 0) + (data[from + 1] ?? 0) + (data[from + 2] ?? 0)) / 3
      if (picture.isMask && shade > 127) continue
      mix(bitmap, row * bitmap.width + column, picture.isMask ? picture.grey : shade, picture.opacity)
    }
}
