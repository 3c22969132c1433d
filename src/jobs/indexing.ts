/**
 * Drives the search index: a mailbox is looked at after a commit to it, and all are looked at once at the start and from time to time,
 * since hints may be lost. A mailbox that changes often is looked at once for many changes; a search finds what is not indexed yet anyway.
 */
import { SECOND } from '../lib/clock.js'
import type { Indexer } from '../mailbox/search/indexer.js'
import { mailboxIds } from '../mailbox/all-mailboxes.js'
import type { Store } from '../store/types.js'

const MAILBOX = 'mailbox/'
/** A look waits until no commit has come for so long, for what is indexed together costs less, but no longer than the second. */
const QUIET_MS = 250
const MAX_LAG_MS = 2 * SECOND
/** Until mailboxes whose indexing failed are looked at again. */
const RETRY_MS = 30 * SECOND

export interface Indexing {
  /** Has every mailbox looked at, in the background. */
  lookAtAll(): Promise<void>
  /** Takes on nothing new; resolves when what is at work has ended. */
  stop(): Promise<void>
}

export function startIndexing(deps: {
  store: Store
  indexer: Indexer
  /** Mailboxes at work at once. */
  concurrency: number
  onError: (error: unknown, mailboxId: string) => void
  quietMs?: number
}): Indexing {
  const { store, indexer, concurrency, onError, quietMs = QUIET_MS } = deps
  const waiting = new Set<string>()
  const active = new Map<string, Promise<void>>()
  const failed = new Set<string>()
  const stopped = new AbortController()
  let gathering: NodeJS.Timeout | undefined
  let gatheringSince = 0
  let retrying: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  const mark = (mailboxId: string): void => {
    if (stopped.signal.aborted) return
    waiting.add(mailboxId)
    if (!gathering) {
      gatheringSince = performance.now()
      gathering = setTimeout(() => {
        gathering = undefined
        pump()
      }, quietMs)
    } else if (performance.now() - gatheringSince < MAX_LAG_MS) {
      gathering.refresh()
    }
  }

  const pump = (): void => {
    for (const mailboxId of waiting) {
      if (active.size >= concurrency || stopped.signal.aborted) return
      // Its turn comes when the look that is under way, which may have missed the change, has ended.
      if (active.has(mailboxId)) continue
      waiting.delete(mailboxId)
      const work = index(mailboxId).finally(() => {
        active.delete(mailboxId)
        // While changes are gathered the timer will pump; otherwise what waits goes on at once.
        if (!gathering) pump()
      })
      active.set(mailboxId, work)
    }
  }

  const index = async (mailboxId: string): Promise<void> => {
    try {
      await indexer.indexMailbox(mailboxId, stopped.signal)
      await indexer.mergeIndex(mailboxId, stopped.signal)
    } catch (error) {
      onError(error, mailboxId)
      failed.add(mailboxId)
      if (stopped.signal.aborted) return
      retrying ??= setTimeout(() => {
        retrying = undefined
        for (const again of failed) mark(again)
        failed.clear()
      }, RETRY_MS)
    }
  }

  const stopListening = store.onCommit((partition) => {
    if (partition.startsWith(MAILBOX)) mark(partition.slice(MAILBOX.length))
  })

  const lookAtAll = (): Promise<void> => {
    looking ??= (async () => {
      for await (const mailboxId of mailboxIds(store, stopped.signal)) mark(mailboxId)
    })().finally(() => (looking = undefined))
    return looking
  }

  return {
    lookAtAll,
    async stop() {
      stopListening()
      stopped.abort()
      clearTimeout(gathering)
      clearTimeout(retrying)
      await Promise.allSettled([looking, ...active.values()])
    },
  }
}
