/**
 * Which messages are being delivered now. The relay takes a message here before it looks at it, and cancelling keeps it here while it commits: so a
 * message is delivered or cancelled, never both, and neither costs a commit of its own. In memory, since only the process that has the data folder
 * delivers and cancels; nothing has to be undone when it dies.
 */
export interface Departures {
  /** Waits until nobody keeps the message. @returns ends the delivery */
  begin(messageId: string): Promise<() => void>
  /** Runs `fn` while no delivery of the message begins, one call for a message at a time. @param fn gets whether one is at work already */
  keep<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T>
}

export function createDepartures(): Departures {
  /** Deliveries at work, one for each domain of the recipients. */
  const leaving = new Map<string, number>()
  const kept = new Map<string, Promise<unknown>>()

  return {
    async begin(messageId) {
      // Asked again after each wait, with nothing awaited between the last answer and what follows.
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
