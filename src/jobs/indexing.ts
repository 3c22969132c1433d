/**
 * Drives the search index: a mailbox of an owned shard is indexed after a commit to it, and all of them are checked when the shard was gained and from
 * time to time, since notifications may be lost. Many changes of a mailbox are indexed together; a search also finds messages that are not indexed yet.
 */
import { shardOf } from '../cluster/shard-of.js'
import type { Shards } from '../cluster/types.js'
import { SECOND } from '../lib/clock.js'
import type { Indexer } from '../mailbox/search/indexer.js'
import { mailboxIds } from '../mailbox/all-mailboxes.js'
import type { Store } from '../store/types.js'

const MAILBOX = 'mailbox/'
/** Indexing waits for this long without a commit, because batches cost less, but no longer than a second. */
const QUIET_MS = 250
const MAX_LAG_MS = 2 * SECOND
/** Wait before what failed is tried again. */
const RETRY_MS = 30 * SECOND

export function startIndexing(deps: {
  store: Store
  shards: Shards
  indexer: Indexer
  concurrency: number
  onError: (error: unknown, mailboxId: string) => void
  quietMs?: number
  /** Wait after an error, in milliseconds. */
  retryMs?: number
}) {
  const { store, shards, indexer, concurrency, onError, quietMs = QUIET_MS, retryMs = RETRY_MS } = deps
  const waiting = new Set<string>()
  const active = new Map<string, Promise<void>>()
  const failed = new Set<string>()
  const stopped = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let firstChangeAt = 0
  let retrying: NodeJS.Timeout | undefined
  /** The mailboxes of gained shards could not be read. */
  let isCheckFailed = false
  let checking: Promise<void> | undefined
  let isCheckDue = false
  const shardFor = (mailboxId: string): number => shardOf(mailboxId, shards.count)
  const isOwn = (mailboxId: string): boolean => shards.owns('jobs', shardFor(mailboxId))

  const mark = (mailboxId: string): void => {
    if (stopped.signal.aborted || !isOwn(mailboxId)) return
    waiting.add(mailboxId)
    if (!timer) {
      firstChangeAt = performance.now()
      timer = setTimeout(() => {
        timer = undefined
        pump()
      }, quietMs)
    } else if (performance.now() - firstChangeAt < MAX_LAG_MS) {
      timer.refresh()
    }
  }

  const pump = (): void => {
    for (const mailboxId of waiting) {
      if (active.size >= concurrency || stopped.signal.aborted) return
      // It follows once the running pass, which may have missed the change, has ended.
      if (active.has(mailboxId)) continue
      waiting.delete(mailboxId)
      const work = index(mailboxId).finally(() => {
        active.delete(mailboxId)
        // While changes are being collected the timer will pump; otherwise waiting mailboxes go on at once.
        if (!timer) pump()
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
      retryLater()
    }
  }

  const retryLater = (): void => {
    if (stopped.signal.aborted) return
    retrying ??= setTimeout(() => {
      retrying = undefined
      for (const again of failed) mark(again)
      failed.clear()
      if (isCheckFailed) checkUntilDone()
    }, retryMs)
  }

  const stopListening = store.onCommit((partition) => {
    if (partition.startsWith(MAILBOX)) mark(partition.slice(MAILBOX.length))
  })

  const checkAll = (): Promise<void> => {
    isCheckDue = true
    checking ??= (async () => {
      // Shards that are gained together are checked together.
      await Promise.resolve()
      // A shard may be gained meanwhile.
      while (isCheckDue && !stopped.signal.aborted) {
        isCheckDue = false
        for await (const mailboxId of mailboxIds(store, stopped.signal)) mark(mailboxId)
      }
    })().finally(() => (checking = undefined))
    return checking
  }

  const checkUntilDone = (): void => {
    isCheckFailed = false
    checkAll().catch((error: unknown) => {
      onError(error, 'all')
      isCheckFailed = true
      retryLater()
    })
  }

  const stopFollowing = shards.follow('jobs', {
    gain: checkUntilDone,
    async lose(shard) {
      for (const mailboxId of waiting) if (shardFor(mailboxId) === shard) waiting.delete(mailboxId)
      const working = [...active].flatMap(([mailboxId, work]) => (shardFor(mailboxId) === shard ? [work] : []))
      await Promise.all(working)
    },
  })

  return {
    checkAll,
    /** Starts nothing new; resolves when running work has ended. */
    async stop(): Promise<void> {
      stopListening()
      stopFollowing()
      stopped.abort()
      clearTimeout(timer)
      clearTimeout(retrying)
      await Promise.allSettled([checking, ...active.values()])
    },
  }
}
