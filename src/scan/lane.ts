/** Limits concurrent requests to a service: the others wait in line, no longer than their deadline, and the line has a maximum length. */

type Leave = () => void

/** @param options `maxWaiting`: max requests in line */
export function createLane({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }) {
  let atWork = 0
  // A set keeps the order of entry and allows removal from the middle at no cost.
  const line = new Set<() => void>()

  function leave(): Leave {
    let left = false
    return () => {
      if (left) return
      left = true
      atWork--
      const [next] = line
      next?.()
    }
  }

  return {
    /** @returns a function that must be called once at the end; `full` at once when the line is too long, `late` when the signal came first */
    enter(signal: AbortSignal): Promise<Leave | 'full' | 'late'> {
      if (signal.aborted) return Promise.resolve('late')
      if (atWork < concurrency) {
        atWork++
        return Promise.resolve(leave())
      }
      if (line.size >= maxWaiting) return Promise.resolve('full')
      return new Promise((resolve) => {
        const start = (): void => {
          line.delete(start)
          signal.removeEventListener('abort', giveUp)
          atWork++
          resolve(leave())
        }
        const giveUp = (): void => {
          line.delete(start)
          resolve('late')
        }
        signal.addEventListener('abort', giveUp, { once: true })
        line.add(start)
      })
    },
    get atWork(): number {
      return atWork
    },
    get waiting(): number {
      return line.size
    },
  }
}
