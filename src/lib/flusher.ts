/** Writes collected items in batches: after a wait, or at once, one write at a time. */

/** @param write writes all that is collected, and never rejects */
export function createFlusher(write: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  const flush = (): Promise<void> => (flushing ??= write().finally(() => (flushing = undefined)))

  return {
    flush,
    /** Keeps an earlier time. */
    flushIn(ms: number): void {
      timer ??= setTimeout(() => {
        timer = undefined
        void flush()
      }, ms).unref()
    },
    async stop(): Promise<void> {
      // A running flush may have begun before the last item came.
      await flush()
      await flush()
      clearTimeout(timer)
    },
  }
}
