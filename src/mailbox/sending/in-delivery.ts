/**
 * Messages being delivered. The relay registers a message before reading it, and cancelling locks it while it commits, so a message is delivered or cancelled,
 * never both, without a commit. In memory, since one process owns the data folder.
 */
export interface Departures {
  /** Waits until nobody locks the message. @returns ends the delivery */
  begin(messageId: string): Promise<() => void>
  /** Runs `fn` while no delivery of the message can start; calls for one message are serialized. @param fn gets true if a delivery is running */
  keep<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T>
}

export function createDepartures(): Departures {
  /** Running deliveries, one per recipient domain. */
  const leaving = new Map<string, number>()
  const kept = new Map<string, Promise<unknown>>()

  return {
    async begin(messageId) {
      // Checked again after each wait, without awaiting between the check and what follows.
      while (kept.has(messageId)) await kept.get(messageId)
      leaving.set(messageId, (leaving.get(messageId) ?? 0) + 1)
      return () => {
        const left = (leaving.get(messageId) ?? 1) - 1
        if (left > 0) leaving.set(messageId, left)
        else leaving.delete(messageId)
      }
    },

    async keep(messageId, fn) {
      while (kept.has(messageId)) await kept.get(messageId)
      const work = fn(leaving.has(messageId))
      kept.set(
        messageId,
        work.then(
          () => undefined,
          () => undefined,
        ),
      )
      try {
        return await work
      } finally {
        kept.delete(messageId)
      }
    },
  }
}
