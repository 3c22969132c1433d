/**
 * Messages being delivered by this process: a message is delivered or cancelled, never both. Against cancellation by other processes it is marked
 * `sending` in the store before it leaves (relay/delivery/relay.ts).
 */
export type Departures = ReturnType<typeof createDepartures>

export function createDepartures() {
  /** Running deliveries, one per recipient domain. */
  const leaving = new Map<string, number>()
  const kept = new Map<string, Promise<unknown>>()

  return {
    /** Waits until nobody locks the message. @returns ends the delivery */
    async begin(messageId: string): Promise<() => void> {
      // Checked again after each wait, without awaiting between the check and what follows.
      while (kept.has(messageId)) await kept.get(messageId)
      leaving.set(messageId, (leaving.get(messageId) ?? 0) + 1)
      return () => {
        const left = (leaving.get(messageId) ?? 1) - 1
        if (left > 0) leaving.set(messageId, left)
        else leaving.delete(messageId)
      }
    },

    /** Runs `fn` while no delivery of the message can start; calls for one message are serialized. @param fn gets true if a delivery is running */
    async keep<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T> {
      while (kept.has(messageId)) await kept.get(messageId)
      const work = fn(leaving.has(messageId))
      const settled = work.catch(() => undefined)
      kept.set(messageId, settled)
      try {
        return await work
      } finally {
        kept.delete(messageId)
      }
    },
  }
}
