/**
 * Sessions that wait for changes of their mailboxes. Each is an entry in a set and no more, as thousands wait for days; a commit costs one check of its mailbox,
 * however many wait there.
 */
import type { Store } from '../../store/types.js'
import { foldersPartition, mailboxPartition } from '../keys.js'

/** Who waits. */
export interface FolderWatcher {
  /** Something may have changed. Called within the turn of others: it only begins what it does. */
  changed(): void
}

/** Versions of the mailbox, and of the folder index with what programs have chosen. */
export interface FolderMoment {
  mailbox: bigint
  index: bigint
}

interface Watched {
  mailboxId: string
  watchers: Set<FolderWatcher>
  /** When the watchers were last told. */
  told: FolderMoment | undefined
  isChecking: boolean
  /** There was a commit since the check began. */
  isDue: boolean
}

/** @param moment of a mailbox; the index is brought up to it */
export function createFolderWatch(
  store: Pick<Store, 'onCommit' | 'follow'>,
  moment: (mailboxId: string) => Promise<FolderMoment>,
) {
  /** By partition: of the mailbox, and of its index. */
  const watched = new Map<string, Watched>()
  let stops: readonly (() => void)[] = []

  const partitionsOf = (mailboxId: string): string[] => [mailboxPartition(mailboxId), foldersPartition(mailboxId)]

  async function check(one: Watched): Promise<void> {
    one.isDue = true
    if (one.isChecking) return
    one.isChecking = true
    try {
      while (one.isDue && one.watchers.size > 0) {
        one.isDue = false
        const { told } = one
        // A watcher meets the same failure when it looks itself, and has somebody to tell.
        const now = await moment(one.mailboxId).catch(() => undefined)
        // The index is written for what has changed: that is no further change.
        if (now && told && now.mailbox === told.mailbox && now.index === told.index) continue
        one.told = now
        for (const watcher of [...one.watchers]) watcher.changed()
      }
    } finally {
      one.isChecking = false
    }
  }

  function start(): void {
    stops = [
      // In this order: what is committed in between is seen by the watcher's own look.
      store.onCommit((partition) => {
        const one = watched.get(partition)
        if (one) void check(one)
      }),
      store.follow(() => watched.keys()),
    ]
  }

  return {
    /** Tells the watcher of changes from now on, until `unwatch`. */
    watch(mailboxId: string, watcher: FolderWatcher): void {
      if (watched.size === 0) start()
      const partitions = partitionsOf(mailboxId)
      const one = watched.get(partitions[0] ?? '') ?? {
        mailboxId,
        watchers: new Set(),
        told: undefined,
        isChecking: false,
        isDue: false,
      }
      one.watchers.add(watcher)
      for (const partition of partitions) watched.set(partition, one)
    },

    unwatch(mailboxId: string, watcher: FolderWatcher): void {
      const partitions = partitionsOf(mailboxId)
      const one = watched.get(partitions[0] ?? '')
      if (!one?.watchers.delete(watcher) || one.watchers.size > 0) return
      for (const partition of partitions) watched.delete(partition)
      if (watched.size > 0) return
      for (const stop of stops) stop()
      stops = []
    },
  }
}
