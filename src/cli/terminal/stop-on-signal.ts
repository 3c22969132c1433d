/** Ends long work after its running step; a second signal ends the process at once, which is as safe. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

export interface Stopping {
  signal: AbortSignal
  /** Signals end the process again. */
  end(): void
}

/** @param step what is still done, as `the running step` */
export function stopOnSignal(note: (text: string) => void, step: string): Stopping {
  const stopping = new AbortController()
  const stop = (): void => {
    note(`Stopping after ${step}; once more ends it at once.`)
    stopping.abort()
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  return {
    signal: stopping.signal,
    end() {
      for (const signal of SIGNALS) process.off(signal, stop)
    },
  }
}
