/** Runs the deliveries of all webhooks: each has a lane, woken by commits to its mailbox and webhooks. All are checked at the start and periodically. */
import { keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { pagesOf } from '../store/pages.js'
import { META_PARTITION, webhookListRange } from '../mailbox/keys.js'
import { readAll } from '../mailbox/webhooks/webhooks.js'
import { Lane, type LaneDeps } from './lane.js'

const PARTITION = /^(?:mailbox|webhooks)\/(.+)$/

export interface DispatcherDeps extends LaneDeps {
  store: Store
}

export type Dispatcher = ReturnType<typeof startDispatcher>

export function startDispatcher(deps: DispatcherDeps) {
  const { store } = deps
  const mailboxes = new Map<string, Map<string, Lane>>()
  let stopping = false
  let looking: Promise<void> | undefined

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
    const found = await readAll(store, mailboxId)
    if (!stopping) for (const { webhook } of found) follow(mailboxId, webhook.id)
  }

  async function checkEach(): Promise<void> {
    for await (const page of pagesOf(store, META_PARTITION, webhookListRange)) {
      for (const [listed] of page) if (!stopping) await look(String(keyParts(listed)[1]))
      if (stopping) return
    }
  }

  const stopListening = store.onCommit((partition) => {
    const mailboxId = PARTITION.exec(partition)?.[1]
    const lanes = mailboxId === undefined ? undefined : mailboxes.get(mailboxId)
    if (lanes) for (const lane of lanes.values()) lane.wake()
  })

  return {
    /** Called when a webhook was created in this mailbox. */
    look,
    /** Checks every webhook. */
    checkAll: (): Promise<void> => (looking ??= checkEach().finally(() => (looking = undefined))),
    get lanes(): { mailboxId: string; lane: Lane }[] {
      return [...mailboxes].flatMap(([mailboxId, lanes]) => [...lanes.values()].map((lane) => ({ mailboxId, lane })))
    },
    /** Starts nothing new; running deliveries may finish until the signal aborts. */
    async stop(signal: AbortSignal): Promise<void> {
      stopping = true
      stopListening()
      await looking
      await Promise.all(
        [...mailboxes.values()].flatMap((lanes) => [...lanes.values()].map((lane) => lane.stop(signal))),
      )
    },
  }
}
