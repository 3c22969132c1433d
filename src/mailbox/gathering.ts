/**
 * Brings what mailboxes counted (tally.ts) to their accounts: in one commit of an account for all that came within some seconds, however many
 * messages that were. What a crash leaves uncounted is found at the next start.
 */
import type { Tally } from '../accounts/outcomes.js'
import type { Accounts } from '../accounts/types.js'
import { SECOND } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import type { Store } from '../store/types.js'
import { mailboxPartition } from './keys.js'
import { mailboxIds } from './list.js'
import { mailboxOf } from './record.js'
import { readTally } from './tally.js'

/** How long good news may take, … */
const GATHER_MS = 5 * SECOND
/** … and what may lower a level or suspend. */
const URGENT_MS = SECOND
const RETRY_MS = 30 * SECOND
/** Mailboxes that are read, and counted by one commit of their account. */
const STEP = 200

export interface Gathering {
  /** A mailbox has counted something. */
  note(mailboxId: string, urgent: boolean): void
  /** Has everything counted of which was told. Never rejects: what fails is tried again later. */
  settle(): Promise<void>
  /** Looks at all mailboxes, for what a process that died had not counted. Never rejects. */
  lookAtAll(): Promise<void>
  /** Counts what is left, and ends. */
  stop(): Promise<void>
}

export interface GatheringDeps {
  store: Store
  accounts: Pick<Accounts, 'countOutcomes'>
  log: Pick<Log, 'error'>
}

export function createGathering({ store, accounts, log }: GatheringDeps): Gathering {
  const waiting = new Set<string>()
  const stopped = new AbortController()
  let timer: { at: number; handle: NodeJS.Timeout } | undefined
  let working = Promise.resolve()

  function wakeIn(ms: number): void {
    const at = performance.now() + ms
    if (stopped.signal.aborted || (timer && timer.at <= at)) return
    clearTimeout(timer?.handle)
    timer = { at, handle: setTimeout(() => void settle(), ms) }
    // What is left is found at the next start.
    timer.handle.unref()
  }

  function settle(): Promise<void> {
    clearTimeout(timer?.handle)
    timer = undefined
    working = working.then(async () => {
      const ids = [...waiting]
      waiting.clear()
      for (let i = 0; i < ids.length; i += STEP) await gather(ids.slice(i, i + STEP))
    })
    return working
  }

  async function gather(mailboxIds: string[]): Promise<void> {
    const byAccount = new Map<string, Tally[]>()
    try {
      for (const mailboxId of mailboxIds) {
        const { accountId, days } = await store.read(mailboxPartition(mailboxId), async (view) => {
          const days = await readTally(view)
          return { days, accountId: days.length === 0 ? undefined : (await mailboxOf(view))?.accountId }
        })
        if (!accountId) continue
        const tallies = byAccount.get(accountId) ?? []
        byAccount.set(accountId, tallies)
        tallies.push({ mailboxId, days })
      }
    } catch (err) {
      again(mailboxIds, err)
      return
    }
    for (const [accountId, tallies] of byAccount) {
      await accounts.countOutcomes(accountId, tallies).catch((err: unknown) =>
        again(
          tallies.map(({ mailboxId }) => mailboxId),
          err,
        ),
      )
    }
  }

  function again(mailboxIds: string[], err: unknown): void {
    if (stopped.signal.aborted) return
    log.error({ err, mailboxes: mailboxIds.length }, 'outcomes could not be counted; it is tried again')
    for (const id of mailboxIds) waiting.add(id)
    wakeIn(RETRY_MS)
  }

  return {
    note(mailboxId, urgent) {
      waiting.add(mailboxId)
      wakeIn(urgent ? URGENT_MS : GATHER_MS)
    },
    settle,
    async lookAtAll() {
      try {
        for await (const id of mailboxIds(store, stopped.signal)) {
          waiting.add(id)
          if (waiting.size >= STEP) await settle()
        }
      } catch (err) {
        if (!stopped.signal.aborted)
          log.error({ err }, 'what was not counted before the start is left for the next one')
      }
      await settle()
    },
    async stop() {
      stopped.abort()
      await settle()
    },
  }
}
