/** A garbage collection on request. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Collects at once. An idle process allocates too little for V8 to do so by itself, and large buffers outside of its heap stay until then. It stops the
 * thread meanwhile: for rare moments without work.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    // Node's documented way to it without a flag of the command line (v8.setFlagsFromString).
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
    setFlagsFromString('--no-expose-gc')
  }
  collect()
}
