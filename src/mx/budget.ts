/** Memory for messages that are on their way in, shared by all connections. */
export interface Budget {
  /** False when there is not so much left. */
  take(bytes: number): boolean
  release(bytes: number): void
  readonly left: number
}

export function createBudget(maxBytes: number): Budget {
  let used = 0
  return {
    take(bytes) {
      if (used + bytes > maxBytes) return false
      used += bytes
      return true
    },
    release(bytes) {
      used -= bytes
    },
    get left() {
      return maxBytes - used
    },
  }
}
