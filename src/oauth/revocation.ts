/** The end of connections: by their owner, with their account or mailbox, or because a secret was stolen. */
import type { Clock } from '../lib/clock.js'
import { accountPartition } from '../accounts/record.js'
import type { Store } from '../store/types.js'
import {
  delist,
  readRow,
  readRows,
  removeRow,
  shown,
  takeRows,
  type ConnectionRef,
  type Lists,
  type StoredConnection,
} from './record.js'
import type { Connections } from './types.js'

export interface EndingDeps {
  store: Store
  clock: Clock
  lists: Lists
  /** Called when a connection has ended, so that its streams can be closed. */
  onEnd: (connectionId: string) => void
}

export interface Ending extends Connections {
  /** Cleans up after the row of a connection was deleted. */
  follow(ended: StoredConnection): Promise<void>
  /** @returns true if it existed */
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
