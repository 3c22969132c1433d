/** Garbage collections on request. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options?: { type: 'minor' }) => void

let collect: Collect | undefined

function collector(): Collect {
  if (collect === undefined) {
    // Node's documented way to it without a flag of the command line (v8.setFlagsFromString). The flag is of the process and stays set: a thread that
    // cleared it would take it from another one that is between the two lines.
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as Collect
  }
  return collect
}

/**
 * Collects at once. An idle process allocates too little for V8 to do so by itself, and large buffers outside of its heap stay until then. It stops the
 * thread meanwhile: for rare moments without work.
 */
export function collectGarbage(): void {
  collector()()
}

/** Collects the young generation alone, which takes a few milliseconds. */
export function collectYoung(): void {
  collector()({ type: 'minor' })
}
