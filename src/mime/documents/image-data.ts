/** The name by which browsers call pixels, and libraries made for them. */
class ImageData {
  constructor(
    readonly data: Uint8ClampedArray,
    readonly width: number,
    readonly height: number,
  ) {}
}

Object.assign(globalThis, { ImageData })
