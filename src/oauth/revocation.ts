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

interface EndingDeps {
  store: Store
  clock: Clock
  lists: Lists
  /** Called when a connection has ended, so that its streams can be closed. */
  onEnd: (connectionId: string) => void
}

export type Ending = ReturnType<typeof createEnding>

export function createEnding({ store, clock, lists, onEnd }: EndingDeps) {
  /** Cleans up after the row of a connection was deleted. */
  async function follow(ended: StoredConnection): Promise<void> {
    onEnd(ended.id)
    await delist(lists, ended)
  }

  /** @returns true if it existed */
  async function end({ accountId, connectionId }: ConnectionRef): Promise<boolean> {
    const found = await store.write(accountPartition(accountId), async (tx) => {
      const there = await readRow(tx, connectionId)
      if (there) removeRow(tx, connectionId)
      return there
    })
    if (found) await follow(found)
    return found !== undefined
  }

  const connections: Connections = {
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
  return { ...connections, follow, end }
}
