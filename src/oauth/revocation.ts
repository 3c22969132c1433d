/** The end of connections: by their owner, with the account or mailbox they are of, or because a secret of theirs is in wrong hands. */
import type { Clock } from '../lib/clock.js'
import { accountPartition } from '../accounts/record.js'
import type { Store } from '../store/types.js'
import { delist, readRow, readRows, removeRow, shown, takeRows } from './record.js'
import type { ConnectionRef, Lists, StoredConnection } from './record.js'
import type { Connections } from './types.js'

export interface EndingDeps {
  store: Store
  clock: Clock
  lists: Lists
  /** Told of a connection that has ended, so that what is open by it can be closed. */
  onEnd: (connectionId: string) => void
}

export interface Ending extends Connections {
  /** What has to follow when the row of a connection was taken away. */
  follow(ended: StoredConnection): Promise<void>
  /** @returns whether it was there */
  end(ref: ConnectionRef): Promise<boolean>
}

export function createEnding({ store, clock, lists, onEnd }: EndingDeps): Ending {
  async function follow(ended: StoredConnection): Promise<void> {
    onEnd(ended.id)
    await delist(lists, ended)
  }

  async function end({ accountId, connectionId }: ConnectionRef): Promise<boolean> {
    const found = await store.write(accountPartition(accountId), async (tx) => {
      const there = await readRow(tx, connectionId)
      if (there) removeRow(tx, connectionId)
      return there
    })
    if (found) await follow(found)
    return found !== undefined
  }

  return {
    follow,
    end,
    async list(accountId) {
      const rows = await store.read(accountPartition(accountId), readRows)
      const now = clock.now()
      return rows
        .filter(({ state, expiresAt }) => state.is === 'connected' && expiresAt > now)
        .map(shown)
        .reverse()
    },
    async revoke(accountId, connectionId) {
      await end({ accountId, connectionId })
    },
    async revokeAll(accountId, mailboxId) {
      const ended = await store.write(accountPartition(accountId), (tx) => takeRows(tx, mailboxId))
      for (const each of ended) await follow(each)
    },
  }
}
