/**
 * What a page of a PDF draws, as shapes: filled and stroked paths, glyphs of fonts that consist of modules, and small pictures. The operators are those
 * of ISO 32000-1 annex A, as pdf.js lists them.
 */
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { boxOf, combined, common, isEmpty, type Area, type Box, type Matrix, type Shape } from './drawing.js'
import type { OPS } from './pdf-library.js'
import { isOfModules, outlinesOf, type Outline } from './pdf-outlines.js'
import { entriesOf, greyOf, IDENTITY, matrixOf, numberOf, rectangleOf } from './pdf-values.js'
import type { Pixels } from './picture.js'

/** A code of the largest version has 31,329 modules, of which half are dark. */
const MAX_POLYGONS = 40_000
const MAX_COORDINATES = 1_000_000
const MAX_OPERATORS = 400_000
/** Forms and glyphs within each other come flattened, but for glyphs that draw glyphs. */
const MAX_DEPTH = 3
export interface Drawn {
  shapes: Shape[]
  /** False where the page has more than is read. */
  isWhole: boolean
}

interface Operators {
  fnArray: readonly number[]
  argsArray: readonly unknown[]
}

interface Paint {
  grey: number
  opacity: number
}

/** The graphics state (§8.4), with what is drawn at all. */
interface State {
  matrix: Matrix
  clip: Box
  fill: Paint
  stroke: Paint
  lineWidth: number
  font: Font | undefined
  fontSize: number
  charSpacing: number
  wordSpacing: number
  hScale: number
  leading: number
  rise: number
  isInvisibleText: boolean
  /** Of the groups around. */
  opacity: number
}

/** As pdf.js gives it. */
interface Font {
  loadedName?: unknown
  isType3Font?: unknown
  fontMatrix?: unknown
  vertical?: unknown
  charProcOperatorList?: Record<string, Operators | undefined>
}

interface Glyph {
  fontChar?: unknown
  isSpace?: unknown
  width?: unknown
  operatorListId?: unknown
}

/** Looks up a font, the outline of a glyph, or nothing. */
export type Lookup = (id: string) => unknown
/** Pixels of a small picture, by what the operator was given. */
export type PixelsOf = (given: unknown) => Pixels | undefined

const STROKING = [
  'stroke',
  'closeStroke',
  'fillStroke',
  'eoFillStroke',
  'closeFillStroke',
  'closeEOFillStroke',
] as const

const BLACK: Paint = { grey: 0, opacity: 1 }

/** @param page of which only the size is used */
export function drawnOn(
  { view }: Pick<PDFPageProxy, 'view'>,
  operators: Operators,
  codes: typeof OPS,
  lookup: Lookup,
  pixelsOf: PixelsOf,
): Drawn {
  const [left = 0, bottom = 0, right = 0, top = 0] = view
  return new Drawer(codes, lookup, pixelsOf).draw(operators, { left, bottom, right, top })
}

