/** The functions that an engine calls after its commits. One that is added twice is called twice. */
export type CommitListener = (partition: string, version: bigint, byOther?: boolean) => void

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
