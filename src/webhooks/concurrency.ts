/** How many requests are on their way at once: in all, and to one address. Who has to wait is served in the order in which they came. */

export interface Room {
  /**
   * Waits for room.
   *
   * @returns gives it back
   * @throws the signal's reason when it is aborted while waiting
   */
  enter(address: string, signal: AbortSignal): Promise<() => void>
  /** On their way now. */
  readonly taken: number
}

interface Waiter {
  address: string
  begin: () => void
}

export function createRoom({ all, perAddress }: { all: number; perAddress: number }): Room {
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

  /** An address that has all it may is passed over, so that it keeps nobody else waiting. */
  function serve(): void {
    for (const waiter of waiting) {
      if (count >= all) return
      if (hasRoom(waiter.address)) waiter.begin()
    }
  }

  return {
    async enter(address, signal) {
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
    get taken() {
      return count
    },
  }
}