class Drawer {
  readonly #codes: typeof OPS
  readonly #lookup: Lookup
  readonly #pixelsOf: PixelsOf
  readonly #shapes: Shape[] = []
  readonly #outlines = new Map<string, Float64Array[]>()
  #state: State = {
    matrix: IDENTITY,
    clip: { left: 0, bottom: 0, right: 0, top: 0 },
    fill: BLACK,
    stroke: BLACK,
    lineWidth: 1,
    font: undefined,
    fontSize: 0,
    charSpacing: 0,
    wordSpacing: 0,
    hScale: 1,
    leading: 0,
    rise: 0,
    isInvisibleText: false,
    opacity: 1,
  }
  #saved: State[] = []
  /** §9.4.1: of the text object, not of the state. */
  #text = { matrix: IDENTITY, lineX: 0, lineY: 0, x: 0, y: 0 }
  #isClipping = false
  #operators = 0
  #polygons = 0
  #coordinates = 0

  constructor(codes: typeof OPS, lookup: Lookup, pixelsOf: PixelsOf) {
    this.#codes = codes
    this.#lookup = lookup
    this.#pixelsOf = pixelsOf
  }

  get #isFull(): boolean {
    return this.#operators > MAX_OPERATORS || this.#polygons > MAX_POLYGONS || this.#coordinates > MAX_COORDINATES
  }

  draw(operators: Operators, page: Box): Drawn {
    this.#state.clip = page
    this.#run(operators, 0)
    return { shapes: this.#shapes, isWhole: !this.#isFull }
  }

  #run({ fnArray, argsArray }: Operators, depth: number): void {
    for (const [index, operator] of fnArray.entries()) {
      this.#operators++
      if (this.#isFull) return
      const args: unknown = argsArray[index]
      this.#apply(operator, Array.isArray(args) ? (args as unknown[]) : [], depth)
    }
  }

  #apply(operator: number, args: readonly unknown[], depth: number): void {
    const codes = this.#codes
    const state = this.#state
    switch (operator) {
      case codes.save:
        this.#save()
        return
      case codes.restore:
      case codes.paintFormXObjectEnd:
      case codes.endGroup:
      case codes.endAnnotation:
        this.#state = this.#saved.pop() ?? state
        return
      case codes.transform:
        state.matrix = combined(state.matrix, matrixOf(args))
        return
      case codes.paintFormXObjectBegin:
        this.#save()
        this.#state.matrix = combined(state.matrix, matrixOf(args[0]))
        if (args[1]) this.#clipTo(rectangleOf(args[1]))
        return
      case codes.beginGroup:
        this.#beginGroup(args[0])
        return
      case codes.beginAnnotation:
        // §12.5.5: on the page as it began, whatever its content left.
        this.#save()
        this.#state.matrix = combined(matrixOf(args[2]), matrixOf(args[3]))
        return
      case codes.setGState:
        this.#setStates(args[0])
        return
      case codes.setLineWidth:
        state.lineWidth = numberOf(args[0])
        return
      case codes.setFillRGBColor:
        state.fill = { grey: greyOf(args[0]), opacity: state.fill.opacity }
        return
      case codes.setStrokeRGBColor:
        state.stroke = { grey: greyOf(args[0]), opacity: state.stroke.opacity }
        return
      case codes.setFillColorN:
        // Patterns are taken for dark.
        state.fill = { grey: 0, opacity: state.fill.opacity }
        return
      case codes.setStrokeColorN:
        state.stroke = { grey: 0, opacity: state.stroke.opacity }
        return
      case codes.clip:
      case codes.eoClip:
        this.#isClipping = true
        return
      case codes.constructPath:
        this.#path(numberOf(args[0]), Array.isArray(args[1]) ? (args[1] as unknown[])[0] : undefined)
        return
      case codes.paintSolidColorImageMask:
        this.#fill([Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1)], false, state.fill)
        return
      case codes.paintImageXObject:
      case codes.paintInlineImageXObject:
      case codes.paintImageMaskXObject:
        this.#picture(args[0], operator === codes.paintImageMaskXObject)
        return
      default:
        this.#applyToText(operator, args, depth)
    }
  }

  #applyToText(operator: number, args: readonly unknown[], depth: number): void {
    const codes = this.#codes
    const state = this.#state
    const text = this.#text
    switch (operator) {
      case codes.beginText:
        this.#text = { matrix: IDENTITY, lineX: 0, lineY: 0, x: 0, y: 0 }
        return
      case codes.setTextMatrix:
        this.#text = { matrix: matrixOf(args[0]), lineX: 0, lineY: 0, x: 0, y: 0 }
        return
      case codes.setFont:
        this.#setFont(args[0], args[1])
        return
      case codes.setTextRenderingMode:
        // §9.3.6: neither filled nor stroked, clipped or not.
        state.isInvisibleText = numberOf(args[0]) % 4 === 3
        return
      case codes.setCharSpacing:
        state.charSpacing = numberOf(args[0])
        return
      case codes.setWordSpacing:
        state.wordSpacing = numberOf(args[0])
        return
      case codes.setHScale:
        state.hScale = numberOf(args[0]) / 100
        return
      case codes.setTextRise:
        state.rise = numberOf(args[0])
        return
      case codes.setLeading:
        state.leading = -numberOf(args[0])
        return
      case codes.setLeadingMoveText:
        state.leading = numberOf(args[1])
        moveTo(text, numberOf(args[0]), numberOf(args[1]))
        return
      case codes.moveText:
        moveTo(text, numberOf(args[0]), numberOf(args[1]))
        return
      case codes.nextLine:
        moveTo(text, 0, state.leading)
        return
      case codes.showText:
        if (Array.isArray(args[0])) this.#showText(args[0] as unknown[], depth)
        return
      default:
    }
  }

  #save(): void {
    this.#saved.push(this.#state)
    this.#state = { ...this.#state }
  }

  /** §11.6.6: a group is painted as a whole; one that is a mask is not painted itself. */
  #beginGroup(options: unknown): void {
    this.#save()
    const isMask = typeof options === 'object' && options !== null && 'smask' in options && Boolean(options.smask)
    const state = this.#state
    state.opacity *= isMask ? 0 : state.fill.opacity
    state.fill = { ...state.fill, opacity: 1 }
    state.stroke = { ...state.stroke, opacity: 1 }
  }

  #setStates(states: unknown): void {
    for (const [key, value] of entriesOf(states)) {
      if (key === 'LW') this.#state.lineWidth = numberOf(value)
      else if (key === 'ca') this.#state.fill = { ...this.#state.fill, opacity: numberOf(value) }
      else if (key === 'CA') this.#state.stroke = { ...this.#state.stroke, opacity: numberOf(value) }
      else if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], value[1])
    }
  }

  #setFont(name: unknown, size: unknown): void {
    const font = typeof name === 'string' ? this.#lookup(name) : undefined
    this.#state.font = typeof font === 'object' && font !== null ? font : undefined
    this.#state.fontSize = numberOf(size)
  }

  #path(how: number, data: unknown): void {
    const codes = this.#codes
    const polygons = ArrayBuffer.isView(data) ? outlinesOf(data as Float32Array) : []
    const isEvenOdd = how === codes.eoFill || how === codes.eoFillStroke || how === codes.closeEOFillStroke
    const isFilled =
      isEvenOdd ||
      how === codes.fill ||
      how === codes.rawFillPath ||
      how === codes.fillStroke ||
      how === codes.closeFillStroke
    if (isFilled)
      this.#fill(
        polygons.map(({ points }) => points),
        isEvenOdd,
        this.#state.fill,
      )
    if (STROKING.some((name) => how === codes[name])) this.#stroke(polygons)
    if (!this.#isClipping) return
    this.#isClipping = false
    const [first, ...others] = polygons.map(({ points }) => points)
    this.#clipTo(first ? Float64Array.from([first, ...others].flatMap((points) => [...points])) : new Float64Array())
  }

  #clipTo(points: Float64Array): void {
    const state = this.#state
    state.clip = common(state.clip, boxOf(mapped(points, state.matrix)))
  }

  #fill(
    polygons: readonly Float64Array[],
    isEvenOdd: boolean,
    { grey, opacity }: Paint,
    matrix = this.#state.matrix,
  ): void {
    const state = this.#state
    const onPage = polygons.map((points) => mapped(points, matrix))
    const box = boxAround(onPage.map(boxOf))
    this.#polygons += polygons.length
    for (const { length } of polygons) this.#coordinates += length
    if (this.#isFull || opacity * state.opacity <= 0 || isEmpty(common(box, state.clip))) return
    const area: Area = { polygons: onPage, isEvenOdd, box, clip: state.clip, grey, opacity: opacity * state.opacity }
    this.#shapes.push(area)
  }

  /** A line as wide as a module is a row of modules. */
  #stroke(lines: readonly Outline[]): void {
    const half = this.#state.lineWidth / 2
    const polygons: Float64Array[] = []
    for (const { points, isClosed } of lines) {
      const count = points.length / 2
      for (let at = 0; at < (isClosed ? count : count - 1); at++) {
        const next = (at + 1) % count
        const [x1 = 0, y1 = 0] = [points[2 * at], points[2 * at + 1]]
        const [x2 = 0, y2 = 0] = [points[2 * next], points[2 * next + 1]]
        const length = Math.hypot(x2 - x1, y2 - y1)
        if (length === 0) continue
        const [dx, dy] = [(half * (y2 - y1)) / length, (-half * (x2 - x1)) / length]
        polygons.push(Float64Array.of(x1 + dx, y1 + dy, x2 + dx, y2 + dy, x2 - dx, y2 - dy, x1 - dx, y1 - dy))
      }
    }
    for (const polygon of polygons) this.#fill([polygon], false, this.#state.stroke)
  }

  #picture(given: unknown, isMask: boolean): void {
    const state = this.#state
    const pixels = this.#pixelsOf(given)
    const box = boxOf(mapped(Float64Array.of(0, 0, 1, 0, 1, 1, 0, 1), state.matrix))
    if (!pixels || isEmpty(common(box, state.clip))) return
    const { grey, opacity } = state.fill
    this.#polygons++
    this.#shapes.push({
      ...{ pixels, isMask, matrix: state.matrix, box, clip: state.clip },
      ...{ grey, opacity: opacity * state.opacity },
    })
  }

  /** §9.4.4. */
  #showText(glyphs: readonly unknown[], depth: number): void {
    const state = this.#state
    const { font, fontSize } = state
    const text = this.#text
    if (!font || fontSize === 0) return
    const isType3 = font.isType3Font === true
    const fontMatrix = isType3 ? matrixOf(font.fontMatrix) : ([0.001, 0, 0, 0.001, 0, 0] as const)
    for (const glyph of glyphs) {
      this.#operators++
      if (this.#isFull) return
      if (typeof glyph === 'number') {
        text.x -= (glyph / 1000) * fontSize * state.hScale
        continue
      }
      if (typeof glyph !== 'object' || glyph === null) continue
      const { fontChar, isSpace, width, operatorListId } = glyph as Glyph
      const place = combined(
        state.matrix,
        combined(text.matrix, [fontSize * state.hScale, 0, 0, fontSize, text.x, text.y + state.rise]),
      )
      if (!state.isInvisibleText && isType3) {
        const drawing = typeof operatorListId === 'string' ? font.charProcOperatorList?.[operatorListId] : undefined
        if (drawing && depth < MAX_DEPTH) {
          this.#save()
          this.#state.matrix = combined(place, fontMatrix)
          this.#run(drawing, depth + 1)
          // What it saved and did not restore.
          this.#state = state
          this.#text = text
        }
      } else if (!state.isInvisibleText && typeof fontChar === 'string') {
        const outlines = this.#glyph(String(font.loadedName), fontChar)
        if (outlines.length > 0) this.#fill(outlines, false, state.fill, place)
      }
      const advance =
        numberOf(width) * fontMatrix[0] * fontSize + state.charSpacing + (isSpace === true ? state.wordSpacing : 0)
      text.x += advance * state.hScale
    }
  }

  /** The outline of a glyph that may be a module, or several; none for letters. */
  #glyph(font: string, character: string): readonly Float64Array[] {
    const id = `${font}_path_${character}`
    const known = this.#outlines.get(id)
    if (known) return known
    const data = this.#lookup(id)
    const path: unknown = typeof data === 'object' && data !== null && 'path' in data ? data.path : undefined
    const outlines = ArrayBuffer.isView(path) ? outlinesOf(path as Float32Array).map(({ points }) => points) : []
    const found = isOfModules(outlines) ? outlines : []
    this.#outlines.set(id, found)
    return found
  }
}

function moveTo(text: { lineX: number; lineY: number; x: number; y: number }, x: number, y: number): void {
  text.x = text.lineX += x
  text.y = text.lineY += y
}

function mapped(points: Float64Array, [a, b, c, d, e, f]: Matrix): Float64Array {
  const onPage = new Float64Array(points.length)
  for (let at = 0; at < points.length; at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]]
    onPage[at] = a * x + c * y + e
    onPage[at + 1] = b * x + d * y + f
  }
  return onPage
}

function boxAround(boxes: readonly Box[]): Box {
  const all = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity }
  for (const { left, bottom, right, top } of boxes) {
    all.left = Math.min(all.left, left)
    all.bottom = Math.min(all.bottom, bottom)
    all.right = Math.max(all.right, right)
    all.top = Math.max(all.top, top)
  }
  return all
}
