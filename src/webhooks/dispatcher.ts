/**
 * Runs the deliveries of the webhooks of owned shards: each has a lane, woken by commits to its mailbox and webhooks. All are checked when a shard was
 * gained, and periodically.
 */
import { shardOf } from '../cluster/shard-of.js'
import type { Shards } from '../cluster/types.js'
import { MINUTE } from '../lib/clock.js'
import { keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { pagesOf } from '../store/pages.js'
import { mailboxPartition, META_PARTITION, webhookListRange, webhooksPartition } from '../mailbox/keys.js'
import { readAll } from '../mailbox/webhooks/webhooks.js'
import { Lane, type LaneDeps } from './lane.js'

const PARTITION = /^(mailbox|webhooks)\/(.+)$/

export interface DispatcherDeps extends LaneDeps {
  store: Store
  shards: Shards
}

/** For deliveries of a shard that is given away. */
const LEAVE_MS = MINUTE

export type Dispatcher = ReturnType<typeof startDispatcher>

export function startDispatcher(deps: DispatcherDeps) {
  const { store, shards } = deps
  const mailboxes = new Map<string, Map<string, Lane>>()
  let stopping = false
  let looking: Promise<void> | undefined
  let isLookDue = false
  const shardFor = (mailboxId: string): number => shardOf(mailboxId, shards.count)
  const isOwn = (mailboxId: string): boolean => shards.owns('jobs', shardFor(mailboxId))

  function follow(mailboxId: string, webhookId: string): void {
    const lanes = mailboxes.get(mailboxId) ?? new Map<string, Lane>()
    mailboxes.set(mailboxId, lanes)
    const known = lanes.get(webhookId)
    if (known) return known.wake()
    const lane = new Lane(deps, mailboxId, webhookId)
    lanes.set(webhookId, lane)
    void lane.ended.then(() => {
      lanes.delete(webhookId)
      if (lanes.size === 0 && mailboxes.get(mailboxId) === lanes) mailboxes.delete(mailboxId)
    })
  }

  async function look(mailboxId: string): Promise<void> {
    if (!isOwn(mailboxId)) return
    const found = await readAll(store, mailboxId)
    if (!stopping && isOwn(mailboxId)) for (const { webhook } of found) follow(mailboxId, webhook.id)
  }

  async function checkEach(): Promise<void> {
    // A shard may be gained meanwhile.
    while (isLookDue) {
      isLookDue = false
      for await (const page of pagesOf(store, META_PARTITION, webhookListRange)) {
        for (const [listed] of page) if (!stopping) await look(String(keyParts(listed)[1]))
        if (stopping) return
      }
    }
  }

  function checkAll(): Promise<void> {
    isLookDue = true
    return (looking ??= checkEach().finally(() => (looking = undefined)))
  }

  const stopListening = store.onCommit((partition, _version, byOther) => {
    const [, of, mailboxId] = PARTITION.exec(partition) ?? []
    if (mailboxId === undefined) return
    for (const lane of mailboxes.get(mailboxId)?.values() ?? []) lane.wake()
    // It may have been created there.
    if (byOther === true && of === 'webhooks') look(mailboxId).catch((error: unknown) => deps.onError(error, mailboxId))
  })

  const stopPolling = store.follow(() =>
    [...mailboxes.keys()].flatMap((id) => [mailboxPartition(id), webhooksPartition(id)]),
  )

  const stopFollowing = shards.follow('jobs', {
    gain: () => void checkAll().catch((error: unknown) => deps.onError(error, 'all')),
    async lose(shard) {
      const leaving = [...mailboxes].flatMap(([id, lanes]) => (shardFor(id) === shard ? [...lanes.values()] : []))
      await Promise.all(leaving.map((lane) => lane.stop(AbortSignal.timeout(LEAVE_MS))))
    },
  })

  return {
    /** Called when a webhook was created in this mailbox. */
    look,
    /** Checks every webhook. */
    checkAll,
    get lanes(): { mailboxId: string; lane: Lane }[] {
      return [...mailboxes].flatMap(([mailboxId, lanes]) => [...lanes.values()].map((lane) => ({ mailboxId, lane })))
    },
    /** Starts nothing new; running deliveries may finish until the signal aborts. */
    async stop(signal: AbortSignal): Promise<void> {
      stopping = true
      stopListening()
      stopPolling()
      stopFollowing()
      await looking
      await Promise.all(
        [...mailboxes.values()].flatMap((lanes) => [...lanes.values()].map((lane) => lane.stop(signal))),
      )
    },
  }
}
