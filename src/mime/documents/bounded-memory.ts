/**
 * Limits on memory outside of V8's heap, which the limits of a thread do not count: large arrays of bytes, and the memory of WebAssembly. Both are what a
 * small file can unpack to. For a thread of its own: the globals are changed for good.
 */

const MAX_ARRAY_BYTES = 32 * 1024 * 1024
/** All large arrays of one job, freed ones too. */
const MAX_TOTAL_BYTES = 160 * 1024 * 1024
const MAX_WASM_BYTES = 256 * 1024 * 1024
/** Smaller ones are not counted: the time limit bounds them. */
const COUNTED_BYTES = 64 * 1024
const WASM_PAGE_BYTES = 64 * 1024

/** `WebAssembly.Memory`, of whose name TypeScript knows only with the browser's types. */
interface WasmMemory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

export interface BoundedMemory {
  /** Before each job. */
  begin(): void
  /** True if the job asked for more than it may have, whatever became of that. */
  readonly isExceeded: boolean
}

export function boundMemory(): BoundedMemory {
  let bytes = 0
  let isExceeded = false
  const check = (isTooMuch: boolean): void => {
    if (!isTooMuch) return
    isExceeded = true
    throw new RangeError('the file needs too much memory')
  }
  const Bytes = Uint8Array
  globalThis.Uint8Array = new Proxy(Bytes, {
    construct(target, given: unknown[], newTarget) {
      const [length] = given
      if (typeof length === 'number' && length > COUNTED_BYTES) {
        bytes += length
        check(length > MAX_ARRAY_BYTES || bytes > MAX_TOTAL_BYTES)
      }
      const made: unknown = Reflect.construct(target, given, newTarget === globalThis.Uint8Array ? target : newTarget)
      return made as Uint8Array
    },
  })
  const { Memory } = Reflect.get(globalThis, 'WebAssembly') as { Memory: { prototype: WasmMemory } }
  const grow = Reflect.get(Memory.prototype, 'grow') as WasmMemory['grow']
  Memory.prototype.grow = function (this: WasmMemory, pages) {
    check(this.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_WASM_BYTES)
    return grow.call(this, pages)
  }
  // Unpacks as a whole, and its output is counted only at the end; without it pdf.js unpacks into arrays that grow.
  Reflect.deleteProperty(globalThis, 'DecompressionStream')
  return {
    begin() {
      bytes = 0
      isExceeded = false
    },
    get isExceeded() {
      return isExceeded
    },
  }
}
