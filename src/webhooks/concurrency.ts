/** Limits concurrent requests in total and per address. Waiters are served in order. */

interface Waiter {
  address: string
  begin: () => void
}

export type Room = ReturnType<typeof createRoom>

export function createRoom({ all, perAddress }: { all: number; perAddress: number }) {
  const taken = new Map<string, number>()
  const waiting = new Set<Waiter>()
  let count = 0

  const hasRoom = (address: string): boolean => count < all && (taken.get(address) ?? 0) < perAddress

  function take(address: string): () => void {
    count++
    taken.set(address, (taken.get(address) ?? 0) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      count--
      const others = (taken.get(address) ?? 1) - 1
      if (others > 0) taken.set(address, others)
      else taken.delete(address)
      serve()
    }
  }

  /** An address at its limit is skipped, so it delays nobody else. */
  function serve(): void {
    for (const waiter of waiting) {
      if (count >= all) return
      if (hasRoom(waiter.address)) waiter.begin()
    }
  }

  return {
    /** Waits for a place. @returns releases it @throws the signal's reason when aborted */
    async enter(address: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted()
      if (hasRoom(address)) return take(address)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          address,
          begin() {
            leave()
            resolve(take(address))
          },
        }
        const leave = (): void => {
          waiting.delete(waiter)
          signal.removeEventListener('abort', abort)
        }
        const abort = (): void => {
          leave()
          reject(signal.reason)
        }
        waiting.add(waiter)
        signal.addEventListener('abort', abort, { once: true })
      })
    },
    /** Current requests. */
    get taken(): number {
      return count
    },
  }
}
