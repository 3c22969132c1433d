/** Where on a page a code may be drawn: many small shapes close together. Each such place is painted for the reader of codes. */
import {
  boxOf,
  common,
  isEmpty,
  paint,
  type Area,
  type Box,
  type Grey,
  type PaintBudget,
  type Shape,
} from './drawing.js'
import type { Pixels } from './picture.js'

/** Outlines of the smallest codes: those of version 1, a row's neighbours joined, have about fifty. */
const MIN_SHAPES = 40
/** Places of a page, those with the most shapes first. */
const MAX_PLACES = 4
/** Of a shape's shorter side that a reader of codes takes for a module. */
const PIXELS_PER_MODULE = 4
const MAX_SIDE_PIXELS = 1400
/** ISO/IEC 18004 §9.1: a code has a quiet zone of four modules around it. */
const QUIET_MODULES = 4
/** Within a code light modules part dark ones, seldom more than this many in a row. */
const REACH_MODULES = 4
const MAX_CELLS = 256
/** A module is no larger than a part of the page. */
const MAX_MODULE_SHARE = 1 / 15
/** Half of a code is dark; of text and tables it is a tenth, and less. */
const MIN_DARK = 0.1
/** A picture of many pixels counts as as many modules, up to this. */
const MAX_PICTURE_MODULES = 20

interface Small {
  box: Box
  module: number
  weight: number
}

interface Place {
  box: Box
  module: number
  weight: number
}

/** @returns pictures that may hold codes; undefined for one that the budget did not suffice for */
export function* picturesOfDrawings(shapes: readonly Shape[], budget: PaintBudget): Generator<Pixels | undefined> {
  for (const { box, module } of placesOf(shapes)) {
    const margin = QUIET_MODULES * module
    const view = {
      left: box.left - margin,
      right: box.right + margin,
      bottom: box.bottom - margin,
      top: box.top + margin,
    }
    const side = Math.max(view.right - view.left, view.top - view.bottom)
    const scale = Math.min(PIXELS_PER_MODULE / module, MAX_SIDE_PIXELS / side)
    const painted = paint(shapes, view, scale, budget)
    if (!painted) {
      yield undefined
      return
    }
    if (!isOfCode(painted)) continue
    yield pixelsOf(painted)
    // Modules that are dots do not touch; as squares they are read.
    const round = shapes.filter((shape) => isRound(shape, view))
    if (round.length === 0) continue
    const squared = paint([...shapes, ...round.map(asBoxes)], view, scale, budget)
    yield squared && pixelsOf(squared)
  }
}

/** Shapes of about one size that lie close together. */
function placesOf(shapes: readonly Shape[]): Place[] {
  const small = shapes.flatMap(smallIn)
  const bySize = new Map<number, Small[]>()
  for (const one of small) {
    const size = Math.round(Math.log2(one.module))
    for (const near of [size - 1, size, size + 1]) {
      const others = bySize.get(near)
      if (others) others.push(one)
      else bySize.set(near, [one])
    }
  }
  const places = [...bySize].flatMap(([size, ones]) => groupsOf(ones, 2 ** size))
  places.sort((a, b) => b.weight - a.weight)
  const found: Place[] = []
  for (const place of places) {
    if (found.length === MAX_PLACES) break
    if (!found.some(({ box }) => isAlike(box, place.box, place.module))) found.push(place)
  }
  return found
}

const isAlike = (a: Box, b: Box, most: number): boolean =>
  Math.max(
    Math.abs(a.left - b.left),
    Math.abs(a.right - b.right),
    Math.abs(a.top - b.top),
    Math.abs(a.bottom - b.bottom),
  ) <=
  2 * most

