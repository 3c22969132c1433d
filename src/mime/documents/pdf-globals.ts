/** Names of browsers that pdf.js refers to when it is loaded, for drawing; and what it computes with to make outlines of the bitmaps of a font. */
import './image-data.js'

class DOMMatrix {
  a = 1
  b = 0
  c = 0
  d = 1
  e = 0
  f = 0

  scaleSelf(x: number, y: number): this {
    this.a *= x
    this.b *= x
    this.c *= y
    this.d *= y
    return this
  }

  translateSelf(x: number, y: number): this {
    this.e += this.a * x + this.c * y
    this.f += this.b * x + this.d * y
    return this
  }
}

Object.assign(globalThis, { DOMMatrix, Path2D: class {} })
