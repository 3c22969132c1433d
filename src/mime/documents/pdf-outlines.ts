/** Outlines of paths and glyphs (ISO 32000-1 §8.5), as polygons. */
import { boxOf } from './drawing.js'

/** Lines for a curve: it is the corner of a module or a dot. */
const CURVE_LINES = 4
/** A glyph of fewer outlines is a module where it fills its box, as letters do not: a disc fills 0.78 of it. */
const MODULE_FILLS = 0.7
const MANY_OUTLINES = 16

/** pdf.js's own numbers for what a path consists of. */
const [MOVE_TO, LINE_TO, CURVE_TO, QUADRATIC_CURVE_TO, CLOSE_PATH] = [0, 1, 2, 3, 4]

/** True for outlines that may be modules of a code, which letters are not. */
export function isOfModules(outlines: readonly Float64Array[]): boolean {
  const [first] = outlines
  if (!first) return false
  if (outlines.length >= MANY_OUTLINES || outlines.every(isRectilinear)) return true
  const box = boxOf(first)
  return outlines.length === 1 && sizeOf(first) >= MODULE_FILLS * (box.right - box.left) * (box.top - box.bottom)
}

function isRectilinear(points: Float64Array): boolean {
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    const [across, up] = [(points[next] ?? 0) - (points[at] ?? 0), (points[next + 1] ?? 0) - (points[at + 1] ?? 0)]
    if (Math.min(Math.abs(across), Math.abs(up)) > 1e-3) return false
  }
  return true
}

/** The area of a polygon. */
function sizeOf(points: Float64Array): number {
  let twice = 0
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length
    twice += (points[at] ?? 0) * (points[next + 1] ?? 0) - (points[next] ?? 0) * (points[at + 1] ?? 0)
  }
  return Math.abs(twice) / 2
}

export interface Outline {
  points: Float64Array
  isClosed: boolean
}

/** The parts of a path, with lines for its curves. */
export function outlinesOf(data: Float32Array): Outline[] {
  const outlines: Outline[] = []
  let points: number[] = []
  const end = (isClosed: boolean): void => {
    if (points.length >= 4) outlines.push({ points: Float64Array.from(points), isClosed })
    // §8.5.2.1: what follows begins where the last part began.
    points = isClosed ? points.slice(0, 2) : []
  }
  const curve = (...to: number[]): void => {
    const from = points.slice(-2)
    for (let step = 1; step <= CURVE_LINES; step++) points.push(...pointOf([...from, ...to], step / CURVE_LINES))
  }
  for (let at = 0; at < data.length;) {
    const what = data[at++]
    const take = (count: number): number[] => {
      const taken = [...data.subarray(at, at + count)]
      at += count
      return taken
    }
    if (what === MOVE_TO) {
      end(false)
      points = take(2)
    } else if (what === LINE_TO) points.push(...take(2))
    else if (what === CURVE_TO) curve(...take(6))
    else if (what === QUADRATIC_CURVE_TO) curve(...take(4))
    else if (what === CLOSE_PATH) end(true)
    else break
  }
  end(false)
  return outlines
}

/** De Casteljau's algorithm. */
function pointOf(controls: readonly number[], share: number): number[] {
  let points = [...controls]
  while (points.length > 2)
    points = points.slice(0, -2).map((value, at) => value + share * ((points[at + 2] ?? 0) - value))
  return points
}
