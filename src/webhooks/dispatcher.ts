/**
 * Runs the deliveries of the webhooks of owned shards: each has a lane, woken by commits to its mailbox and webhooks. All are checked when a shard was
 * gained, when another node created one, and periodically.
 */
import { shardOf } from '../cluster/shard-of.js'
import type { Shards } from '../cluster/types.js'
import { MINUTE, SECOND } from '../lib/clock.js'
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
  /** Wait after an error of the store, in milliseconds. */
  retryMs?: number
}

/** For deliveries of a shard that is given away. */
const LEAVE_MS = MINUTE
const RETRY_MS = 30 * SECOND

export type Dispatcher = ReturnType<typeof startDispatcher>

export function startDispatcher(deps: DispatcherDeps) {
  const { store, shards, retryMs = RETRY_MS } = deps
  const mailboxes = new Map<string, Map<string, Lane>>()
  let stopping = false
  let looking: Promise<void> | undefined
  /** Mailboxes to look at in the next pass: all, or those without lanes. */
  let due: 'all' | 'new' | undefined
  let retrying: NodeJS.Timeout | undefined
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
    while (due) {
      const isForAll = due === 'all'
      due = undefined
      for await (const page of pagesOf(store, META_PARTITION, webhookListRange)) {
        for (const [listed] of page) {
          const mailboxId = String(keyParts(listed)[1])
          if (!stopping && (isForAll || !mailboxes.has(mailboxId))) await look(mailboxId)
        }
        if (stopping) return
      }
    }
  }

  function check(which: 'all' | 'new'): Promise<void> {
    if (due !== 'all') due = which
    return (looking ??= checkEach().finally(() => (looking = undefined)))
  }

  /** After an error all are checked again: nothing else finds the webhooks of a gained shard. */
  function checkUntilDone(which: 'all' | 'new'): void {
    check(which).catch((error: unknown) => {
      deps.onError(error, 'all')
      if (stopping) return
      retrying ??= setTimeout(() => {
        retrying = undefined
        checkUntilDone('all')
      }, retryMs)
    })
  }

  const stopListening = store.onCommit((partition, _version, byOther) => {
    // The first webhook of a mailbox may have been created there.
    if (byOther === true && partition === META_PARTITION) checkUntilDone('new')
    const [, of, mailboxId] = PARTITION.exec(partition) ?? []
    if (mailboxId === undefined) return
    for (const lane of mailboxes.get(mailboxId)?.values() ?? []) lane.wake()
    // So may another.
    if (byOther === true && of === 'webhooks') look(mailboxId).catch((error: unknown) => deps.onError(error, mailboxId))
  })

  const stopPolling = store.follow(() => [
    META_PARTITION,
    ...[...mailboxes.keys()].flatMap((id) => [mailboxPartition(id), webhooksPartition(id)]),
  ])

  const stopFollowing = shards.follow('jobs', {
    gain: () => checkUntilDone('all'),
    async lose(shard) {
      const leaving = [...mailboxes].flatMap(([id, lanes]) => (shardFor(id) === shard ? [...lanes.values()] : []))
      await Promise.all(leaving.map((lane) => lane.stop(AbortSignal.timeout(LEAVE_MS))))
    },
  })

  return {
    /** Called when a webhook was created in this mailbox. */
    look,
    /** Checks every webhook. */
    checkAll: () => check('all'),
    get lanes(): { mailboxId: string; lane: Lane }[] {
      return [...mailboxes].flatMap(([mailboxId, lanes]) => [...lanes.values()].map((lane) => ({ mailboxId, lane })))
    },
    /** Starts nothing new; running deliveries may finish until the signal aborts. */
    async stop(signal: AbortSignal): Promise<void> {
      stopping = true
      stopListening()
      stopPolling()
      stopFollowing()
      clearTimeout(retrying)
      await looking
      await Promise.all(
        [...mailboxes.values()].flatMap((lanes) => [...lanes.values()].map((lane) => lane.stop(signal))),
      )
    },
  }
}
