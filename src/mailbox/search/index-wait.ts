/** Waits for the index of a mailbox, for a time. */
import type { Indexer } from './indexer.js'

/**
 * @param signal ends the wait early
 * @returns whether the index has all that the mailbox had at the call
 */
export async function isIndexedWithin(
  indexer: Pick<Indexer, 'indexMailbox'>,
  mailboxId: string,
  waitMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const late = new AbortController()
  const end = (): void => late.abort()
  const timer = setTimeout(end, waitMs)
  signal?.addEventListener('abort', end, { once: true })
  try {
    const lateness = new Promise<'late'>((resolve) =>
      late.signal.addEventListener('abort', () => resolve('late'), { once: true }),
    )
    const outcome = await Promise.race([indexer.indexMailbox(mailboxId, late.signal), lateness])
    return outcome !== 'late' && !late.signal.aborted
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}