function smallIn(shape: Shape): Small[] {
  const page = Math.min(shape.clip.right - shape.clip.left, shape.clip.top - shape.clip.bottom)
  const fits = (module: number): boolean => module > 0.01 && module <= Math.max(page * MAX_MODULE_SHARE, 20)
  if ('pixels' in shape) {
    const { width, height } = shape.pixels
    const box = common(shape.box, shape.clip)
    const module = Math.min((box.right - box.left) / width, (box.top - box.bottom) / height)
    const weight = Math.min((width * height) / 2, MAX_PICTURE_MODULES)
    return fits(module) ? [{ box, module, weight }] : []
  }
  return shape.polygons.flatMap((points) => {
    const box = common(boxOf(points), shape.clip)
    const module = Math.min(box.right - box.left, box.top - box.bottom)
    return !isEmpty(box) && fits(module) ? [{ box, module, weight: 1 }] : []
  })
}

/** Cells of a grid that touch and have shapes in them. */
function groupsOf(ones: readonly Small[], module: number): Place[] {
  if (ones.reduce((sum, { weight }) => sum + weight, 0) < MIN_SHAPES) return []
  const all = around(ones.map(({ box }) => box))
  const cell = Math.max(REACH_MODULES * module, Math.max(all.right - all.left, all.top - all.bottom) / (MAX_CELLS - 1))
  const cells = new Map<number, Small[]>()
  for (const one of ones) {
    const from = [Math.floor((one.box.left - all.left) / cell), Math.floor((one.box.bottom - all.bottom) / cell)]
    const to = [Math.floor((one.box.right - all.left) / cell), Math.floor((one.box.top - all.bottom) / cell)]
    const [left = 0, bottom = 0] = from
    const [right = 0, top = 0] = to
    // A line across the page is no part of a code.
    if (Math.max(right - left, top - bottom) > 2 * REACH_MODULES) continue
    for (let x = left; x <= right; x++)
      for (let y = bottom; y <= top; y++) {
        const at = y * MAX_CELLS + x
        const others = cells.get(at)
        if (others) others.push(one)
        else cells.set(at, [one])
      }
  }
  const groups: Place[] = []
  for (const start of cells.keys()) {
    const members = new Set<Small>()
    for (const open = [start]; open.length > 0;) {
      const at = open.pop() ?? 0
      const inside = cells.get(at)
      if (!inside) continue
      cells.delete(at)
      for (const one of inside) members.add(one)
      for (const x of [-1, 0, 1])
        for (const y of [-MAX_CELLS, 0, MAX_CELLS]) if (cells.has(at + x + y)) open.push(at + x + y)
    }
    let weight = 0
    for (const one of members) weight += one.weight
    if (weight >= MIN_SHAPES)
      groups.push({ box: around([...members].map(({ box }) => box)), module: middleOf(members), weight })
  }
  return groups
}

function middleOf(members: ReadonlySet<Small>): number {
  const modules = [...members].map(({ module }) => module).sort((a, b) => a - b)
  return modules[modules.length >> 1] ?? 1
}

function around(boxes: readonly Box[]): Box {
  const all = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const box of boxes) {
    all.left = Math.min(all.left, box.left)
    all.bottom = Math.min(all.bottom, box.bottom)
    all.right = Math.max(all.right, box.right)
    all.top = Math.max(all.top, box.top)
  }
  return all
}

const isRound = (shape: Shape, view: Box): shape is Area =>
  'polygons' in shape && !isEmpty(common(shape.box, view)) && shape.polygons.some((points) => points.length > 8)

/** Each polygon of more than four corners as the box around it. */
function asBoxes(area: Area): Area {
  const polygons = area.polygons.flatMap((points) => {
    if (points.length <= 8) return []
    const { left, bottom, right, top } = boxOf(points)
    return [Float64Array.of(left, bottom, right, bottom, right, top, left, top)]
  })
  return { ...area, polygons, isEvenOdd: false }
}

function isOfCode({ grey }: Grey): boolean {
  let dark = 0
  for (const shade of grey) if (shade < 128) dark++
  const share = dark / grey.length
  return share >= MIN_DARK && share <= 1 - MIN_DARK
}

function pixelsOf({ width, height, grey }: Grey): Pixels {
  const data = new Uint8ClampedArray(4 * width * height)
  for (const [at, shade] of grey.entries()) data.fill(shade, 4 * at, 4 * at + 3)
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  return { data, width, height }
}
