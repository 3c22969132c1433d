/** @param byOther true if it may be the commit of another process */
export type CommitListener = (partition: string, version: bigint, byOther?: boolean) => void

/** The functions that are called after commits. One that is added twice is called twice. */
export function createCommitListeners() {
  const listeners = new Set<{ tell: CommitListener }>()
  return {
    /** @returns a function that removes it */
    add(tell: CommitListener): () => void {
      const listener = { tell }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(partition: string, version: bigint, byOther = false): void {
      for (const { tell } of [...listeners]) tell(partition, version, byOther)
    },
  }
}
