/**
 * Large buffers in pages of their own, which go back to the system when the buffer is collected. Those from `malloc` often stay with the process: once a
 * large one was freed, glibc takes such sizes from its heap (mallopt(3), M_MMAP_THRESHOLD), where anything small behind them keeps them resident.
 */

/** V8 takes resizable buffers from the system directly; these never change their size. ES2024, which the compiler's library does not have. */
type WithMaximum<T> = new (byteLength: number, options: { maxByteLength: number }) => T
const Resizable = ArrayBuffer as WithMaximum<ArrayBuffer>
const Growable = SharedArrayBuffer as WithMaximum<SharedArrayBuffer>

/** Zeroed. */
export function pagesOf(bytes: number): Buffer {
  return Buffer.from(new Resizable(bytes, { maxByteLength: bytes }), 0, bytes)
}

/** Zeroed; a thread that it is posted to sees the same memory. */
export function sharedPagesOf(bytes: number): Buffer {
  return Buffer.from(new Growable(bytes, { maxByteLength: bytes }), 0, bytes)
}
